import { earliestOf } from '../base/earliest.js';
import type { Inspection } from './inspection.js';
import type { Condition, ConditionState } from './until.js';

/** Holds when all conditions hold. Evaluates each one every time. */
export function allOf(conditions: readonly Condition[]): Condition {
  return (now) => {
    const states: ConditionState[] = conditions.map((condition) => condition(now));
    return { isMet: states.every(({ isMet }) => isMet), nextCheck: earliestOf(states, ({ nextCheck }) => nextCheck) };
  };
}

/** Calls back after an event of any of these inspections. Returns a function that ends this. */
export function onAnyEvent(inspections: readonly Pick<Inspection, 'events'>[], changed: () => void): () => void {
  const stops = inspections.map(({ events }) => events.subscribe(changed));
  return () => {
    for (const stop of stops) stop();
  };
}
