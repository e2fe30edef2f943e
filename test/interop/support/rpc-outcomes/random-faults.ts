import type { Dice } from '../../../../tools/oracle/mutation/dice.js';

const FAULT = 'type.googleapis.com/envoy.extensions.filters.http.fault.v3.HTTPFault';

/** The fault filter of a listener; without one, there are no overrides. */
export type Faults = object | undefined;

export function randomFaults(dice: Dice): Faults {
  return dice.chance(0.3) ? { name: 'fault', typed_config: randomFault(0.25, dice) } : undefined;
}

/** `typed_per_filter_config` of a virtual host, route or cluster. */
export function randomFaultOverrides(share: number, faults: Faults, dice: Dice): object {
  return faults === undefined || !dice.chance(share)
    ? {}
    : { typed_per_filter_config: { fault: randomFault(0.5, dice) } };
}

/** Most faults have no effect, since otherwise few calls would reach a cluster. */
function randomFault(share: number, dice: Dice): object {
  return {
    '@type': FAULT,
    ...(dice.chance(share) ? { abort: randomAbort(dice) } : {}),
    ...(dice.chance(share) ? { delay: randomDelay(dice) } : {}),
    ...(dice.chance(0.1) ? { max_active_faults: dice.pick([0, 100]) } : {}),
  };
}

const PERCENTAGES = [
  { numerator: 100 },
  { numerator: 100 },
  { numerator: 0 },
  { numerator: 50 },
  { numerator: 1_000_000, denominator: 'MILLION' },
];

function randomAbort(dice: Dice): object {
  const kind = dice.pick<object>([{ grpc_status: 1 + dice.below(16) }, { http_status: 503 }, { header_abort: {} }]);
  return { ...kind, percentage: dice.pick(PERCENTAGES) };
}

/** Much shorter or much longer than every timeout. */
function randomDelay(dice: Dice): object {
  const kind = dice.chance(0.2) ? { header_delay: {} } : { fixed_delay: dice.pick(['0.02s', '0.02s', '10s']) };
  return { ...kind, percentage: dice.pick([...PERCENTAGES, { numerator: 100 }]) };
}
