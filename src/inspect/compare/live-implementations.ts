import type { Clock } from '../../engine/ports.js';
import type { ClientInspection } from '../inspection.js';
import { defaultTimeLimit, settled } from '../settled.js';
import { type WaitEnding, type WaitOptions, waitOnClock } from '../until.js';
import { allOf, onAnyEvent } from '../until-all.js';

/** The default time limit for clients with different resource timers. */
export function commonTimeLimit(inspections: readonly ClientInspection[]): number {
  return Math.max(...inspections.map(defaultTimeLimit));
}

/** Waits until the clients of all implementations have settled. */
export async function untilAllSettled(
  inspections: readonly ClientInspection[],
  clock: Clock,
  wait: WaitOptions,
): Promise<WaitEnding> {
  for (const inspection of inspections) inspection.start();
  const condition = allOf(inspections.map(settled));
  return await waitOnClock(clock, (changed) => onAnyEvent(inspections, changed), condition, wait);
}
