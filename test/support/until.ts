/** Waits until something outside the test's control has become true. */
export async function until(isTrue: () => boolean, what: string): Promise<void> {
  const end = Date.now() + 60_000;
  while (!isTrue()) {
    if (Date.now() > end) throw new Error(`within 60 s this did not happen: ${what}`);
    await new Promise((next) => setTimeout(next, 5));
  }
}
