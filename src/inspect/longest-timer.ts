import type { Bootstrap } from '../bootstrap/bootstrap.js';
import { serverRules, type TimerPolicies } from '../bootstrap/server-rules.js';
import type { Switches } from '../bootstrap/switches.js';

/** The longest time that a client with this bootstrap waits for a resource (A57, D6). */
export function longestTimer({ servers, authorities }: Bootstrap, switches: Switches, policies: TimerPolicies): number {
  const all = [...servers, ...[...authorities.values()].flatMap((authority) => authority.servers)];
  return Math.max(...all.map(({ features }) => serverRules(features, switches, policies).resourceTimerMs));
}
