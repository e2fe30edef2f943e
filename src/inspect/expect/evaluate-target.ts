import { formatMillis } from '../../base/duration.js';
import { isLost } from '../../engine/lost-servers.js';
import type { ScopeSnapshot } from '../../engine/scope.js';
import { RESOURCE_TYPES, shortType } from '../../proto/resource-types.js';
import { type Evaluators, listText } from './evaluation-texts.js';
import type { Observation } from './observation.js';
import { isRequested, missingConfiguration } from './readiness.js';

export type Servers = ScopeSnapshot['authorities'][number]['servers'];

export const TARGET_EVALUATORS = {
  /** The verdict of the target. */
  verdict({ verdicts }, observation, texts) {
    const { verdict, cause } = observation.verdict;
    const found = {
      ok: verdicts.includes(verdict),
      expected: verdicts.join(' or '),
      actual: texts.verdict(observation),
      ...(cause !== null && { cause }),
    };
    return found.ok ? found : { ...found, ...texts.verdictAdvice(observation) };
  },

  /** RPCs have a configuration, regardless of their outcome. */
  configured(_, observation, texts) {
    const expected = 'a configuration';
    const missing = missingConfiguration(observation.channel);
    if (missing === undefined) return { ok: true, expected, actual: 'a configuration' };
    return { ok: false, expected, actual: missing, ...texts.verdictAdvice(observation) };
  },

  /** Every resource that the target needs is ACKED. */
  acked(_, observation, texts) {
    const expected = 'every resource is ACKED';
    const open = observation.scope.entries.find(({ status }) => status !== 'ACKED');
    if (open === undefined) return { ok: true, expected, actual: 'all are ACKED' };
    const actual = `${shortType(open.typeUrl)} ${open.name} is ${texts.status(open)}`;
    return { ok: false, expected, actual, ...texts.advice(open, observation) };
  },

  /** No request is outstanding, and nothing has changed. A control plane that never responded is not stable. */
  stable({ forMs }, observation, texts) {
    const { scope, now, changedAt = now } = observation;
    const expected = `unchanged for ${formatMillis(forMs)}`;
    const open = scope.entries.find(isRequested);
    if (open !== undefined) {
      const actual = `${shortType(open.typeUrl)} ${open.name} is still REQUESTED`;
      return { ok: false, expected, actual, ...texts.advice(open, observation) };
    }
    const waiting = scope.channels.find(({ state, isWithheld }) => state.kind === 'none' || isWithheld);
    if (waiting !== undefined)
      return { ok: false, expected, actual: `${waiting.target}: the configuration is still incomplete` };
    const actual = `unchanged for ${formatMillis(now - changedAt)}`;
    return now - changedAt >= forMs
      ? { ok: true, expected, actual, since: changedAt + forMs }
      : { ok: false, expected, actual };
  },

  /** The server that the authority of the listener uses (A71). */
  active({ server }, observation) {
    const servers = serversOf(observation);
    const active = servers.find(({ isActive }) => isActive);
    const isPrimary = active !== undefined && active === servers[0] && active.failure === undefined;
    return {
      ok: server === 'any' ? active !== undefined : isPrimary,
      expected: server === 'any' ? 'any server' : (servers[0]?.uri ?? 'a server'),
      actual: active?.uri ?? 'none',
    };
  },

  /** The time until the target settled. */
  settled({ within }, { settledAfter, observed, scope }) {
    const expected = `settled within ${formatMillis(within)}`;
    if (settledAfter === undefined) {
      const open = scope.entries.filter(({ status }) => status === 'REQUESTED').length;
      const waits = open === 0 ? '' : `: ${open === 1 ? '1 resource is' : `${open} resources are`} still REQUESTED`;
      return { ok: false, expected, actual: `not settled after ${formatMillis(observed)}${waits}` };
    }
    if (scope.authorities.some(isLost)) return { ok: false, expected, actual: 'no server could be reached' };
    return { ok: settledAfter <= within, expected, actual: `settled after ${formatMillis(settledAfter)}` };
  },

  /** The config tears of the target since the start. An open tear lasts until now. */
  tears({ longest }, { channel, observed, now }) {
    const lasted = channel.tears.map(({ kind, begin, end, resources }) => ({
      ms: (end ?? now) - begin,
      text: `${kind} for ${formatMillis((end ?? now) - begin)}${end === undefined ? ' (still open)' : ''}: ${resources
        .map(({ type, name }) => `${type} ${name}`)
        .join(', ')}`,
    }));
    const tooLong = lasted.filter(({ ms }) => ms > longest);
    const expected = longest === 0 ? 'no tear' : `no tear longer than ${formatMillis(longest)}`;
    const shorter = lasted.length === 0 ? 'no tear' : `${lasted.length} shorter tear${lasted.length === 1 ? '' : 's'}`;
    const actual =
      tooLong.length === 0 ? `${shorter} in ${formatMillis(observed)}` : listText(tooLong, ({ text }) => text);
    return { ok: tooLong.length === 0, expected, actual };
  },

  /** A cache status that no resource may ever have. */
  never({ status }, { states, observed }) {
    const offending = states.in(status);
    const expected = `no resource is ever ${status}`;
    if (offending.length === 0)
      return { ok: true, expected, actual: `none was ${status} in ${formatMillis(observed)}` };
    return {
      ok: false,
      expected,
      actual: listText(
        offending,
        ({ type, name, why }) => `${type} ${name} was ${status}${why === '' ? '' : `: ${why}`}`,
      ),
    };
  },
} satisfies Partial<Evaluators>;

/** The servers of the listener's authority, by priority. */
export function serversOf({ scope, channel }: Pick<Observation, 'scope' | 'channel'>): Servers {
  const name = scope.entry(RESOURCE_TYPES.LDS, channel.listener)?.authority;
  return scope.authorities.find((one) => one.name === name)?.servers ?? [];
}
