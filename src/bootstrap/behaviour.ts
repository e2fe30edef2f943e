import type { XdsServer } from './bootstrap.js';
import type { Preset } from './preset-names.js';
import { policiesOf } from './presets.js';
import { serverRules } from './server-rules.js';
import type { Switches } from './switches.js';

/** The effects of a server's features, in printable form. */
export interface ServerBehaviour {
  resourceTimerMs: number;
  /** What an expired resource timer means. */
  onTimer: 'does not exist' | 'timeout';
  /** The effect of a data error on a cached resource. */
  onDataError: 'kept' | 'dropped';
  /** The effect on a listener or cluster that a response omits. */
  onDeletion: 'kept' | 'dropped';
  /** gRPC uses host rewrites and credentials in its resources. */
  trusted: boolean;
}

export function behaviourOf({ features }: XdsServer, switches: Switches, preset: Preset): ServerBehaviour {
  const rules = serverRules(features, switches, policiesOf(preset));
  return {
    resourceTimerMs: rules.resourceTimerMs,
    onTimer: rules.isTimerTransient ? 'timeout' : 'does not exist',
    onDataError: rules.failOnDataErrors ? 'dropped' : 'kept',
    onDeletion: rules.dropDeleted ? 'dropped' : 'kept',
    trusted: rules.isTrusted,
  };
}
