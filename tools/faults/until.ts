import { setTimeout as sleep } from 'node:timers/promises';

/** Long enough for a busy machine: the end of a wait is a failure, never a measurement. */
const PATIENCE_MS = 180_000;

const POLL_MS = 20;

/** A condition that did not become true. */
export class NotMet extends Error {}

/** Waits until a condition is true. `what` completes "did not happen: …". */
export async function until(
  isTrue: () => boolean | Promise<boolean>,
  what: () => string,
  patienceMs = PATIENCE_MS,
): Promise<void> {
  const end = performance.now() + patienceMs;
  while (!(await isTrue())) {
    if (performance.now() > end) throw new NotMet(`did not happen: ${what()}`);
    await sleep(POLL_MS);
  }
}
