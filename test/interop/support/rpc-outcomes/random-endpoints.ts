import type { Dice } from '../../../../tools/oracle/mutation/dice.js';

/** The ports of endpoints. */
export interface Ports {
  /** Ports of backends, which respond with their port. */
  alive: readonly number[];
  /** Ports on which no program listens. */
  dead: readonly number[];
}

const HEALTH = ['UNKNOWN', 'HEALTHY', 'UNHEALTHY', 'DRAINING', 'TIMEOUT', 'DEGRADED'] as const;

/** A load assignment: localities over several priorities, health, weights and drops. */
export function randomEndpoints(name: string, ports: Ports, dice: Dice): object {
  const free = randomPorts(ports, dice);
  dice.shuffle(free);
  const count = dice.weighted([
    [5, 0],
    [45, 1],
    [25, 2],
    [15, 3],
    [10, 4],
  ]);
  const health = healthOf(dice);
  const priorities = randomPriorities(count, dice);
  const endpoints = priorities.map((priority, i) => ({
    locality: { region: `r${i % 3}`, zone: `z${i}`, sub_zone: dice.pick(['', 's']) },
    priority,
    ...randomLocalityWeight(dice),
    lb_endpoints: Array.from({ length: dice.pick([0, 1, 1, 1, 2, 2, 3]) }, () => endpoint(free, health, dice)),
  }));
  return {
    '@type': 'EDS',
    cluster_name: name,
    endpoints,
    ...(dice.chance(0.12) ? { policy: { drop_overloads: randomDrops(dice) } } : {}),
  };
}

/** If there are dead ports, many load assignments have only those. */
function randomPorts({ alive, dead }: Ports, dice: Dice): number[] {
  if (dead.length === 0) return [...alive];
  return dice.weighted([
    [3, [...dead]],
    [3, [...dead, ...alive.slice(0, 3)]],
    [2, [...alive]],
  ]);
}

/** Endpoints of a resource have similar health, so that some resources have no usable endpoint. */
function healthOf(dice: Dice): () => string {
  const statuses = dice.weighted<readonly string[]>([
    [12, ['UNKNOWN', 'HEALTHY']],
    [2, ['DRAINING']],
    [1, ['UNHEALTHY', 'TIMEOUT', 'DEGRADED']],
    [2, ['DRAINING', 'UNHEALTHY']],
    [3, HEALTH],
  ]);
  return () => dice.pick(statuses);
}

/** Priorities, rarely with a gap, which gRPC rejects. */
function randomPriorities(count: number, dice: Dice): number[] {
  const priorities: number[] = [];
  for (let i = 0, highest = -1; i < count; i++) {
    const isNew = i === 0 || dice.chance(0.5);
    if (isNew) highest += dice.chance(0.01) ? 2 : 1;
    priorities.push(isNew ? highest : dice.below(highest + 1));
  }
  dice.shuffle(priorities);
  return priorities;
}

function randomLocalityWeight(dice: Dice): object {
  return dice.weighted<object>([
    [16, { load_balancing_weight: 1 + dice.below(5) }],
    [1, { load_balancing_weight: 0 }],
    [1, {}],
  ]);
}

function endpoint(free: number[], health: () => string, dice: Dice): object {
  const port = free.length > 1 && !dice.chance(0.005) ? free.pop() : free[0];
  const weight = dice.weighted<object>([
    [8, {}],
    [4, { load_balancing_weight: 1 + dice.below(5) }],
    [0.2, { load_balancing_weight: 0 }],
  ]);
  const address = { socket_address: { address: '127.0.0.1', port_value: port } };
  const more = dice.chance(0.05) && free.length > 1 ? free.pop() : undefined;
  const additional = { socket_address: { address: '127.0.0.1', port_value: more } };
  const additional_addresses = more === undefined ? [] : [{ address: additional }];
  return { health_status: health(), ...weight, endpoint: { address, additional_addresses } };
}

function randomDrops(dice: Dice): object[] {
  const one = (category: string): object => ({
    category,
    drop_percentage: dice.weighted<object>([
      [4, { numerator: 100 }],
      [1, { numerator: 10_000, denominator: 'TEN_THOUSAND' }],
      [1, { numerator: 2_000_000, denominator: 'MILLION' }],
      [2, { numerator: 50 }],
      [1, { numerator: 0 }],
      [0.2, {}],
    ]),
  });
  return dice.chance(0.3) ? [one('throttle'), one('lb')] : [one('lb')];
}
