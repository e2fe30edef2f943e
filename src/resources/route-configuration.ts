import type {
  RouteConfiguration,
  Route as RouteMessage,
  VirtualHost as VirtualHostMessage,
} from '../proto/generated/envoy.config.route.v3.js';
import type { Json } from '../proto/json/well-known.js';
import { type Plugins, readPlugins } from './cluster-specifier-plugins.js';
import type { ResourceContext } from './context.js';
import { type FilterOverrides, readFilterOverrides } from './filter-overrides.js';
import { Judgement } from './judgement.js';
import { type RetryPolicy, readRetryPolicy } from './retry-policy.js';
import { type RouteAction, readRouteAction } from './route-action.js';
import { type RouteMatch, readRouteMatch } from './route-match.js';
import type { Verdict } from './verdict.js';

/** Routes as gRPC uses them. */
export interface RouteConfigResource {
  virtualHosts: VirtualHost[];
  /** LB policies that routes name in place of a cluster; those that no route names are left out. */
  plugins: ReadonlyMap<string, { [policy: string]: Json }>;
}

interface VirtualHost {
  aside: { name: string };
  domains: readonly string[];
  routes: Route[];
  overrides: FilterOverrides;
}

interface Route {
  /** `index` is where it stands in the virtual host, counting those that gRPC passes over. */
  aside: { index: number; name: string };
  match: RouteMatch;
  /** RPCs that match a route without a usable action fail. */
  action: RouteAction | { kind: 'non-forwarding' } | { kind: 'unknown'; field: string };
  overrides: FilterOverrides;
}

/** Judges a RouteConfiguration as C-core does. */
export function judgeRoutes(message: RouteConfiguration, context: ResourceContext): Verdict<RouteConfigResource> {
  const j = new Judgement(context);
  return j.verdict(message.name, 'errors validating RouteConfiguration resource', readRouteConfiguration(message, j));
}

/** Also for routes that stand inside a listener. */
export function readRouteConfiguration(message: RouteConfiguration, j: Judgement): RouteConfigResource {
  const plugins: Plugins = j.context.switches.rlsLb
    ? readPlugins(message.clusterSpecifierPlugins, j)
    : { policies: new Map(), unsupported: new Set() };
  const virtualHosts = message.virtualHosts.map((host, i) =>
    j.item('virtual_hosts', i, () => readVirtualHost(host, plugins, j)),
  );
  return { virtualHosts, plugins: usedPlugins(virtualHosts, plugins) };
}

function usedPlugins(virtualHosts: VirtualHost[], { policies }: Plugins): RouteConfigResource['plugins'] {
  const used = new Map<string, { [policy: string]: Json }>();
  for (const { action } of virtualHosts.flatMap(({ routes }) => routes)) {
    if (action.kind !== 'route' || action.destination.kind !== 'plugin') continue;
    const policy = policies.get(action.destination.name);
    if (policy !== undefined) used.set(action.destination.name, policy);
  }
  return used;
}

function readVirtualHost(message: VirtualHostMessage, plugins: Plugins, j: Judgement): VirtualHost {
  const { name, domains, retryPolicy: retry } = message;
  for (const [i, domain] of domains.entries()) {
    if (!isDomainPattern(domain)) j.item('domains', i, () => j.refuse(`invalid domain pattern "${domain}"`));
  }
  if (domains.length === 0) j.refuseField('domains', 'must be non-empty');
  const overrides = readFilterOverrides(message.typedPerFilterConfig, j);
  const retryPolicy = retry && j.field('retry_policy', () => readRetryPolicy(retry, j));
  const routes = message.routes
    .map((route, i) => j.item('routes', i, () => j.part('route', () => readRoute(route, i, retryPolicy, plugins, j))))
    .filter((route) => route !== undefined);
  return { aside: { name }, domains, routes, overrides };
}

/** A star may only come first or last; more than one pass. */
function isDomainPattern(domain: string): boolean {
  return domain !== '' && (!domain.includes('*') || domain.startsWith('*') || domain.endsWith('*'));
}

function readRoute(
  message: RouteMessage,
  index: number,
  hostRetryPolicy: RetryPolicy | undefined,
  plugins: Plugins,
  j: Judgement,
): Route | undefined {
  const match = j.field('match', () =>
    message.match === undefined ? j.refuse('field not present') : readRouteMatch(message.match, j),
  );
  if (match === undefined) return undefined;
  const action = readAction(message, hostRetryPolicy, plugins, j);
  if (action === undefined) return undefined;
  const overrides = readFilterOverrides(message.typedPerFilterConfig, j);
  return { aside: { index, name: message.name }, match, action, overrides };
}

const OTHER_ACTIONS = { redirect: 'redirect', directResponse: 'direct_response', filterAction: 'filter_action' };

function readAction(
  { action }: RouteMessage,
  hostRetryPolicy: RetryPolicy | undefined,
  plugins: Plugins,
  j: Judgement,
): Route['action'] | undefined {
  switch (action?.kind) {
    case 'route': {
      const read = j.field('route', () => readRouteAction(action.value, plugins, j));
      return read && { ...read, retryPolicy: read.retryPolicy ?? hostRetryPolicy };
    }
    case 'nonForwardingAction':
      return { kind: 'non-forwarding' };
    default:
      return { kind: 'unknown', field: action === undefined ? '' : OTHER_ACTIONS[action.kind] };
  }
}
