import { type Status, statusCode } from '../../base/status.js';
import { findVirtualHost } from '../../deps/virtual-host.js';
import type { FilterChain } from '../../resources/filter-chain.js';
import type { FilterConfig } from '../../resources/filters/http-filter.js';
import type { ConnectionManager } from '../../resources/http-connection-manager.js';
import type { ListenerResource } from '../../resources/listener.js';
import type { RouteConfigResource } from '../../resources/route-configuration.js';
import { findRoute } from '../match.js';
import type { IncomingCall } from './incoming-call.js';
import { evaluateRbac } from './rbac.js';

type VirtualHost = RouteConfigResource['virtualHosts'][number];
type Route = VirtualHost['routes'][number];

/** The outcome of a call before it reaches the application. */
type ServedOutcome =
  | { kind: 'accepts' }
  | { kind: 'fails'; status: Status; by: 'routes' | 'filter' | 'resource' }
  /** The outcome depends on the caller. */
  | { kind: 'depends'; on: readonly string[] };

/** A call over a connection of one filter chain (A36). */
export interface ServedPrediction {
  chain: FilterChain;
  isDefault: boolean;
  /** '' if the listener contains the routes. */
  routeConfigName: string;
  virtualHost: VirtualHost | undefined;
  route: Route | undefined;
  /** The filter that rejects the call, or may reject it. */
  filter: string | undefined;
  outcome: ServedOutcome;
}

type ServerListener = Extract<ListenerResource, { kind: 'server' }>;
/** A route configuration by name, or the error of the resource. */
type RoutesByName = (name: string) => RouteConfigResource | { error: string };

/** One prediction per filter chain, since the connection selects the chain. */
export function predictServed(listener: ServerListener, routes: RoutesByName, call: IncomingCall): ServedPrediction[] {
  const { filterChains, defaultFilterChain } = listener;
  const all = filterChains.map((chain) => ({ chain, isDefault: false }));
  if (defaultFilterChain !== undefined) all.push({ chain: defaultFilterChain, isDefault: true });
  return all.map(({ chain, isDefault }) => ({ chain, isDefault, ...predictInChain(chain, routes, call) }));
}

function predictInChain(
  chain: FilterChain,
  routesByName: RoutesByName,
  call: IncomingCall,
): Omit<ServedPrediction, 'chain' | 'isDefault'> {
  const manager = chain.connectionManager;
  const routes = manager?.routes;
  const unmatched = { routeConfigName: '', virtualHost: undefined, route: undefined, filter: undefined };
  if (manager === undefined || routes === undefined)
    return { ...unmatched, outcome: rejectedByRoutes('no route matched') };
  const routeConfigName = routes.kind === 'rds' ? routes.name : '';
  const config = routes.kind === 'rds' ? routesByName(routes.name) : routes.config;
  if ('error' in config) {
    const status = { code: statusCode('UNAVAILABLE'), message: `RDS resource ${routeConfigName}: ${config.error}` };
    return { ...unmatched, routeConfigName, outcome: { kind: 'fails', status, by: 'resource' } };
  }
  const virtualHost = findVirtualHost(config, call.authority);
  if (virtualHost === undefined) {
    const outcome = rejectedByRoutes(`could not find VirtualHost for ${call.authority} in RouteConfiguration`);
    return { ...unmatched, routeConfigName, outcome };
  }
  const route = findRoute(virtualHost, call, () => 0);
  const matched = { ...unmatched, routeConfigName, virtualHost, route };
  if (route === undefined) return { ...matched, outcome: rejectedByRoutes('no route matched') };
  if (route.action.kind !== 'non-forwarding')
    return { ...matched, outcome: rejectedByRoutes('matching route has unsupported action') };
  return { ...matched, ...filterOutcome(manager, virtualHost, route, call, chain.tls !== undefined) };
}

/** The first filter that rejects the call decides, even if a filter before it only may reject it. */
function filterOutcome(
  { filters }: ConnectionManager,
  virtualHost: VirtualHost,
  route: Route,
  call: IncomingCall,
  isSecure: boolean,
): Pick<ServedPrediction, 'filter' | 'outcome'> {
  let undecided: Pick<ServedPrediction, 'filter' | 'outcome'> | undefined;
  for (const { name, disabled, config } of filters) {
    const override = route.overrides.get(name) ?? virtualHost.overrides.get(name);
    const outcome = outcomeOf(override ?? (disabled ? undefined : config), call, isSecure);
    if (outcome.kind === 'fails') return { filter: name, outcome };
    if (outcome.kind === 'depends') undecided ??= { filter: name, outcome };
  }
  return undecided ?? { filter: undefined, outcome: { kind: 'accepts' } };
}

function outcomeOf(config: FilterConfig | undefined, call: IncomingCall, isSecure: boolean): ServedOutcome {
  if (config?.kind === 'composite') return { kind: 'depends', on: ['the filter that the composite filter selects'] };
  if (config?.kind !== 'rbac' || config.rbac === undefined) return { kind: 'accepts' };
  const decision = evaluateRbac(config.rbac, call, isSecure);
  if (decision.kind === 'allowed') return { kind: 'accepts' };
  if (decision.kind === 'depends') return { kind: 'depends', on: decision.on };
  const status = { code: statusCode('PERMISSION_DENIED'), message: 'Unauthorized RPC rejected' };
  return { kind: 'fails', status, by: 'filter' };
}

/** C-core puts the code before the message of a routing failure. */
function rejectedByRoutes(message: string): ServedOutcome {
  return {
    kind: 'fails',
    status: { code: statusCode('UNAVAILABLE'), message: `UNAVAILABLE:${message}` },
    by: 'routes',
  };
}
