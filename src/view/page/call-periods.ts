import { effect, signal } from '@preact/signals';
import type { SessionHistory } from '../../inspect/history/session-history.js';
import { type CallPeriod, callPeriod, callTimes, joinPeriods } from '../call-over-time.js';
import { explanationsOf } from '../explain.js';
import { explainedCall } from './explained.js';
import { slices } from './slices.js';
import { type Call, call, history, revision, target } from './store.js';

interface CallPeriods {
  periods: readonly CallPeriod[];
  /** Earlier changes of the configuration are not evaluated. */
  isCut: boolean;
  isComplete: boolean;
}

/** More changes of a configuration are not evaluated. */
const MOST_TIMES = 200;
/** Outcomes that are kept; those of forgotten times are among them. */
const MOST_KNOWN = 5 * MOST_TIMES;
/** Typing changes the call faster than it can be evaluated. */
const DELAY_MS = 120;

const NONE: CallPeriods = { periods: [], isCut: false, isComplete: true };

/** The outcome of the call of the RPC bar over the whole session. */
export const callPeriods = signal<CallPeriods>(NONE);

let run = 0;
let timer: ReturnType<typeof setTimeout> | undefined;

/** Evaluates the call again when it, the target or the session changes. Returns a function that stops this. */
export function followCall(): () => void {
  return effect(() => {
    revision.value;
    history.value;
    target.value;
    call.value;
    // A timer that runs is not restarted: a busy live session would postpone the evaluation forever.
    if (timer === undefined) timer = setTimeout(start, DELAY_MS);
  });
}

function start(): void {
  timer = undefined;
  const [past, shown] = [history.peek(), target.peek()];
  if (past === undefined || shown === undefined) callPeriods.value = NONE;
  else void evaluate(past, { scope: shown.scope.scope, target: shown.channel.target }, call.peek());
}

/** Outcomes by time. A live session grows, but its past does not change. */
let known: { history: SessionHistory; key: string; periods: Map<number, CallPeriod> } | undefined;

function knownPeriods(past: SessionHistory, key: string): Map<number, CallPeriod> {
  if (known?.history !== past || known.key !== key || known.periods.size > MOST_KNOWN)
    known = { history: past, key, periods: new Map() };
  return known.periods;
}

async function evaluate(past: SessionHistory, place: { scope: string; target: string }, current: Call): Promise<void> {
  const own = ++run;
  const slice = slices();
  const cache = knownPeriods(past, JSON.stringify([place, current]));
  const { times, isCut } = callTimes(past.events, place, past.from, MOST_TIMES);
  const periods: CallPeriod[] = [];
  for (const [i, time] of times.entries()) {
    const next = times[i + 1];
    // Further changes can follow at the time of the last one.
    const period = (next !== undefined && cache.get(time)) || periodAt(past, place, current, time);
    if (next !== undefined) cache.set(time, period);
    periods.push({ ...period, to: next ?? past.end });
    if (!(await slice())) continue;
    if (own !== run) return;
    callPeriods.value = { periods: joinPeriods(periods), isCut, isComplete: false };
  }
  if (own === run) callPeriods.value = { periods: joinPeriods(periods), isCut, isComplete: true };
}

function periodAt(
  past: SessionHistory,
  place: { scope: string; target: string },
  current: Call,
  time: number,
): CallPeriod {
  const then = past.at(time).targets.find((one) => isAt(one, place));
  return callPeriod(time, time, then && explanationsOf([then], explainedCall(current))[0]);
}

function isAt(
  { scope, channel }: { scope: { scope: string }; channel: { target: string } },
  place: { scope: string; target: string },
): boolean {
  return scope.scope === place.scope && channel.target === place.target;
}
