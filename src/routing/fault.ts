import type { Fraction } from '../resources/common/fraction.js';
import type { FaultConfig } from '../resources/filters/fault.js';
import { type Call, headerValue } from './match.js';

/** The faults that the fault filter injects (A33), and the share of calls that get them. */
export interface InjectedFault {
  abort: { code: number; share: number } | undefined;
  delay: { ms: number; share: number } | undefined;
}

const NOTHING: InjectedFault = { abort: undefined, delay: undefined };
const UNKNOWN = 2;
const LAST_STATUS = 16;

/** Follows C-core: headers of the call may set values that the filter leaves to them. */
export function injectedFault(fault: FaultConfig | undefined, call: Call): InjectedFault {
  if (fault === undefined) return NOTHING;
  const delay = delayOf(fault, call);
  const abort = abortOf(fault, call);
  if (fault.maxActiveFaults !== 0) return { abort, delay };
  // With max_active_faults 0 no call is delayed. Calls that would have been delayed can still be aborted.
  const share = (abort?.share ?? 0) * (delay?.share ?? 0);
  return { abort: abort === undefined || share === 0 ? undefined : { ...abort, share }, delay: undefined };
}

function abortOf({ abort }: FaultConfig, call: Call): InjectedFault['abort'] {
  if (abort === undefined) return undefined;
  const requested = abort.fromHeaders ? headerValue('x-envoy-fault-abort-grpc-request', call) : undefined;
  const code = abort.grpcStatus === 0 && requested !== undefined ? statusFromHeader(requested) : abort.grpcStatus;
  const share = shareOf(
    abort.share,
    abort.fromHeaders ? headerValue('x-envoy-fault-abort-percentage', call) : undefined,
  );
  return code === 0 || share === 0 ? undefined : { code, share };
}

function delayOf({ delay }: FaultConfig, call: Call): InjectedFault['delay'] {
  if (delay === undefined) return undefined;
  const requested = delay.fromHeaders ? headerValue('x-envoy-fault-delay-request', call) : undefined;
  const ms = delay.ms === 0 && requested !== undefined ? Math.max(0, integer(requested) ?? 0) : delay.ms;
  const percentage = delay.fromHeaders ? headerValue('x-envoy-fault-delay-request-percentage', call) : undefined;
  const share = shareOf(delay.share, percentage);
  return ms === 0 || share === 0 ? undefined : { ms, share };
}

function statusFromHeader(text: string): number {
  const code = integer(text) ?? UNKNOWN;
  return code >= 0 && code <= LAST_STATUS ? code : UNKNOWN;
}

/** A header can reduce the share, not increase it. */
function shareOf({ numerator, denominator }: Fraction, requested: string | undefined): number {
  const wanted = requested === undefined ? numerator : (integer(requested) ?? numerator);
  return Math.min(1, Math.min(wanted < 0 ? numerator : wanted, numerator) / denominator);
}

function integer(text: string): number | undefined {
  return /^\s*[+-]?\d+\s*$/.test(text) ? Number(text) : undefined;
}
