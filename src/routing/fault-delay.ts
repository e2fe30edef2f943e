import type { FaultConfig } from '../resources/filters/fault.js';
import type { ConnectionManager } from '../resources/http-connection-manager.js';
import type { RouteAction } from '../resources/route-action.js';
import { injectedFault } from './fault.js';
import type { Call } from './match.js';
import { effectiveTimeout, type TimeoutRules } from './timeout.js';

export interface CallLimits {
  /** The deadline of the application. */
  deadlineMs?: number | undefined;
  rules?: TimeoutRules | undefined;
}

/** The delay of the fault filter if it exceeds the timeout, with the share of delayed calls (A33). */
export function delayBeyondTimeout(
  fault: FaultConfig | undefined,
  call: Call,
  action: RouteAction,
  listener: ConnectionManager,
  { deadlineMs, rules }: CallLimits = {},
): { ms: number; timeoutMs: number; share: number } | undefined {
  const { delay } = injectedFault(fault, call);
  const { ms: timeoutMs } = effectiveTimeout(action, listener, deadlineMs, rules);
  return delay !== undefined && timeoutMs !== undefined && delay.ms >= timeoutMs ? { ...delay, timeoutMs } : undefined;
}
