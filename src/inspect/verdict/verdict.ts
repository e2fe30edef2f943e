import type { ChannelSnapshot } from '../../engine/follower.js';
import type { ScopeSnapshot } from '../../engine/scope.js';
import type { ShortType } from '../../proto/resource-types.js';
import { clusterFailure } from './cluster-cause.js';
import { clientsText } from './earlier-clients.js';
import type { VerdictFacts } from './facts.js';
import { chainOutcomes } from './filter-chains.js';
import { type ServedListeners, servedListeners } from './no-listener.js';
import { nothingToMatch } from './no-route.js';
import { percentText } from './phrases.js';
import { remarkOf } from './remarks.js';
import { routeOutcomes } from './routes.js';
import { matchesEverything } from './shadowed-routes.js';
import { failedTarget, waitingCause } from './target-cause.js';

/** From best to worst. */
export const VERDICTS = ['ok', 'unknown', 'waiting', 'partly', 'fails'] as const;

/** The outcome of RPCs to a target, in one word. */
export type VerdictWord = (typeof VERDICTS)[number];

export const CAUSE_CODES = [
  'no-listener',
  'virtual-host-mismatch',
  'no-route',
  'rejected',
  'data-error',
  'unreachable',
  'tls',
  'node-refused',
  'silent',
  'not-in-response',
  'deleted',
  'no-usable-endpoint',
  'no-endpoints',
  'missing-leaf',
  'on-fallback',
  'depends-on',
  'kept-old-version',
  'fault',
  'config-tear',
  'unsupported-protocol',
] as const;

export type CauseCode = (typeof CAUSE_CODES)[number];

export interface Cause {
  code: CauseCode;
  /** One sentence without a full stop. It contains names and messages from a control plane: escape them for a terminal. */
  message: string;
  resource: { type: ShortType; name: string } | null;
  /** URI of the xDS server that the cause is about. */
  server: string | null;
  /** One sentence: the action that fixes it. */
  advice: string;
}

/** The outcome of the RPCs that match a route, or of the connections that match a server's filter chain. */
export interface RouteOutcome {
  /** Position in the virtual host or the listener, counted from 0. */
  index: number;
  match: string;
  /** The clusters of weight > 0. */
  clusters: string[];
  /** `never-matches`: no RPC reaches the route, so the verdict ignores it. */
  outcome: 'ok' | 'partly' | 'fails' | 'waiting' | 'never-matches';
  /** Share of its RPCs that fail, from 0 to 1. */
  failingShare: number;
  /** The status of the RPCs that fail. */
  status: { code: string; message: string } | null;
  cause: Cause | null;
}

export interface Verdict {
  target: string;
  verdict: VerdictWord;
  cause: Cause | null;
  routes: RouteOutcome[];
  /** Some RPCs match no route and fail. The verdict ignores them. */
  hasUnmatchedCalls: boolean;
  /** The listeners that the control plane listed because the listener of the target does not exist; null otherwise. */
  listeners: ServedListeners | null;
  /** One sentence: the action that fixes the cause. */
  advice: string | null;
  /** How clients that connected earlier differ from a new one; null if they do not. */
  clients: string | null;
}

/** A verdict without the texts that are derived from it. */
export type BareVerdict = Omit<Verdict, 'advice' | 'clients' | 'listeners'>;

export interface VerdictContext {
  facts: VerdictFacts;
  nodeId: string | undefined;
  now: number;
}

/** A target with the data that its verdict depends on. */
export interface TargetCase extends VerdictContext {
  scope: ScopeSnapshot;
  channel: ChannelSnapshot;
}

/** Computes the verdict of a target from the predicted outcome of every route, without contacting endpoints. */
export function verdictOf(scope: ScopeSnapshot, channel: ChannelSnapshot, context: VerdictContext): Verdict {
  const one: TargetCase = { scope, channel, ...context };
  const result = bareVerdict(one);
  const { cause } = result;
  const listeners = servedListeners(one, cause);
  return { ...result, listeners, advice: cause?.advice ?? null, clients: clientsText(one, result) };
}

