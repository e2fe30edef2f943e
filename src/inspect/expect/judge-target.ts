import { formatMillis } from '../../base/duration.js';
import { isLost } from '../../engine/lost.js';
import { explainView } from '../../view/explain.js';
import type { What } from './expectations.js';
import { hintText } from './hint-text.js';
import type { Observation, Verdict } from './observation.js';

type Of<K extends What['kind']> = Extract<What, { kind: K }>;

const MOST = 5;

/** Whether RPCs have a whole configuration to go by. */
export function judgeReady({ ready }: Of<'ready'>, observation: Observation): Verdict {
  const { state } = observation.channel;
  const isReady = state.kind === 'published' || state.kind === 'served';
  const actual = isReady
    ? 'ready'
    : state.kind === 'error'
      ? `RPCs fail: ${state.message}`
      : 'there is no whole configuration yet';
  const verdict = { ok: isReady === ready, expected: ready ? 'ready' : 'not ready', actual };
  if (verdict.ok || isReady) return verdict;
  const [hint = 'If that is meant, say ready: false.'] = readyHints(observation);
  return { ...verdict, hint };
}

function readyHints({ scope, channel, nodeId }: Observation): string[] {
  const call = { path: '/', metadata: [] };
  const options = { call, deadlineMs: undefined, rules: 'today', nodeId, random: () => 0 } as const;
  return explainView(scope, channel, options).hints.map(hintText);
}

/** How long it took until nothing was waited for any more. */
export function judgeSettled({ within }: Of<'settled'>, { settledAfter, observed, scope }: Observation): Verdict {
  const expected = `settled within ${formatMillis(within)}`;
  if (settledAfter === undefined) {
    const open = scope.entries.filter(({ status }) => status === 'REQUESTED').length;
    const waits = open === 0 ? '' : `: ${open === 1 ? 'one resource is' : `${open} resources are`} still waited for`;
    return { ok: false, expected, actual: `not settled after ${formatMillis(observed)}${waits}` };
  }
  if (scope.authorities.some(isLost)) return { ok: false, expected, actual: 'no server could be reached' };
  return { ok: settledAfter <= within, expected, actual: `settled after ${formatMillis(settledAfter)}` };
}

/** Tears of the target, from the start on; one that is open lasts up to now. */
export function judgeTears({ longest }: Of<'tears'>, { channel, observed, now }: Observation): Verdict {
  const lasted = channel.tears.map(({ kind, begin, end, resources }) => ({
    ms: (end ?? now) - begin,
    text: `${kind} for ${formatMillis((end ?? now) - begin)}${end === undefined ? ' (still open)' : ''}: ${resources
      .map(({ type, name }) => `${type} ${name}`)
      .join(', ')}`,
  }));
  const tooLong = lasted.filter(({ ms }) => ms > longest);
  const expected = longest === 0 ? 'no tear' : `no tear longer than ${formatMillis(longest)}`;
  const shorter = lasted.length === 0 ? 'no tear' : `${lasted.length} shorter ones`;
  const actual =
    tooLong.length === 0 ? `${shorter} in ${formatMillis(observed)}` : listText(tooLong, ({ text }) => text);
  return { ok: tooLong.length === 0, expected, actual };
}

/** A state in which no resource may ever be, not even for a moment. */
export function judgeNever({ status }: Of<'never'>, { states, observed }: Observation): Verdict {
  const seen = states.in(status);
  const expected = `no resource is ever ${status}`;
  if (seen.length === 0) return { ok: true, expected, actual: `none was in ${formatMillis(observed)}` };
  return {
    ok: false,
    expected,
    actual: listText(seen, ({ type, name, why }) => `${type} ${name} was${why === '' ? '' : `: ${why}`}`),
  };
}

function listText<T>(list: readonly T[], say: (one: T) => string): string {
  const more = list.length > MOST ? ` and ${list.length - MOST} more` : '';
  return `${list.slice(0, MOST).map(say).join('; ')}${more}`;
}
