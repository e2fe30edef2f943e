import type { ClientInspection } from './inspection.js';
import { type Condition, until, type WaitEnding, type WaitOptions } from './until.js';

/** Time limit for a control plane to list its listeners. */
export const PROBE_MS = 2000;

/** The share of a short wait that is reserved for the probe. */
const PROBE_SHARE = 1 / 4;

/**
 * Waits until a condition holds, then lists the existing listeners for targets whose listener does not exist. The limit
 * covers both: if the condition does not hold in time, the probe uses the last part of the wait.
 */
export async function untilProbed(
  inspection: Pick<ClientInspection, 'now' | 'until' | 'probe'>,
  condition: Condition,
  wait: WaitOptions,
): Promise<WaitEnding> {
  const endAt = inspection.now() + wait.limit;
  const rest = (): WaitOptions => ({ ...wait, limit: Math.max(0, endAt - inspection.now()) });
  const reserved = Math.min(PROBE_MS, wait.limit * PROBE_SHARE);
  const ending = await until(inspection, condition, { ...wait, limit: wait.limit - reserved });
  if (ending === 'interrupted') return ending;
  if ((await inspection.probe(rest())) === 'interrupted') return 'interrupted';
  return ending === 'met' ? ending : await until(inspection, condition, rest());
}