function bareVerdict(one: TargetCase): BareVerdict {
  const { target, state } = one.channel;
  const plain = { target, routes: [], hasUnmatchedCalls: false };
  if (state.kind === 'none') return { ...plain, verdict: 'waiting', cause: waitingCause(one) };
  if (state.kind === 'error') return { ...plain, verdict: 'fails', cause: failedTarget(one, state.message) };
  if (state.kind === 'served') {
    const routes = chainOutcomes(one, state.listener);
    return { ...plain, routes, ...summary(one, routes, 'filter chain') };
  }
  const { config } = state;
  const routes = routeOutcomes(config, one.nodeId, (path) => clusterFailure(one, config, path));
  const hasUnmatchedCalls = !config.virtualHost.routes.some(({ match }) => matchesEverything(match));
  return { target, routes, hasUnmatchedCalls, ...summary(one, routes, 'route') };
}

/** The verdict of a target, with the client_scope that it belongs to. */
export interface TargetVerdict extends Verdict {
  scope: string;
}

/** Computes the verdicts of all targets. */
export function verdictsOf(scopes: readonly ScopeSnapshot[], context: VerdictContext): TargetVerdict[] {
  return scopes.flatMap((scope) =>
    scope.channels.map((channel) => ({ scope: scope.scope, ...verdictOf(scope, channel, context) })),
  );
}

/** The verdict of a target whose resource contents CSDS does not show. */
export function unknownVerdict(target: string): Verdict {
  const none = { cause: null, listeners: null, advice: null, clients: null };
  return { target, verdict: 'unknown', routes: [], hasUnmatchedCalls: false, ...none };
}

function summary(
  one: TargetCase,
  routes: readonly RouteOutcome[],
  noun: 'route' | 'filter chain',
): Pick<Verdict, 'verdict' | 'cause'> {
  const counted = routes.filter(({ outcome }) => outcome !== 'never-matches');
  const isAll = (wanted: RouteOutcome['outcome']): boolean => counted.every(({ outcome }) => outcome === wanted);
  if (counted.length === 0) return { verdict: 'fails', cause: nothingToMatch(one, routes, noun) };
  const failing = counted.filter(({ outcome }) => outcome === 'fails');
  const bad = [...failing, ...counted.filter(({ outcome }) => outcome === 'partly')];
  const [first] = bad;
  if (first === undefined) {
    if (isAll('ok')) return { verdict: 'ok', cause: remarkOf(one, routes) };
    return { verdict: 'waiting', cause: waitingCause(one) };
  }
  const verdict = isAll('fails') ? 'fails' : 'partly';
  const causes = new Set(bad.flatMap(({ cause }) => cause?.message ?? []));
  if (first.cause === null || (verdict === 'fails' && causes.size === 1)) return { verdict, cause: first.cause };
  const part = partText(first, failing.length, counted.length, noun);
  const others = causes.size > 1 ? `; ${causes.size - 1} more cause${causes.size > 2 ? 's' : ''}` : '';
  return { verdict, cause: { ...first.cause, message: `${part}${first.cause.message}${others}` } };
}

/** `1 of 3 routes fails: prefix /orders.Admin → `, or `1 % of RPCs on any path fail: ` */
function partText(first: RouteOutcome, bad: number, all: number, noun: string): string {
  if (first.outcome === 'partly') return `${percentText(first.failingShare)} of RPCs on ${first.match} fail: `;
  return `${bad} of ${all} ${noun}${all === 1 ? '' : 's'} ${bad === 1 ? 'fails' : 'fail'}: ${first.match} → `;
}

/** The worst of several; `ok` if there is none. */
export function worst(verdicts: readonly VerdictWord[]): VerdictWord {
  return verdicts.reduce((a, b) => (rank(b) > rank(a) ? b : a), 'ok');
}

/** Sorts the worst first. */
export function byVerdict(a: Pick<Verdict, 'verdict'>, b: Pick<Verdict, 'verdict'>): number {
  return rank(b.verdict) - rank(a.verdict);
}

function rank(verdict: VerdictWord): number {
  return VERDICTS.indexOf(verdict);
}
