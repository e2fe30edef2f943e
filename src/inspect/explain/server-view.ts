import { statusName } from '../../base/status.js';
import type { CacheEntry } from '../../core/resource-cache.js';
import type { ChannelSnapshot } from '../../engine/follower.js';
import type { ScopeSnapshot } from '../../engine/scope.js';
import { parseIpAddress } from '../../resources/common/ip-address.js';
import { matchText as chainMatchText } from '../../resources/filter-chain.js';
import { matchText } from '../../resources/match-text.js';
import type { IncomingCall } from '../../routing/server/incoming-call.js';
import { predictServed, type ServedPrediction } from '../../routing/server/predict.js';
import type { EntryOf, ExplainOptions, ExplainStep, ExplainView, ServedChain } from './explanation.js';
import { blockedView, entriesOf, entryStep, fallbackView } from './steps.js';

/** Explains the outcome of an RPC that reaches a server. Filter chains, routes and RBAC decide it (A36, A41). */
export function serverView(scope: ScopeSnapshot, channel: ChannelSnapshot, options: ExplainOptions): ExplainView {
  const entryOf = entriesOf(scope);
  const call = incoming(channel.target, options);
  const chains = chainsOf(channel, entryOf, call, options.nodeId).map((one) => chainView(one, entryOf));
  const listener = entryOf('LDS', channel.listener);
  const blocked = listener?.resource === undefined ? listener : undefined;
  const outcome = outcomeOf(channel, chains);
  return {
    scope: scope.scope,
    target: channel.target,
    method: call.path,
    outcome,
    status: servedStatus(chains, outcome),
    blockedBy: blocked === undefined ? null : blockedView(blocked),
    route: null,
    timeout: null,
    retries: null,
    delay: null,
    authority: { value: call.authority, rewrittenTo: [] },
    maxConcurrentRequests: null,
    fallback: fallbackView(scope),
    paths: [],
    hash: null,
    addresses: [],
    chains,
    steps: listenerSteps(channel, listener),
    hints: hintsOf(channel, chains),
  };
}

const ANYWHERE: ReadonlySet<string> = new Set(['0.0.0.0', '[::]', '::']);

/** Builds the incoming RPC. For `#server:0.0.0.0:8080` the local address is unknown. */
function incoming(target: string, { call, serverAuthority }: ExplainOptions): IncomingCall {
  const address = target.slice(target.indexOf(':') + 1);
  const colon = address.lastIndexOf(':');
  const isAnywhere = ANYWHERE.has(address.slice(0, colon));
  return {
    ...call,
    authority: serverAuthority ?? address,
    local: {
      address: isAnywhere ? undefined : parseIpAddress(address, new Map()),
      port: Number(address.slice(colon + 1)),
    },
  };
}

function chainsOf(
  { state }: ChannelSnapshot,
  entryOf: EntryOf,
  call: IncomingCall,
  nodeId: string | undefined,
): ServedPrediction[] {
  if (state.kind !== 'served' || state.listener.kind !== 'server') return [];
  const node = nodeId === undefined ? '' : ` (node ID:${nodeId})`;
  return predictServed(
    state.listener,
    (name) => {
      const entry = entryOf('RDS', name);
      if (entry?.resource?.type === 'RDS') return entry.resource.value;
      return { error: `${entry?.error?.status.message ?? 'not received yet'}${node}` };
    },
    call,
  );
}

function listenerSteps({ listener, state }: ChannelSnapshot, entry: CacheEntry | undefined): ExplainStep[] {
  const steps = [entryStep(`listener ${listener}`, entry)];
  if (state.kind === 'error') steps.push({ what: 'the server is not serving', detail: state.message, isBad: true });
  return steps;
}

function chainView(prediction: ServedPrediction, entryOf: EntryOf): ServedChain {
  const { chain, isDefault, outcome } = prediction;
  const match = chainMatchText(chain.match);
  return {
    match: isDefault ? 'any other connection' : match === '{}' ? 'any connection' : match,
    outcome: outcome.kind === 'accepts' ? 'ok' : outcome.kind,
    status:
      outcome.kind === 'fails' ? { code: statusName(outcome.status.code), message: outcome.status.message } : null,
    dependsOn: outcome.kind === 'depends' ? [...outcome.on] : [],
    steps: stepsOf(prediction, entryOf),
  };
}

function stepsOf(prediction: ServedPrediction, entryOf: EntryOf): ExplainStep[] {
  const { routeConfigName, virtualHost, route, filter, outcome } = prediction;
  const steps: ExplainStep[] = [];
  const fails = outcome.kind === 'fails';
  if (routeConfigName !== '') steps.push(entryStep(`routes ${routeConfigName}`, entryOf('RDS', routeConfigName)));
  if (virtualHost === undefined) {
    if (fails && outcome.by === 'routes')
      steps.push({ what: 'no virtual host', detail: outcome.status.message, isBad: true });
    return steps;
  }
  steps.push({ what: `virtual host ${virtualHost.domains.join(', ')}`, detail: '', isBad: false });
  const all = virtualHost.routes.length;
  if (route === undefined)
    return [...steps, { what: 'no route', detail: `none of ${all} matches the RPC`, isBad: true }];
  const isBad = fails && outcome.by === 'routes';
  steps.push({
    what: 'route',
    detail: matchText(route.match),
    isBad,
    place: { index: route.displayOnly.index, of: all },
  });
  if (filter === undefined) return steps;
  const detail = fails ? 'rejects the RPC' : 'accepts or rejects the RPC depending on the caller';
  return [...steps, { what: `filter ${filter}`, detail, isBad: fails }];
}

function outcomeOf({ state }: ChannelSnapshot, chains: readonly ServedChain[]): ExplainView['outcome'] {
  if (state.kind === 'error') return 'fails';
  if (state.kind !== 'served') return 'waits';
  const outcomes = new Set(chains.map(({ outcome }) => outcome));
  if (outcomes.size === 0) return 'fails';
  const [only] = outcomes;
  return outcomes.size > 1 || only === undefined || only === 'depends' ? 'unknown' : only;
}

/** The status of the RPC; null if filter chains disagree, or if the server accepts no connections. */
function servedStatus(chains: readonly ServedChain[], outcome: ExplainView['outcome']): ExplainView['status'] {
  if (outcome === 'ok') return { code: 'OK', message: '' };
  if (outcome !== 'fails') return null;
  return chains[0]?.status ?? null;
}

function hintsOf({ state }: ChannelSnapshot, chains: readonly ServedChain[]): string[] {
  if (state.kind === 'error')
    return ['The server is not serving: it accepts no connections until its listener is valid.'];
  const depends = [...new Set(chains.flatMap(({ dependsOn }) => dependsOn))];
  if (depends.length > 0) return [`The outcome depends on ${depends.join('; ')}.`];
  if (chains.some(({ status }) => status?.message.endsWith('matching route has unsupported action')))
    return ['Routes of a server need non_forwarding_action: gRPC servers do not forward RPCs.'];
  if (chains.some(({ status }) => status?.code === 'PERMISSION_DENIED'))
    return ['The RBAC filter rejects this RPC from every caller.'];
  return [];
}
