import { countText } from '../base/count-text.js';
import { statusName } from '../base/status.js';
import { serverAddress } from '../bootstrap/target.js';
import { statusTexts } from '../core/status-texts/index.js';
import type { ConfigState, XdsConfig } from '../deps/config.js';
import type { ChannelSnapshot } from '../engine/follower.js';
import { percentText } from '../inspect/verdict/phrases.js';
import { statusMeaning } from '../inspect/verdict/status-meaning.js';
import type { RouteOutcome, Verdict } from '../inspect/verdict/verdict.js';
import { usableCount } from '../routing/lb/usable-endpoints.js';

/** At most this many matches or clusters are named. */
const MAX_NAMED = 2;

/** Routes with the same outcome. */
interface OutcomeGroup {
  /** `OK`, `UNAVAILABLE`, `queued` */
  word: string;
  message: string;
  routes: RouteOutcome[];
}

/** The outcome of RPCs in one line: `OK on 2 routes (orders-v1: 5 endpoints) · UNAVAILABLE on prefix /orders.Admin`. */
export function rpcsText(verdict: Verdict, { state, target }: ChannelSnapshot): string {
  const isServer = serverAddress(target) !== undefined;
  if (state.kind === 'none') {
    const until = 'until the configuration is complete';
    return isServer ? `refused ${until}` : `queued ${until}, or until their deadline`;
  }
  // A server without a configuration does not serve (A36).
  if (isServer && state.kind === 'error') return 'refused: the gRPC server is not serving';
  if (state.kind === 'error') return targetText(state);
  const counted = verdict.routes.filter(({ outcome }) => outcome !== 'never-matches');
  if (counted.length === 0) return isServer || state.kind !== 'published' ? 'refused' : noRouteText(state.config);
  const groups = groupsOf(counted, isServer);
  const config = state.kind === 'published' ? state.config : undefined;
  const noun = isServer ? 'filter chain' : 'route';
  const parts = groups.map((group) => groupText(group, groups.length === 1, noun, config));
  const unmatched = verdict.hasUnmatchedCalls && parts.length > 0 ? [UNMATCHED] : [];
  const isAnyOk = counted.some(({ outcome }) => outcome === 'ok');
  return [...parts, ...unmatched, ...(isAnyOk ? [isServer ? NOT_FILTERED : NOT_CONTACTED] : [])].join(' · ');
}

/** The prediction does not include connections to endpoints. */
const NOT_CONTACTED = 'endpoints are not contacted';
/** RBAC decides for each call (A41). */
const NOT_FILTERED = 'filters such as RBAC decide for each call: explain --method predicts one';
const UNMATCHED = 'UNAVAILABLE for calls that match no route';

/** The status does not name the node, which the first lines do. */
function targetText({ message, statusTexts: texts, previous, isQueued }: ConfigState & { kind: 'error' }): string {
  if (isQueued) return 'queued until their deadline';
  const status = statusTexts(texts).targetStatus(message, { nodeId: undefined, previous });
  return `${statusName(status.code)} (${shortMessage(status.message)})`;
}

function noRouteText(config: XdsConfig): string {
  const { code, message } = statusTexts(config.statusTexts).noRoute('/', undefined);
  return `${statusName(code)} (${shortMessage(message)})`;
}

function groupsOf(routes: readonly RouteOutcome[], isServer: boolean): OutcomeGroup[] {
  const groups = new Map<string, OutcomeGroup>();
  for (const route of routes) {
    const word = outcomeWord(route, isServer);
    const message = route.status?.message ?? '';
    const key = `${word} ${message}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { word, message, routes: [route] });
    else group.routes.push(route);
  }
  return [...groups.values()].sort((a, b) => Number(b.word === 'OK') - Number(a.word === 'OK'));
}

function outcomeWord({ outcome, status, failingShare }: RouteOutcome, isServer: boolean): string {
  if (outcome === 'ok') return isServer ? 'accepted' : 'OK';
  if (outcome === 'waiting') return 'queued';
  const code = status?.code ?? (isServer ? 'refused' : 'UNAVAILABLE');
  return outcome === 'partly' ? `${code} for ${percentText(failingShare)} of the calls, OK for the others` : code;
}

function groupText(
  { word, message, routes }: OutcomeGroup,
  isAll: boolean,
  noun: string,
  config: XdsConfig | undefined,
): string {
  const where = whereText(routes, isAll, word === 'OK', noun);
  const clusters = word === 'OK' && config !== undefined ? endpointCounts(routes, config) : '';
  const detail = message === '' ? clusters : shortMessage(message);
  return `${word}${where === '' ? '' : ` on ${where}`}${detail === '' ? '' : ` (${detail})`}`;
}

/** Names a few failing routes by their match; counts other routes. */
function whereText(routes: readonly RouteOutcome[], isAll: boolean, isOk: boolean, noun: string): string {
  if (isAll) return routes.length === 1 ? '' : `all ${countText(routes.length, noun)}`;
  const isCounted = isOk || routes.length > MAX_NAMED;
  return isCounted ? countText(routes.length, noun) : routes.map(({ match }) => match).join('; ');
}

/** `orders-v1: 5 endpoints` */
function endpointCounts(routes: readonly RouteOutcome[], { clusters }: XdsConfig): string {
  const names = [...new Set(routes.flatMap((route) => route.clusters))];
  if (names.length > MAX_NAMED) return countText(names.length, 'cluster');
  return names.map((name) => `${name}: ${countText(usableEndpoints(name, clusters), 'endpoint')}`).join(', ');
}

function usableEndpoints(name: string, clusters: XdsConfig['clusters']): number {
  const cluster = clusters.get(name);
  if (cluster?.kind === 'aggregate') {
    return cluster.leaves.reduce((sum, leaf) => sum + usableEndpoints(leaf, clusters), 0);
  }
  const localities = cluster?.kind === 'endpoints' ? (cluster.endpoints.endpoints?.priorities.flat() ?? []) : [];
  return localities.reduce((sum, { endpoints }) => sum + usableCount(endpoints), 0);
}

/** gRPC's message with its meaning. The notes after it are omitted, since they repeat the cause. */
export function shortMessage(message: string): string {
  const meaning = statusMeaning(message);
  const short = message.replace(/ \(.*$/s, '').replace(/^((?:CDS|EDS) resource [^:]*): .*$/s, '$1');
  return meaning === undefined ? short : `${short}: ${meaning}`;
}
