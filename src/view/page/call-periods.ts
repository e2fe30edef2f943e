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
/** Typing changes the call faster than it can be evaluated. */
const DELAY_MS = 120;

const NONE: CallPeriods = { periods: [], isCut: false, isComplete: true };

/** The outcome of the call of the RPC bar over the whole session. */
export const callPeriods = signal<CallPeriods>(NONE);

let run = 0;
let timer = 0;

/** Evaluates the call again when it, the target or the session changes. Returns a function that stops this. */
export function followCall(): () => void {
  return effect(() => {
    revision.value;
    const [past, shown, current] = [history.value, target.value, call.value];
    clearTimeout(timer);
    if (past === undefined || shown === undefined) {
      callPeriods.value = NONE;
      return;
    }
    const place = { scope: shown.scope.scope, target: shown.channel.target };
    const key = JSON.stringify([place, current, past.events.length, past.end]);
    if (key === evaluated) return;
    timer = setTimeout(() => void evaluate(past, place, current, key), DELAY_MS) as unknown as number;
  });
}

let evaluated = '';

async function evaluate(
  past: SessionHistory,
  place: { scope: string; target: string },
  current: Call,
  key: string,
): Promise<void> {
  const own = ++run;
  const slice = slices();
  const { times, isCut } = callTimes(past.events, place, past.from, MOST_TIMES);
  const end = past.end;
  const periods: CallPeriod[] = [];
  for (const [i, time] of times.entries()) {
    const then = past.at(time).targets.find((one) => isAt(one, place));
    const view = then === undefined ? undefined : explanationsOf([then], explainedCall(current))[0];
    periods.push(callPeriod(time, times[i + 1] ?? end, view));
    if (!(await slice())) continue;
    if (own !== run) return;
    callPeriods.value = { periods: joinPeriods(periods), isCut, isComplete: false };
  }
  if (own !== run) return;
  evaluated = key;
  callPeriods.value = { periods: joinPeriods(periods), isCut, isComplete: true };
}

function isAt(
  { scope, channel }: { scope: { scope: string }; channel: { target: string } },
  place: { scope: string; target: string },
): boolean {
  return scope.scope === place.scope && channel.target === place.target;
}
