import type { RouteAction } from './route-action.js';

/** Bounds the pool itself: a resource may name a different cluster in each of its routes. */
const MAX_SHARED = 10_000;

/**
 * Lets routes share equal actions. Most routes only name a cluster, many name the same one, and the action is the larger
 * part of such a route. Resources are immutable, so sharing is not visible.
 */
export class SharedActions {
  readonly #byCluster = new Map<string, RouteAction>();

  /** Returns an earlier action that equals this one, or this one. */
  share(action: RouteAction): RouteAction {
    const { destination } = action;
    if (destination.kind !== 'cluster' || !isPlain(action)) return action;
    const known = this.#byCluster.get(destination.name);
    if (known?.retryPolicy === action.retryPolicy && known?.autoHostRewrite === action.autoHostRewrite) return known;
    if (known !== undefined || this.#byCluster.size < MAX_SHARED) this.#byCluster.set(destination.name, action);
    return action;
  }
}

/** Whether the action has only the fields that `share` compares. */
function isPlain({ maxStreamDurationMs, hashPolicies, displayOnly }: RouteAction): boolean {
  const { timeoutMs, maxGrpcTimeoutMs } = displayOnly;
  return (
    maxStreamDurationMs === undefined &&
    hashPolicies.length === 0 &&
    timeoutMs === undefined &&
    maxGrpcTimeoutMs === undefined
  );
}
