import { computed } from '@preact/signals';
import type { Event } from '../../core/event.js';
import { eventLine } from '../event-line.js';
import { moved } from '../timeline/scale.js';
import { extent, history, now, revision, selectTime, shownWindow, targetRef } from './store.js';

export type ProblemKind = 'error' | 'nack' | 'tear' | 'fallback';

/** An event that one wants to jump to. */
export interface Problem {
  at: number;
  kind: ProblemKind;
  scope: string;
  target: string | undefined;
}

/** All problems of the session, the oldest first. */
export const problems = computed<readonly Problem[]>(() => {
  revision.value;
  return (history.value?.events ?? []).flatMap(({ event, isRepeated }) => {
    const kind = isRepeated ? undefined : problemKind(event);
    if (kind === undefined) return [];
    const at = event.kind === 'tear' ? event.begin : event.at;
    return { at, kind, scope: event.scope, target: 'target' in event ? event.target : undefined };
  });
});

function problemKind(event: Event): ProblemKind | undefined {
  if (event.kind === 'error') return event.cause === 'nack' ? 'nack' : 'error';
  if (event.kind === 'tear') return event.change === 'opened' ? 'tear' : undefined;
  if (event.kind === 'fallback') return event.change === 'down' ? 'fallback' : undefined;
  return undefined;
}

/** The problems of the selected target. */
const ownProblems = computed(() => problems.value.filter(({ scope }) => scope === targetRef.value?.scope));

/** Selects the time of the next problem, or of the previous one; after the last comes the first. */
export function stepProblem(step: 1 | -1, kind?: ProblemKind): void {
  const times = ownProblems.peek().filter((one) => kind === undefined || one.kind === kind);
  jump(
    times.map(({ at }) => at).sort((a, b) => a - b),
    step,
    true,
  );
}

/** Selects the time of the next or previous event of the target. */
export function stepEvent(step: 1 | -1): void {
  const scope = targetRef.peek()?.scope;
  const events = history.peek()?.events ?? [];
  const own = events.filter(({ event }) => event.scope === scope).map(({ event }) => event.at);
  jump(own, step, false);
}

function jump(times: readonly number[], step: 1 | -1, isCyclic: boolean): void {
  const at = now.peek();
  const next = step > 0 ? times.find((one) => one > at) : times.findLast((one) => one < at);
  const other = isCyclic ? times.at(step > 0 ? 0 : -1) : step > 0 ? extent.peek().end : extent.peek().from;
  const found = next ?? other;
  if (found === undefined) return;
  selectTime(found);
  reveal(found);
}

/** Moves the window if a time is outside. */
function reveal(at: number): void {
  const window = shownWindow.peek();
  if (window === undefined || (at >= window[0] && at <= window[1])) return;
  const { from, end } = extent.peek();
  shownWindow.value = moved(window, at - (window[0] + window[1]) / 2, [from, end]);
}

/** The last event of the target up to the selected time, as a line of `watch`. */
export const lastEvent = computed(() => {
  revision.value;
  const [past, scope] = [history.value, targetRef.value?.scope];
  if (past === undefined) return undefined;
  for (let i = past.eventsUntil(now.value) - 1; i >= 0; i--) {
    const event = past.events[i]?.event;
    if (event !== undefined && event.scope === scope && event.kind !== 'request') return eventLine(event);
  }
  return undefined;
});
