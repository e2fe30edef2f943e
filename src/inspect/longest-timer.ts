import type { Bootstrap } from '../bootstrap/bootstrap.js';
import type { Preset, Switches } from '../bootstrap/switches.js';
import { POLICIES } from '../core/policies.js';

/** The longest time that a client with this bootstrap waits for a resource (A57, D6). */
export function longestTimer(
  { servers, authorities }: Bootstrap,
  { dataErrorHandling }: Switches,
  preset: Preset,
): number {
  const all = [...servers, ...[...authorities.values()].flatMap((authority) => authority.servers)];
  const isSlow = dataErrorHandling && all.some(({ features }) => features.has('resource_timer_is_transient_error'));
  return isSlow ? POLICIES[preset].transientTimerMs : POLICIES[preset].resourceTimerMs;
}
