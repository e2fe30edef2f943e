import type { ConnectionManager } from '../resources/http-connection-manager.js';
import type { RouteAction } from '../resources/route-action.js';

/** The current rules (`max_stream_duration`), or those of the original A31. */
export type TimeoutRules = 'today' | 'a31';

/** The timeout of an RPC and its source. */
export interface Timeout {
  /** Undefined: no timeout. */
  ms: number | undefined;
  from: 'application' | 'route' | 'listener' | 'default' | 'none';
}

const A31_DEFAULT_MS = 15_000;

/** The deadline of the application applies if it is shorter, or if the configuration sets no limit. */
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

/** R9.1: the limit of the route, even if it disables the limit; otherwise the limit of the listener. */
function todaysLimit({ maxStreamDurationMs }: RouteAction, listener: ConnectionManager): Timeout {
  if (maxStreamDurationMs !== undefined) return { ms: maxStreamDurationMs, from: 'route' };
  return { ms: listener.maxStreamDurationMs, from: 'listener' };
}

/** `max_grpc_timeout`, otherwise `timeout`, otherwise 15 s. */
function a31Limit({ displayOnly }: RouteAction): Timeout {
  const own = displayOnly.maxGrpcTimeoutMs ?? displayOnly.timeoutMs;
  return own === undefined ? { ms: A31_DEFAULT_MS, from: 'default' } : { ms: own, from: 'route' };
}
