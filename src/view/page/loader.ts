/**
 * The only script that a page contains as plain text. It unpacks the others, which are compressed, and runs them in order.
 * The policy of the page has the hash of their unpacked text, so the browser runs no other code.
 */
async function runPackedCode(): Promise<void> {
  for (const element of document.querySelectorAll('script[data-code]')) {
    const bytes = Uint8Array.from(atob(element.textContent), (char) => char.charCodeAt(0));
    const unpacked = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
    const script = document.createElement('script');
    script.textContent = await new Response(unpacked).text();
    document.body.append(script);
  }
}

runPackedCode().catch((error: unknown) => {
  document.body.append(`This report needs a browser of 2023 or later: ${String(error)}`);
});
