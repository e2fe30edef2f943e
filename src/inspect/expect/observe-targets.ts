import type { Clock } from '../../engine/ports.js';
import { never, type WaitEnding, type WaitOptions, waitOnClock } from '../until.js';
import { allOf, onAnyEvent } from '../until-all.js';
import type { ObservedTarget, TargetWatch } from './target-watch.js';

/** The observed targets, and how the observation ended. */
export interface ObservedTargets {
  ending: WaitEnding;
  targets: ObservedTarget[];
}

/** Observes all clients of a check until they have settled, then for `observeMs` more. */
export async function observeTargets(
  watches: readonly TargetWatch[],
  observeMs: number,
  clock: Clock,
  wait: WaitOptions,
): Promise<ObservedTargets> {
  const inspections = watches.map(({ inspection }) => inspection);
  const subscribe = (changed: () => void): (() => void) => onAnyEvent(inspections, changed);
  for (const inspection of inspections) inspection.start();
  const ending = await waitOnClock(clock, subscribe, allOf(watches.map((one) => (now) => one.checkSettled(now))), wait);
  const after =
    ending === 'interrupted' || observeMs === 0
      ? ending
      : await waitOnClock(clock, subscribe, never, { ...wait, limit: observeMs });
  return {
    ending: after === 'interrupted' ? after : ending,
    targets: watches.flatMap((one) => one.observations()),
  };
}

/** Observes a recording like a live session. */
export async function observeRecording(watch: TargetWatch): Promise<ObservedTargets> {
  const ending = await watch.inspection.until((now) => watch.checkSettled(now), { limit: 0 });
  return { ending, targets: watch.observations() };
}
