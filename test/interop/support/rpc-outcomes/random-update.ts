import type { Dice } from '../../../../tools/oracle/mutation/dice.js';
import { type Ports, randomEndpoints } from './random-endpoints.js';
import type { RandomTarget } from './random-targets.js';

type Resource = { '@type'?: string; name?: string; cluster_name?: string };

/** Deletes, invalidates or replaces one or two resources. Adds none, since RPCs could be queued for a new one. */
export function randomUpdate(target: RandomTarget, ports: Ports, dice: Dice): RandomTarget {
  const resources: Resource[] = [...target.resources];
  for (let times = 1 + dice.below(2); times > 0; times--) {
    const at = dice.below(resources.length);
    const one = resources[at];
    if (one !== undefined) resources.splice(at, 1, ...changed(one, ports, dice));
  }
  return { ...target, resources };
}

function changed(one: Resource, ports: Ports, dice: Dice): Resource[] {
  if (dice.chance(0.3)) return [];
  if (one['@type'] === 'EDS') return [randomEndpoints(one.cluster_name ?? '', ports, dice)];
  return one['@type'] === 'CDS' && dice.chance(0.7) ? [{ ...one, ...REJECTED }] : [one];
}

/** gRPC rejects clusters of this type. */
const REJECTED = { type: 'STATIC', cluster_type: undefined };
