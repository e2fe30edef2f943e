import type { Dice } from '../../../../tools/oracle/mutation/dice.js';

const POLICIES = 'type.googleapis.com/envoy.extensions.load_balancing_policies';

type Policy = object;

const RING: Policy = { '@type': `${POLICIES}.ring_hash.v3.RingHash`, hash_function: 'XX_HASH' };
const ROUND_ROBIN: Policy = { '@type': `${POLICIES}.round_robin.v3.RoundRobin` };
const PICK_FIRST: Policy = { '@type': `${POLICIES}.pick_first.v3.PickFirst` };
const WEIGHTED: Policy = { '@type': `${POLICIES}.client_side_weighted_round_robin.v3.ClientSideWeightedRoundRobin` };
const typedStruct = (name: string, value: object): Policy => ({
  '@type': 'type.googleapis.com/xds.type.v3.TypedStruct',
  type_url: `type.googleapis.com/${name}`,
  value,
});
/** gRPC does not support this policy: it uses the next in the list. */
const UNKNOWN: Policy = { '@type': `${POLICIES}.maglev.v3.Maglev` };

/** The LB policy of a cluster: the enum, or a list, of which gRPC uses the first supported policy (A52). */
export function randomLbPolicy(dice: Dice): object {
  return dice.weighted<() => object>([
    [10, () => ({})],
    [3, () => ({ lb_policy: 'RING_HASH' })],
    [0.2, () => ({ lb_policy: 'MAGLEV' })],
    [8, () => ({ load_balancing_policy: randomList(dice, 0) })],
  ])();
}

function randomList(dice: Dice, depth: number): object {
  const policies = [
    ...(dice.chance(0.15) ? [UNKNOWN] : []),
    ...(dice.chance(0.02) ? [] : [randomPolicy(dice, depth)]),
    ...(dice.chance(0.1) ? [ROUND_ROBIN] : []),
  ];
  return { policies: policies.map((typed_config) => ({ typed_extension_config: { name: 'p', typed_config } })) };
}

function randomPolicy(dice: Dice, depth: number): Policy {
  return dice.weighted<() => Policy>([
    [depth === 0 ? 6 : 0.5, () => wrrLocality(dice, depth)],
    [2, () => RING],
    [2, () => ROUND_ROBIN],
    [2, () => PICK_FIRST],
    [1, () => WEIGHTED],
    [0.3, () => typedStruct('round_robin', {})],
    [0.3, () => typedStruct('ring_hash_experimental', { minRingSize: 8 })],
    [0.2, () => typedStruct('of.nobody', {})],
  ])();
}

function wrrLocality(dice: Dice, depth: number): Policy {
  return {
    '@type': `${POLICIES}.wrr_locality.v3.WrrLocality`,
    endpoint_picking_policy: randomList(dice, depth + 1),
  };
}
