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

/** The evaluator of each kind of expectation. */
export type Evaluators = {
  [K in ExpectedFact['kind']]: (
    what: Extract<ExpectedFact, { kind: K }>,
    observation: Observation,
    texts: EvaluationTexts,
  ) => Evaluation;
};

/** The texts of evaluations: for an expectations file, or for conditions on the command line. */
export interface EvaluationTexts {
  absent(key: ResourceKey, expected: string, observation: Observation): Evaluation;
  status(entry: CacheEntry): string;
  version(entry: CacheEntry, match: Match): string;
  noVersion(entry: CacheEntry): string;
  endpoints(counts: EndpointCounts, health: EndpointHealth): string;
  nothingInUse(entry: CacheEntry): string;
  verdict(observation: Observation): string;
  /** Advice for an unexpected verdict. */
  verdictAdvice(observation: Observation): Pick<Evaluation, 'hint' | 'isLost'>;
  /** Advice for an unexpected resource. */
  advice(entry: CacheEntry, observation: Observation): Pick<Evaluation, 'hint' | 'isLost'>;
}

/** Explains an RPC as `explain` does; by default one of an unspecified method. */
export function explained({ scope, channel, nodeId }: InspectedTarget, call: Call = ANY_CALL): ExplainView {
  return explainView(scope, channel, { call, deadlineMs: undefined, rules: 'today', nodeId, random: () => 0 });
}

/** Replaces the flags of `explain` in a hint with the keys of an expectations file. */
export function hintText(hint: string): string {
  return hint.replace(/--(method|default-authority)\b/g, (_, flag: string) => flag.replace('-', '_'));
}

/** `NACKED, INVALID_ARGUMENT: …; version 6 is still used` */
function cacheStatusText({ status, error, resource, version }: CacheEntry): string {
  const why = error === undefined ? '' : `, ${statusName(error.status.code)}: ${error.status.message}`;
  const used = error === undefined || resource === undefined ? '' : `; version ${version} is still used`;
  return `${status}${why}${used}`;
}

/** Lists at most `MAX_ITEMS` items, then the number of the others. */
export function listText<T>(list: readonly T[], toText: (one: T) => string): string {
  const more = list.length > MAX_ITEMS ? ` and ${list.length - MAX_ITEMS} more` : '';
  return `${list.slice(0, MAX_ITEMS).map(toText).join('; ')}${more}`;
}

/** The texts of `check`. */
export const FILE_TEXTS: EvaluationTexts = {
  absent: (key, expected, { scope }) => {
    const known = scope.entries.map(({ typeUrl, name }) => `${shortType(typeUrl)}/${name}`);
    const actual = `not requested: no resource names it${didYouMean(keyText(key), known)}`;
    return { ok: false, expected, actual };
  },
  status: cacheStatusText,
  version: ({ version }, match) => foundText(match, version),
  noVersion: (entry) => `no version is in use: ${cacheStatusText(entry)}`,
  endpoints: (counts, health) => {
    const all = Object.entries(counts).map(([name, number]) => `${number} ${name}`);
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
