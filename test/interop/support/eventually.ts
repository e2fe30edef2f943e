/** Real programs on a busy machine. */
const PATIENCE_MS = 60_000;
const PAUSE_MS = 20;

/** Waits until something becomes true that other programs bring about. */
export async function eventually(isTrue: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const end = Date.now() + PATIENCE_MS;
  while (!(await isTrue())) {
    if (Date.now() > end) throw new Error(`within ${PATIENCE_MS} ms this did not happen: ${what}`);
    await new Promise((next) => setTimeout(next, PAUSE_MS));
  }
}
