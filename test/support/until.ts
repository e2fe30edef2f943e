/** Waits until a condition outside of the test's control is true. */
export async function until(isTrue: () => boolean, what: string): Promise<void> {
  const end = Date.now() + 60_000;
  while (!isTrue()) {
    if (Date.now() > end) throw new Error(`not met within 60 s: ${what}`);
    await new Promise((next) => setTimeout(next, 5));
  }
}
