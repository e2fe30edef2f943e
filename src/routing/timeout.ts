import type { ConnectionManager } from '../resources/http-connection-manager.js';
import type { RouteAction } from '../resources/route-action.js';

/** Today's rules (`max_stream_duration`), or those of A31 as it was proposed. */
export type TimeoutRules = 'today' | 'a31';

/** How long an RPC may take, and what says so. */
export interface Timeout {
  /** Undefined: for ever. */
  ms: number | undefined;
  from: 'application' | 'route' | 'listener' | 'default' | 'none';
}

const A31_DEFAULT_MS = 15_000;

/** The deadline of the application counts where it is shorter, and alone where the configuration sets no limit. */
export function effectiveTimeout(
  action: RouteAction,
  listener: ConnectionManager,
  deadlineMs: number | undefined,
  rules: TimeoutRules = 'today',
): Timeout {
  const limit = rules === 'today' ? todaysLimit(action, listener) : a31Limit(action);
  const isLimited = limit.ms !== undefined && limit.ms > 0;
  if (isLimited && (deadlineMs === undefined || (limit.ms as number) < deadlineMs)) return limit;
  return deadlineMs === undefined ? { ms: undefined, from: 'none' } : { ms: deadlineMs, from: 'application' };
}

/** R9.1: the route's own, even where it says that there is none; else the listener's. */
function todaysLimit({ maxStreamDurationMs }: RouteAction, listener: ConnectionManager): Timeout {
  if (maxStreamDurationMs !== undefined) return { ms: maxStreamDurationMs, from: 'route' };
  return { ms: listener.maxStreamDurationMs, from: 'listener' };
}

/** `max_grpc_timeout`, else `timeout`, else 15 s. */
function a31Limit({ displayOnly }: RouteAction): Timeout {
  const own = displayOnly.maxGrpcTimeoutMs ?? displayOnly.timeoutMs;
  return own === undefined ? { ms: A31_DEFAULT_MS, from: 'default' } : { ms: own, from: 'route' };
}
