import { didYouMean } from '../../base/nearest.js';
import { statusName } from '../../base/status.js';
import type { CacheEntry } from '../../core/resource-cache.js';
import { hasLostAuthority, isLost } from '../../engine/lost.js';
import type { ScopeSnapshot } from '../../engine/scope.js';
import { RESOURCE_TYPES, shortType } from '../../proto/resource-types.js';
import type { Evaluation, Observation } from '../expect/observation.js';
import { isRequested, type Unready } from '../expect/readiness.js';
import { explained, type Wording } from '../expect/wording.js';
import type { ExplainView } from '../explain/explanation.js';
import { lostServer, resourceHints } from '../explain/hints.js';

const MAX_NAMES = 3;

/** For `wait`. */
export const CONDITION_WORDING: Wording = {
  absent: ({ type, name }, expected, { scope }) => {
    const known = scope.entries.flatMap((one) => (one.typeUrl === RESOURCE_TYPES[type] ? [one.name] : []));
    const actual = `no target needs ${type} ${name}${didYouMean(name, known)}`;
    const isWithoutServer = hasLostAuthority(scope);
    return { ok: false, expected, actual, isLost: isWithoutServer, ...hintOf(lostServer(scope)) };
  },
  status: stateText,
  version: ({ version }) => `version ${version}`,
  noVersion: (entry) => `no version in use: ${stateText(entry)}`,
  endpoints: ({ healthy, draining }) =>
    `${healthy} endpoint${healthy === 1 ? '' : 's'}${draining === 0 ? '' : `, ${draining} draining`}`,
  nothingInUse: (entry) => `no endpoints known: ${stateText(entry)}`,
  ready: 'RPCs have somewhere to go',
  unready: (unready, observation) => {
    const { reason, hints } = reasonOf(unready, observation);
    const actual = `${observation.channel.target}: ${reason}`;
    return { actual, isLost: hasLostAuthority(observation.scope), ...hintOf(hints[0]) };
  },
  advice: (entry, { scope, nodeId }) => {
    const authority = scope.authorities.find(({ name }) => name === entry.authority);
    if (authority === undefined) return {};
    const lost = isLost(authority) ? lostServer(scope) : undefined;
    if (lost !== undefined) return { hint: lost, isLost: true };
    // One that is in use needs no advice: a number or a version is awaited.
    return entry.status === 'ACKED' ? {} : hintOf(resourceHints(entry, { scope, nodeId })[0]);
  },
};

function hintOf(hint: string | undefined): Pick<Evaluation, 'hint'> {
  return hint === undefined ? {} : { hint };
}

function reasonOf(unready: Unready, observation: Observation): { reason: string; hints: readonly string[] } {
  const { scope, channel } = observation;
  switch (unready.kind) {
    case 'pending':
      return { reason: `a newer configuration waits for ${awaited(scope)}`, hints: [] };
    case 'no-cluster':
      return { reason: 'no route leads to a cluster', hints: [] };
    case 'no-endpoint':
      return failing(explained({ ...observation, channel: { ...channel, state: { ...unready, kind: 'published' } } }));
    case 'error': {
      const view = explained(observation);
      // A server that has no listener takes no connections, so that there is no status.
      return view.status === null ? { reason: unready.message, hints: view.hints } : failing(view);
    }
    default: {
      const reason = `no whole configuration yet: it waits for ${awaited(scope)}`;
      return { reason, hints: explained(observation).hints };
    }
  }
}

function failing({ status, hints }: ExplainView): { reason: string; hints: readonly string[] } {
  const reason = status === null ? 'RPCs wait' : `an RPC would get ${status.code}: ${status.message}`;
  return { reason, hints };
}

function awaited({ entries }: ScopeSnapshot): string {
  const names = entries.filter(isRequested).map(nameText);
  const more = names.length > MAX_NAMES ? ` and ${names.length - MAX_NAMES} more` : '';
  // Names that DNS has to resolve are no resources.
  return names.length === 0 ? 'the rest of it' : `${names.slice(0, MAX_NAMES).join(', ')}${more}`;
}

function nameText({ typeUrl, name }: CacheEntry): string {
  return `${shortType(typeUrl)} ${name}`;
}

/** `NACKED: INVALID_ARGUMENT: …` */
function stateText({ status, error }: CacheEntry): string {
  return error === undefined ? status : `${status}: ${statusName(error.status.code)}: ${error.status.message}`;
}
