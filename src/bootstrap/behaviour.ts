import type { XdsServer } from './bootstrap.js';
import type { Preset, Switches } from './switches.js';

/** What gRPC does with a server because of its features. */
export interface ServerBehaviour {
  /** How long a resource may take before it is given up. */
  resourceTimerMs: number;
  /** What it is then taken for. */
  onTimer: 'does not exist' | 'timeout';
  /** What becomes of a cached resource when the server sends something bad, or says that it is gone. */
  onDataError: 'kept' | 'dropped';
  /** The same for a listener or cluster that a response leaves out. */
  onDeletion: 'kept' | 'dropped';
  /** Whether host rewrites and credentials in resources are honoured. */
  trusted: boolean;
}

export function behaviourOf({ features }: XdsServer, switches: Switches, preset: Preset): ServerBehaviour {
  const a88 = switches.dataErrorHandling;
  const isTransient = a88 && features.has('resource_timer_is_transient_error');
  const isDropped = a88 && features.has('fail_on_data_errors');
  return {
    // D6: the gRFC says 30 s; C-core waits 15 s in both cases.
    resourceTimerMs: isTransient && preset === 'spec' ? 30_000 : 15_000,
    onTimer: isTransient ? 'timeout' : 'does not exist',
    onDataError: isDropped ? 'dropped' : 'kept',
    onDeletion: a88 ? (isDropped ? 'dropped' : 'kept') : features.has('ignore_resource_deletion') ? 'kept' : 'dropped',
    trusted: features.has('trusted_xds_server'),
  };
}
