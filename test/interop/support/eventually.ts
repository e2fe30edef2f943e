const PATIENCE_MS = 60_000;
const PAUSE_MS = 50;

/** Looks again until something is as it should be; then what was seen last stands in the error. */
export async function eventually<Seen>(
  look: () => Promise<Seen> | Seen,
  isSo: (seen: Seen) => boolean,
  what: string,
): Promise<Seen> {
  const end = Date.now() + PATIENCE_MS;
  for (;;) {
    const seen = await look();
    if (isSo(seen)) return seen;
    if (Date.now() > end)
      throw new Error(
        `within ${PATIENCE_MS / 1000} s this did not happen: ${what}\nlast seen: ${JSON.stringify(seen)}`,
      );
    await new Promise((next) => setTimeout(next, PAUSE_MS));
  }
}

/** Waits until something outside the test's control has become true. */
export async function until(isTrue: () => boolean | Promise<boolean>, what: string): Promise<void> {
  await eventually(isTrue, (is) => is, what);
}
