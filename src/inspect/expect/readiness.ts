import type { XdsConfig } from '../../deps/config.js';
import type { ChannelSnapshot } from '../../engine/follower.js';
import type { ScopeSnapshot } from '../../engine/scope.js';
import type { Destination } from '../../resources/route-action.js';
import { possiblePaths } from '../../routing/paths.js';
import { ANY_CALL, type Route, withOnly } from '../lone-route.js';

/**
 * How much a target needs to be ready. All need a configuration in use (A74); that is all an expectations file means by
 * `ready`. `answered` (the fallback drill): no request is outstanding. `usable` (`wait`): nothing newer is pending, and
 * each cluster of a route has an endpoint. Routes that fail RPCs by design (a redirect) do not count.
 */
export type ReadyLevel = 'configured' | 'answered' | 'usable';

/** Why a target is not ready. */
export type Unready =
  | { kind: 'no-config' | 'outstanding' | 'pending' | 'no-cluster' }
  | { kind: 'error'; message: string }
  /** A configuration with nothing but the first route that leads to no endpoint. */
  | { kind: 'no-endpoint'; config: XdsConfig };

/** The one definition of "ready": why a target is not; undefined if it is. */
export function notReady(level: ReadyLevel, { entries }: ScopeSnapshot, channel: ChannelSnapshot): Unready | undefined {
  const { state, isWithheld } = channel;
  if (state.kind === 'none') return { kind: 'no-config' };
  if (state.kind === 'error') return { kind: 'error', message: state.message };
  if (level === 'answered') return entries.some(isRequested) ? { kind: 'outstanding' } : undefined;
  if (level === 'configured') return undefined;
  if (isWithheld) return { kind: 'pending' };
  if (state.kind === 'served') return undefined;
  if (state.config.virtualHost.routes.every(({ action }) => action.kind !== 'route')) return { kind: 'no-cluster' };
  const broken = brokenPart(state.config);
  return broken === 'none' ? undefined : { kind: 'no-endpoint', config: broken };
}

export function isRequested({ status }: ScopeSnapshot['entries'][number]): boolean {
  return status === 'REQUESTED';
}

/** A configuration never changes, another takes its place. */
const brokenParts = new WeakMap<XdsConfig, XdsConfig | 'none'>();

function brokenPart(config: XdsConfig): XdsConfig | 'none' {
  const known = brokenParts.get(config);
  if (known !== undefined) return known;
  const parts = config.virtualHost.routes.flatMap((route) => waysOf(route).map((way) => withOnly(config, way)));
  const broken = parts.find(isBroken) ?? 'none';
  brokenParts.set(config, broken);
  return broken;
}

/** A fault or a drop that hits a part of the RPCs breaks nothing. */
function isBroken(part: XdsConfig): boolean {
  const paths = possiblePaths(part, ANY_CALL, { nodeId: undefined });
  return !paths.some(({ outcome: { kind } }) => kind === 'connects' || kind === 'unknown');
}

/** A route for each cluster that it chooses from. */
function waysOf(route: Route): Route[] {
  const { action } = route;
  if (action.kind !== 'route') return [];
  const destinations: Destination[] =
    action.destination.kind === 'weighted'
      ? action.destination.clusters.map(({ name }) => ({ kind: 'cluster', name }))
      : [action.destination];
  return destinations.map((destination) => ({ ...route, action: { ...action, destination } }));
}
