import { didYouMean } from '../../base/nearest.js';
import { statusName } from '../../base/status.js';
import type { CacheEntry } from '../../core/resource-cache.js';
import { shortType } from '../../proto/resource-types.js';
import type { Call } from '../../routing/match.js';
import { explainView } from '../explain/explain.js';
import type { ExplainView } from '../explain/explanation.js';
import type { InspectedTarget } from '../inspection-result.js';
import { ANY_CALL } from '../single-route.js';
import type { EndpointCounts } from './endpoint-counts.js';
import { keyText } from './expectation-name.js';
import type { EndpointHealth, ExpectedFact, Match, ResourceKey } from './expectations.js';
import { foundText } from './match.js';
import type { Evaluation, Observation } from './observation.js';

const MAX_ITEMS = 5;

/** How each kind of expectation is evaluated. */
export type Evaluators = {
  [K in ExpectedFact['kind']]: (
    what: Extract<ExpectedFact, { kind: K }>,
    observation: Observation,
    texts: EvaluationTexts,
  ) => Evaluation;
};

/** How evaluations read: those of an expectations file, or those of conditions on a command line. */
export interface EvaluationTexts {
  absent(key: ResourceKey, expected: string, observation: Observation): Evaluation;
  status(entry: CacheEntry): string;
  version(entry: CacheEntry, match: Match): string;
  noVersion(entry: CacheEntry): string;
  endpoints(counts: EndpointCounts, health: EndpointHealth): string;
  nothingInUse(entry: CacheEntry): string;
  verdict(observation: Observation): string;
  /** What to do about a verdict that is not as expected. */
  verdictAdvice(observation: Observation): Pick<Evaluation, 'hint' | 'isLost'>;
  /** What to do about a resource that is not as expected. */
  advice(entry: CacheEntry, observation: Observation): Pick<Evaluation, 'hint' | 'isLost'>;
}

/** An RPC, of any method unless one is given, as `explain` shows it. */
export function explained({ scope, channel, nodeId }: InspectedTarget, call: Call = ANY_CALL): ExplainView {
  return explainView(scope, channel, { call, deadlineMs: undefined, rules: 'today', nodeId, random: () => 0 });
}

/** `explain` speaks of its flags; in a file these are keys. */
export function hintText(hint: string): string {
  return hint.replace(/--(method|default-authority)\b/g, (_, flag: string) => flag.replace('-', '_'));
}

/** `NACKED, INVALID_ARGUMENT: …; version 6 is still used` */
function cacheStatusText({ status, error, resource, version }: CacheEntry): string {
  const why = error === undefined ? '' : `, ${statusName(error.status.code)}: ${error.status.message}`;
  const used = error === undefined || resource === undefined ? '' : `; version ${version} is still used`;
  return `${status}${why}${used}`;
}

/** At most five of them, and how many more there are. */
export function listText<T>(list: readonly T[], toText: (one: T) => string): string {
  const more = list.length > MAX_ITEMS ? ` and ${list.length - MAX_ITEMS} more` : '';
  return `${list.slice(0, MAX_ITEMS).map(toText).join('; ')}${more}`;
}

/** For `check`. */
export const FILE_TEXTS: EvaluationTexts = {
  absent: (key, expected, { scope }) => {
    const known = scope.entries.map(({ typeUrl, name }) => `${shortType(typeUrl)}/${name}`);
    const actual = `nothing leads to it, so that it is not asked for${didYouMean(keyText(key), known)}`;
    return { ok: false, expected, actual };
  },
  status: cacheStatusText,
  version: ({ version }, match) => foundText(match, version),
  noVersion: (entry) => `none is in use: ${cacheStatusText(entry)}`,
  endpoints: (counts, health) => {
    const all = Object.entries(counts).map(([name, number]) => `${number} ${name === 'total' ? 'in all' : name}`);
    return `${counts[health]} (${all.join(', ')})`;
  },
  nothingInUse: (entry) => `no version is in use: ${cacheStatusText(entry)}`,
  verdict: ({ verdict }) => verdict.verdict,
  verdictAdvice: (observation) => {
    const { verdict, advice } = observation.verdict;
    if (verdict !== 'ok' && advice !== null) return { hint: hintText(advice) };
    return { hint: `If this is expected, write verdict: ${verdict}.` };
  },
  advice: () => ({}),
};
