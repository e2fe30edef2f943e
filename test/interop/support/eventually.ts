const PATIENCE_MS = 60_000;
const PAUSE_MS = 50;

/** Reads a value until a condition is met; on a timeout, the error contains the last value. */
export async function eventually<Value>(
  read: () => Promise<Value> | Value,
  isMet: (value: Value) => boolean,
  what: string,
): Promise<Value> {
  const end = Date.now() + PATIENCE_MS;
  for (;;) {
    const value = await read();
    if (isMet(value)) return value;
    if (Date.now() > end)
      throw new Error(`not met within ${PATIENCE_MS / 1000} s: ${what}\nlast value: ${JSON.stringify(value)}`);
    await new Promise((next) => setTimeout(next, PAUSE_MS));
  }
}

/** Waits until a condition outside of the test's control is true. */
export async function until(isTrue: () => boolean | Promise<boolean>, what: string): Promise<void> {
  await eventually(isTrue, (is) => is, what);
}
