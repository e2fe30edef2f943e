import type { VirtualHost, XdsConfig } from '../deps/config.js';
import type { FaultConfig } from '../resources/filters/fault.js';
import type { RouteAction } from '../resources/route-action.js';
import { type Call, findRoute } from './match.js';

type Route = VirtualHost['routes'][number];

/** The route and the destination that gRPC selects for a call. */
export type Selection =
  | { kind: 'no route' }
  /** The first matching route has no destination; gRPC does not try further routes. */
  | { kind: 'no action'; route: Route }
  | { kind: 'plugin'; route: Route; action: RouteAction; plugin: string }
  | {
      kind: 'cluster';
      route: Route;
      action: RouteAction;
      cluster: string;
      fault: FaultConfig | undefined;
      /** All clusters of the route, with their shares of the calls. */
      shares: { cluster: string; share: number; fault: FaultConfig | undefined }[];
    };

/** A31: selected once per call, independent of reachability. `random` returns numbers in [0, 1). */
export function select(config: XdsConfig, call: Call, random: () => number): Selection {
  const route = findRoute(config.virtualHost, call, random);
  if (route === undefined) return { kind: 'no route' };
  const { action } = route;
  if (action.kind !== 'route') return { kind: 'no action', route };
  const { destination } = action;
  if (destination.kind === 'plugin') return { kind: 'plugin', route, action, plugin: destination.name };
  if (destination.kind === 'cluster') {
    const only = { cluster: destination.name, fault: faultOf(config, route) };
    return { kind: 'cluster', route, action, ...only, shares: [{ ...only, share: 1 }] };
  }
  const sum = destination.clusters.reduce((total, { weight }) => total + weight, 0);
  const chosen = pick(destination.clusters, Math.floor(random() * sum));
  const shares = destination.clusters.map(({ name, weight, overrides }) => ({
    cluster: name,
    share: weight / sum,
    fault: faultOf(config, route, overrides),
  }));
  const fault = faultOf(config, route, chosen.overrides);
  return { kind: 'cluster', route, action, cluster: chosen.name, fault, shares };
}

type Weighted = Extract<RouteAction['destination'], { kind: 'weighted' }>['clusters'];

/** R9.4: the first cluster whose cumulative weight exceeds the random number. */
function pick(clusters: Weighted, drawn: number): Weighted[number] {
  let end = 0;
  for (const cluster of clusters) {
    end += cluster.weight;
    if (end > drawn) return cluster;
  }
  return clusters[clusters.length - 1] as Weighted[number];
}

/** The configuration of the fault filter (A33); the most specific override applies. */
function faultOf(
  { listener, virtualHost }: XdsConfig,
  route: Route,
  nearest: Route['overrides'] = new Map(),
): FaultConfig | undefined {
  for (const { name, disabled, config } of listener.filters) {
    const override = nearest.get(name) ?? route.overrides.get(name) ?? virtualHost.overrides.get(name);
    const effective = override ?? (disabled ? undefined : config);
    if (effective?.kind === 'fault') return effective.fault;
  }
  return undefined;
}
