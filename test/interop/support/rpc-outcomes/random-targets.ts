import type { Dice } from '../../../../tools/oracle/mutation/dice.js';
import { randomClient } from './random-clients.js';
import type { Ports } from './random-endpoints.js';
import { randomServer } from './random-servers.js';

/** Something to call, with the resources that decide what a call gets. */
export interface RandomTarget {
  /** As `explain` takes it. */
  name: string;
  /** As a client dials it. */
  dials: string;
  kind: 'client' | 'server';
  /** Some endpoints are where nobody listens, which `explain` cannot know. */
  mayBeUnreachable: boolean;
  resources: object[];
}

/** Every tenth is an xDS-enabled server, on one of `free`; every fifth has endpoints that cannot be reached. */
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
