import { RESOURCE_TYPES } from '../../proto/resource-types.js';
import { type FilterChain, matchText } from '../../resources/filter-chain.js';
import type { ListenerResource } from '../../resources/listener.js';
import type { RouteConfigResource } from '../../resources/route-configuration.js';
import { resourceCause } from './resource-cause.js';
import type { Cause, RouteOutcome, TargetCase } from './verdict.js';

/** Returns which filter chains of a server can accept RPCs (A36): a chain needs a route with non_forwarding_action. */
export function chainOutcomes(one: TargetCase, listener: ListenerResource): RouteOutcome[] {
  if (listener.kind !== 'server') return [];
  const { filterChains, defaultFilterChain } = listener;
  const chains = filterChains.map((chain) => ({ chain, match: chainText(chain) }));
  if (defaultFilterChain !== undefined) chains.push({ chain: defaultFilterChain, match: 'any other connection' });
  return chains.map(({ chain, match }, index) => {
    const cause = chainProblem(one, chain);
    const place = { index, match, clusters: [], status: null, cause: cause ?? null };
    return { ...place, outcome: cause === undefined ? 'ok' : 'fails', failingShare: cause === undefined ? 0 : 1 };
  });
}

function chainText({ match }: FilterChain): string {
  const text = matchText(match);
  return text === '{}' ? 'any connection' : text;
}

function chainProblem(one: TargetCase, chain: FilterChain): Cause | undefined {
  const routes = chain.connectionManager?.routes;
  const inline = { type: 'LDS', name: one.channel.listener } as const;
  if (routes === undefined) return noRoute(inline, 'the filter chain has no routes');
  if (routes.kind === 'inline') return accepts(routes.config) ? undefined : noRoute(inline, NO_ACTION);
  const found = one.scope.entry(RESOURCE_TYPES.RDS, routes.name)?.resource;
  if (found?.type !== 'RDS') return resourceCause(one, 'RDS', routes.name, '');
  return accepts(found.value) ? undefined : noRoute({ type: 'RDS', name: routes.name }, NO_ACTION);
}

const NO_ACTION = 'no route has non_forwarding_action, the only action that gRPC servers support';

function accepts({ virtualHosts }: RouteConfigResource): boolean {
  return virtualHosts.some(({ routes }) => routes.some(({ action }) => action.kind === 'non-forwarding'));
}

function noRoute(resource: NonNullable<Cause['resource']>, text: string): Cause {
  const where = `${resource.type} ${resource.name}`;
  const advice = `Add a route with non_forwarding_action to ${where}.`;
  return { code: 'no-route', message: `${where}: ${text}`, resource, server: null, advice };
}
