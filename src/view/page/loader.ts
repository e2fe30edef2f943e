/** Unpacks the code of the page and runs it. The Content-Security-Policy has the hash of the unpacked code. */
async function run(): Promise<void> {
  for (const { textContent } of document.querySelectorAll('script[type="application/gzip"]')) {
    const bytes = Uint8Array.from(atob(textContent ?? ''), (char) => char.charCodeAt(0));
    const unpacked = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
    const script = document.createElement('script');
    script.textContent = await new Response(unpacked).text();
    document.body.append(script);
  }
}

run().catch((error: unknown) => {
  document.body.append(
    `This browser cannot show the report: ${error}. Use a current version of Chrome, Firefox or Safari.`,
  );
});
