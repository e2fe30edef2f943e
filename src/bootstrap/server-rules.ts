import type { Switches } from './switches.js';

/** Rules by which gRPC treats an xDS server, given its features (A57, A88). */
export interface ServerRules {
  resourceTimerMs: number;
  /** An expired resource timer is a transient error and does not prove that the resource does not exist (A88). */
  isTimerTransient: boolean;
  /** A data error drops the cached resource (A88). */
  failOnDataErrors: boolean;
  /** A listener or cluster that a response omits is dropped from the cache. */
  dropDeleted: boolean;
  /** gRPC uses host rewrites and credentials in its resources (A81, A102). */
  isTrusted: boolean;
}

/** Duration of a resource timer (A57), by whether its expiry is a transient error (D6). */
export interface TimerPolicies {
  resourceTimerMs: number;
  transientTimerMs: number;
}

export function serverRules(
  features: ReadonlySet<string> | undefined,
  { dataErrorHandling }: Pick<Switches, 'dataErrorHandling'>,
  { resourceTimerMs, transientTimerMs }: TimerPolicies,
): ServerRules {
  const has = (feature: string): boolean => features?.has(feature) === true;
  const isTimerTransient = dataErrorHandling && has('resource_timer_is_transient_error');
  const failOnDataErrors = dataErrorHandling && has('fail_on_data_errors');
  return {
    resourceTimerMs: isTimerTransient ? transientTimerMs : resourceTimerMs,
    isTimerTransient,
    failOnDataErrors,
    dropDeleted: dataErrorHandling ? failOnDataErrors : !has('ignore_resource_deletion'),
    isTrusted: has('trusted_xds_server'),
  };
}
