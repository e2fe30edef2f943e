import { didYouMean } from '../../base/nearest.js';
import { statusName } from '../../base/status.js';
import type { CacheEntry } from '../../core/resource-cache.js';
import { hasLostAuthority, isLost } from '../../engine/lost-servers.js';
import { RESOURCE_TYPES } from '../../proto/resource-types.js';
import type { EvaluationTexts } from '../expect/evaluation-texts.js';
import type { Evaluation } from '../expect/observation.js';
import { lostAdvice, resourceHints } from '../explain/hints.js';

/** The texts of `wait`. */
export const CONDITION_TEXTS: EvaluationTexts = {
  absent: ({ type, name }, expected, { scope, nodeId }) => {
    const known = scope.entries.flatMap((one) => (one.typeUrl === RESOURCE_TYPES[type] ? [one.name] : []));
    const actual = `no target needs ${type} ${name}${didYouMean(name, known)}`;
    const isWithoutServer = hasLostAuthority(scope);
    return { ok: false, expected, actual, isLost: isWithoutServer, ...hintOf(lostAdvice({ scope, nodeId })) };
  },
  status: cacheStatusText,
  version: ({ version }) => `version ${version}`,
  noVersion: (entry) => `no version in use: ${cacheStatusText(entry)}`,
  endpoints: ({ healthy, draining }) =>
    `${healthy} endpoint${healthy === 1 ? '' : 's'}${draining === 0 ? '' : `, ${draining} draining`}`,
  nothingInUse: (entry) => `no endpoints known: ${cacheStatusText(entry)}`,
  verdict: ({ channel: { target }, verdict: { verdict } }) =>
    verdict === 'ok' ? 'verdict ok' : `${target}: verdict ${verdict}`,
  verdictAdvice: ({ scope, verdict: { advice } }) => ({
    isLost: hasLostAuthority(scope),
    ...hintOf(advice ?? undefined),
  }),
  advice: (entry, { scope, nodeId }) => {
    const authority = scope.authorities.find(({ name }) => name === entry.authority);
    if (authority === undefined) return {};
    const lost = isLost(authority) ? lostAdvice({ scope, nodeId }) : undefined;
    if (lost !== undefined) return { hint: lost, isLost: true };
    // An ACKED resource needs no advice: the condition waits for a count or a version.
    return entry.status === 'ACKED' ? {} : hintOf(resourceHints(entry, { scope, nodeId })[0]);
  },
};

function hintOf(hint: string | undefined): Pick<Evaluation, 'hint'> {
  return hint === undefined ? {} : { hint };
}

/** `NACKED: INVALID_ARGUMENT: …` */
function cacheStatusText({ status, error }: CacheEntry): string {
  return error === undefined ? status : `${status}: ${statusName(error.status.code)}: ${error.status.message}`;
}
