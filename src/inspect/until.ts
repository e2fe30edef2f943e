import type { Clock } from '../engine/ports.js';

/** Why a wait ended: its condition holds, the time limit expired, or the user interrupted it. */
export type WaitEnding = 'met' | 'timed out' | 'interrupted';

/** Whether a condition holds. `nextCheck` is the time of the next evaluation, if time alone can change the result. */
export type ConditionState = { isMet: boolean; nextCheck?: number | undefined };

export type Condition = (now: number) => ConditionState;

/** Never holds, so the wait lasts until its time limit. */
export const never: Condition = () => ({ isMet: false });

/** Holds `ms` milliseconds after another condition first held. */
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
  /** Registers a callback for a user interrupt. Returns a function that unregisters it. */
  onInterrupt?: (stop: () => void) => () => void;
  /** Runs after changes, and at least every `everyMs`: for a progress line or a live table. */
  tick?: { everyMs: number; run: () => void } | undefined;
}

/** An inspection that supports waiting: a live inspection changes by itself, a recording is replayed. */
export interface Waitable {
  until(condition: Condition, wait: WaitOptions): Promise<WaitEnding>;
}

/** Waits until a condition holds. Evaluates the condition after each change, without polling. */
export function until(inspection: Waitable, condition: Condition, wait: WaitOptions): Promise<WaitEnding> {
  return inspection.until(condition, wait);
}

/** The minimum time between evaluations after changes, because a condition may read the whole cache. */
const BUSY_MS = 50;

/** Waits on a clock. `subscribe` registers a callback for changes. */
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
        // One alarm per evaluation, regardless of the number of events.
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
      // A time in the past would evaluate in an endless loop.
      wakeAt(
        Math.min(endAt, tickAt, nextCheck !== undefined && nextCheck > now ? nextCheck : Number.POSITIVE_INFINITY),
      );
    };
    wake();
  });
}
