import type { Bootstrap } from '../bootstrap/bootstrap.js';
import { PRESETS } from '../bootstrap/presets.js';
import { serverRules } from '../bootstrap/server-rules.js';
import type { Preset, Switches } from '../bootstrap/switches.js';

/** The longest time that a client with this bootstrap waits for a resource (A57, D6). */
export function longestTimer({ servers, authorities }: Bootstrap, switches: Switches, preset: Preset): number {
  const all = [...servers, ...[...authorities.values()].flatMap((authority) => authority.servers)];
  const { policies } = PRESETS[preset];
  return Math.max(...all.map(({ features }) => serverRules(features, switches, policies).resourceTimerMs));
}
