import { formatMillis } from '../base/duration.js';
import type { LoggedEvent } from '../inspect/history/journal.js';
import type { Explanation } from './explain.js';

/** What a call gets, in the words of the verdict. */
export type CallState = 'ok' | 'partly' | 'fails' | 'waiting' | 'unknown';

/** A part of a session during which a call has the same outcome. */
export interface CallPeriod {
  from: number;
  to: number;
  state: CallState;
  /** `OK`, or the status code. */
  word: string;
  message: string;
  /** The route and the clusters of the call. */
  route: number | null;
  clusters: readonly string[];
}

/** The times at which the outcome of a call to a target can change: the start, and each change of its configuration. */
export function callTimes(
  events: readonly LoggedEvent[],
  { scope, target }: { scope: string; target: string },
  from: number,
  most: number,
): { times: number[]; isCut: boolean } {
  const times: number[] = [];
  let i = events.length - 1;
  for (; i >= 0 && times.length < most; i--) {
    const event = events[i]?.event;
    if (event?.kind !== 'config' || event.scope !== scope || event.target !== target) continue;
    if (times.at(-1) !== event.at && event.at > from) times.push(event.at);
  }
  return i < 0 ? { times: [from, ...times.reverse()], isCut: false } : { times: times.reverse(), isCut: true };
}

/** The outcome of a call in one word. */
export function callOutcome({
  outcome,
  status,
  paths,
}: Pick<Explanation, 'outcome' | 'status' | 'paths'>): Pick<CallPeriod, 'state' | 'word' | 'message'> {
  const failing = paths.filter((path) => path.outcome === 'fails');
  const [first] = failing;
  if (first !== undefined && failing.length < paths.length)
    return { state: 'partly', word: 'PARTLY', message: first.message ?? '' };
  switch (outcome) {
    case 'ok':
      return { state: 'ok', word: 'OK', message: '' };
    case 'fails':
      return { state: 'fails', word: status?.code ?? 'FAILS', message: status?.message ?? '' };
    case 'waits':
      return { state: 'waiting', word: 'WAITING', message: '' };
    case 'unknown':
      return { state: 'unknown', word: 'UNKNOWN', message: '' };
  }
}

/** The period that begins at a time; without a view the client does not follow the target yet. */
export function callPeriod(from: number, to: number, view: Explanation | undefined): CallPeriod {
  if (view === undefined)
    return { from, to, state: 'waiting', word: 'WAITING', message: '', route: null, clusters: [] };
  const clusters = [...new Set(view.paths.flatMap(({ cluster }) => cluster ?? []))];
  return { from, to, ...callOutcome(view), route: view.route?.index ?? null, clusters };
}

/** Joins neighbours with the same outcome on the same path. */
export function joinPeriods(periods: readonly CallPeriod[]): CallPeriod[] {
  const joined: CallPeriod[] = [];
  for (const period of periods) {
    const last = joined.at(-1);
    if (last !== undefined && isSame(last, period)) last.to = period.to;
    else joined.push({ ...period });
  }
  return joined;
}

function isSame(a: CallPeriod, b: CallPeriod): boolean {
  const keyOf = ({ word, message, route, clusters }: CallPeriod): string =>
    JSON.stringify([word, message, route, clusters]);
  return keyOf(a) === keyOf(b);
}

/** `OK for 12.0 s` */
export function periodText({ from, to, word }: CallPeriod): string {
  return `${word} for ${formatMillis(to - from)}`;
}
