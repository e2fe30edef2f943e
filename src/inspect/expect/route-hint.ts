import type { ChannelSnapshot } from '../../engine/follower.js';
import type { Call } from '../../routing/match.js';
import { routeMismatch } from '../../routing/route-mismatch.js';
import type { Route } from '../single-route.js';

/** Explains why gRPC does not route an RPC to the expected cluster; undefined if it does, or if the configuration is unknown. */
export function routeHint({ state }: ChannelSnapshot, call: Call, cluster: string): string | undefined {
  if (state.kind !== 'published') return undefined;
  const { routes } = state.config.virtualHost;
  const taking = routes.find(({ match }) => routeMismatch(match, call) === undefined);
  if (taking === undefined) return undefined;
  const taken = clustersOf(taking);
  if (taken.length === 1 && taken[0] === cluster) return undefined;
  const others = routes.filter((route) => route !== taking && clustersOf(route).includes(cluster));
  const late = others.find(({ match }) => routeMismatch(match, call) === undefined);
  const other = late ?? others[0];
  if (other !== undefined) {
    const why = late === undefined ? routeMismatch(other.match, call) : `route ${number(taking)} comes first`;
    return `Route ${number(other)} uses cluster ${cluster}, but ${why}.`;
  }
  if (!taken.includes(cluster)) return `No route uses cluster ${cluster}.`;
  return `Route ${number(taking)} splits such RPCs among ${taken.join(', ')}.`;
}

/** The position of a route, counted from 1. */
function number({ displayOnly }: Route): number {
  return displayOnly.index + 1;
}

function clustersOf({ action }: Route): string[] {
  if (action.kind !== 'route' || action.destination.kind === 'plugin') return [];
  const { destination } = action;
  return destination.kind === 'cluster' ? [destination.name] : destination.clusters.map(({ name }) => name);
}
