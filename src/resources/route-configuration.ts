import type {
  RouteConfiguration,
  Route as RouteMessage,
  VirtualHost as VirtualHostMessage,
} from '../proto/generated/envoy.config.route.v3.js';
import type { Json } from '../proto/json/well-known.js';
import { type Plugins, readPlugins } from './cluster-specifier-plugins.js';
import type { ResourceContext } from './context.js';
import { type FilterOverrides, readFilterOverrides } from './filter-overrides.js';
import { type RetryPolicy, readRetryPolicy } from './retry-policy.js';
import { type RouteAction, readRouteAction } from './route-action.js';
import { type RouteMatch, readRouteMatch } from './route-match.js';
import { SharedActions } from './shared-actions.js';
import { Validation } from './validation.js';
import type { ValidationResult } from './validation-result.js';

/** Routes as gRPC uses them. */
export interface RouteConfigResource {
  virtualHosts: VirtualHost[];
  /** LB policies of the cluster specifier plugins that routes use, by plugin name. */
  plugins: ReadonlyMap<string, { [policy: string]: Json }>;
}

interface VirtualHost {
  displayOnly: { name: string };
  domains: readonly string[];
  routes: Route[];
  overrides: FilterOverrides;
}

interface Route {
  /** `index` is the position in the virtual host, including routes that gRPC ignores. */
  displayOnly: { index: number; name: string };
  match: RouteMatch;
  /** RPCs fail if they match a route without a supported action. */
  action: RouteAction | { kind: 'non-forwarding' } | { kind: 'unknown'; field: string };
  overrides: FilterOverrides;
}

/** Validates a RouteConfiguration as C-core does. */
export function validateRouteConfiguration(
  message: RouteConfiguration,
  context: ResourceContext,
): ValidationResult<RouteConfigResource> {
  const validation = new Validation(context);
  return validation.result(
    message.name,
    'errors validating RouteConfiguration resource',
    readRouteConfiguration(message, validation),
  );
}

/** Reads a route configuration, of an RDS resource or inline in a listener. */
export function readRouteConfiguration(message: RouteConfiguration, validation: Validation): RouteConfigResource {
  const plugins: Plugins = validation.context.switches.rlsLb
    ? readPlugins(message.clusterSpecifierPlugins, validation)
    : { policies: new Map(), unsupported: new Set() };
  const shared = { plugins, actions: new SharedActions() };
  const virtualHosts = validation.items('virtual_hosts', message.virtualHosts, (host) =>
    readVirtualHost(host, shared, validation),
  );
  return { virtualHosts, plugins: usedPlugins(virtualHosts, plugins) };
}

function usedPlugins(virtualHosts: VirtualHost[], { policies }: Plugins): RouteConfigResource['plugins'] {
  const used = new Map<string, { [policy: string]: Json }>();
  if (policies.size === 0) return used;
  for (const { routes } of virtualHosts) {
    for (const { action } of routes) {
      if (action.kind !== 'route' || action.destination.kind !== 'plugin') continue;
      const policy = policies.get(action.destination.name);
      if (policy !== undefined) used.set(action.destination.name, policy);
    }
  }
  return used;
}

/** Shared by all routes of a configuration. */
interface Shared {
  plugins: Plugins;
  actions: SharedActions;
}

function readVirtualHost(message: VirtualHostMessage, shared: Shared, validation: Validation): VirtualHost {
  const { name, domains, retryPolicy: retry } = message;
  for (const [i, domain] of domains.entries()) {
    if (!validation.hasRoom()) break;
    if (!isDomainPattern(domain))
      validation.item('domains', i, () => validation.addError(`invalid domain pattern "${domain}"`));
  }
  if (domains.length === 0) validation.addFieldError('domains', 'must be non-empty');
  const overrides = readFilterOverrides(message.typedPerFilterConfig, validation);
  const retryPolicy = retry && validation.field('retry_policy', () => readRetryPolicy(retry, validation));
  const routes = validation.items('routes', message.routes, (route, i) =>
    validation.part('route', () => readRoute(route, i, retryPolicy, shared, validation)),
  );
  return { displayOnly: { name }, domains, routes, overrides };
}

/**
 * Whether C-core accepts the domain: it must begin or end with a star if it contains one. More than one star is
 * accepted.
 */
function isDomainPattern(domain: string): boolean {
  return domain !== '' && (!domain.includes('*') || domain.startsWith('*') || domain.endsWith('*'));
}

function readRoute(
  message: RouteMessage,
  index: number,
  hostRetryPolicy: RetryPolicy | undefined,
  shared: Shared,
  validation: Validation,
): Route | undefined {
  const match = validation.field('match', () =>
    message.match === undefined ? validation.addError('field not present') : readRouteMatch(message.match, validation),
  );
  if (match === undefined) return undefined;
  const action = readAction(message, hostRetryPolicy, shared, validation);
  if (action === undefined) return undefined;
  const overrides = readFilterOverrides(message.typedPerFilterConfig, validation);
  return { displayOnly: { index, name: message.name }, match, action, overrides };
}

const NON_FORWARDING = { kind: 'non-forwarding' } as const;
const OTHER_ACTIONS = { redirect: 'redirect', directResponse: 'direct_response', filterAction: 'filter_action' };

function readAction(
  { action }: RouteMessage,
  hostRetryPolicy: RetryPolicy | undefined,
  { plugins, actions }: Shared,
  validation: Validation,
): Route['action'] | undefined {
  switch (action?.kind) {
    case 'route': {
      const read = validation.field('route', () => readRouteAction(action.value, hostRetryPolicy, plugins, validation));
      return read && actions.share(read);
    }
    case 'nonForwardingAction':
      return NON_FORWARDING;
    default:
      return { kind: 'unknown', field: action === undefined ? '' : OTHER_ACTIONS[action.kind] };
  }
}
