import type { Dice } from '../../../../tools/oracle/mutation/dice.js';
import { randomClient } from './random-clients.js';
import type { Ports } from './random-endpoints.js';
import { randomServer } from './random-servers.js';

/** A target with its resources. */
export interface RandomTarget {
  /** The target for `explain`. */
  name: string;
  /** The target for a client. */
  dials: string;
  kind: 'client' | 'server';
  /** Some endpoints may be on dead ports, which `explain` cannot know. */
  mayBeUnreachable: boolean;
  resources: object[];
}

/** Every tenth target is an xDS-enabled server, while `free` has ports; every fifth may have unreachable endpoints. */
export function randomTargets(count: number, ports: Ports, free: readonly number[], dice: Dice): RandomTarget[] {
  return Array.from({ length: count }, (_, i): RandomTarget => {
    const port = i % 10 === 9 ? free[Math.floor(i / 10)] : undefined;
    if (port !== undefined) {
      const name = `#server:127.0.0.1:${port}`;
      const dials = `dns:///127.0.0.1:${port}`;
      return { name, dials, kind: 'server', mayBeUnreachable: false, resources: randomServer(port, dice) };
    }
    const mayBeUnreachable = i % 5 === 2;
    const resources = randomClient(`t${i}`, mayBeUnreachable ? ports : { ...ports, dead: [] }, dice);
    return { name: `xds:/t${i}`, dials: `xds:///t${i}`, kind: 'client', mayBeUnreachable, resources };
  });
}
