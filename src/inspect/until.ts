import type { Clock } from '../engine/ports.js';

/** Why a wait is over: its condition holds, its time has passed, or the user interrupted it. */
export type WaitEnding = 'met' | 'timed out' | 'interrupted';

/** Whether a condition holds; if only time can change that, `again` says when to look next. */
export type ConditionState = { isMet: boolean; nextCheck?: number | undefined };

export type Condition = (now: number) => ConditionState;

/** Holds never: the wait lasts as long as it may. */
export const never: Condition = () => ({ isMet: false });

/** Holds some time after another condition first did. */
export function delayed(condition: Condition, ms: number): Condition {
  let metAt: number | undefined;
  return (now) => {
    if (metAt === undefined) {
      const checkNow = condition(now);
      if (!checkNow.isMet) return checkNow;
      metAt = now;
    }
    return { isMet: now >= metAt + ms, nextCheck: metAt + ms };
  };
}

export interface WaitOptions {
  /** Milliseconds. */
  limit: number;
  /** Calls back when the user wants to stop; the function returned ends that. */
  onInterrupt?: (stop: () => void) => () => void;
  /** Runs whenever something has changed, and at least this often: a progress line, a live table. */
  tick?: { everyMs: number; run: () => void } | undefined;
}

/** What can be waited for: a live inspection changes by itself, a recording is played. */
export interface Waitable {
  until(condition: Condition, wait: WaitOptions): Promise<WaitEnding>;
}

/** Waits until a condition holds. Nothing polls: the condition is evaluated when something has changed. */
export function until(inspection: Waitable, condition: Condition, wait: WaitOptions): Promise<WaitEnding> {
  return inspection.until(condition, wait);
}

/** However much happens, changes are not looked at more often than this: a condition may read the whole cache. */
const BUSY_MS = 50;

/** A wait on a clock. `subscribe` calls back when something has changed. */
export function waitOnClock(
  clock: Clock,
  subscribe: (changed: () => void) => () => void,
  condition: Condition,
  { limit, onInterrupt, tick }: WaitOptions,
): Promise<WaitEnding> {
  const endAt = clock.now() + limit;
  return new Promise((resolve, reject) => {
    let alarm: { at: number; cancel: () => void } | undefined;
    let changeSeenAt = Number.NEGATIVE_INFINITY;
    let hasChanged = false;
    let tickAt = Number.POSITIVE_INFINITY;
    const wakeAt = (at: number): void => {
      if (at === Number.POSITIVE_INFINITY || (alarm !== undefined && alarm.at <= at)) return;
      alarm?.cancel();
      alarm = { at, cancel: clock.wakeAt(at, wake) };
    };
    const stops = [
      subscribe(() => {
        // One alarm per look, however many events there are.
        if (hasChanged) return;
        hasChanged = true;
        wakeAt(Math.max(clock.now(), changeSeenAt + BUSY_MS));
      }),
      onInterrupt?.(() => end(() => resolve('interrupted'))) ?? (() => {}),
    ];
    const end = (settle: () => void): void => {
      alarm?.cancel();
      for (const stop of stops) stop();
      settle();
    };
    const wake = (): void => {
      alarm = undefined;
      try {
        checkNow(clock.now());
      } catch (error) {
        end(() => reject(error));
      }
    };
    const checkNow = (now: number): void => {
      if (hasChanged) changeSeenAt = now;
      hasChanged = false;
      const { isMet, nextCheck } = condition(now);
      if (isMet || now >= endAt) {
        end(() => resolve(isMet ? 'met' : 'timed out'));
        return;
      }
      if (tick !== undefined) {
        tick.run();
        tickAt = now + tick.everyMs;
      }
      // A time that has passed would make this look again without end.
      wakeAt(
        Math.min(endAt, tickAt, nextCheck !== undefined && nextCheck > now ? nextCheck : Number.POSITIVE_INFINITY),
      );
    };
    wake();
  });
}
