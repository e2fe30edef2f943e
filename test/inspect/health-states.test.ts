import { describe, expect, it } from 'vitest';
import { Problems } from '../../src/base/problem.js';
import { healthStates, NO_WEIGHT } from '../../src/inspect/verdict/health-states.js';
import { xdsCatalogue } from '../../src/proto/json/catalogue.js';
import { parseAny } from '../../src/proto/json/parse.js';

const TYPE = 'type.googleapis.com/envoy.config.endpoint.v3.ClusterLoadAssignment';

function encoded(...localities: object[]): Uint8Array {
  const problems = new Problems();
  const any = parseAny(xdsCatalogue, { '@type': TYPE, cluster_name: 'c', endpoints: localities }, problems);
  if (any === undefined) throw new Error(JSON.stringify(problems));
  return any.value;
}

const endpoint = (health: string | number) => ({
  endpoint: { address: { socket_address: { address: '10.0.0.1', port_value: 80 } } },
  health_status: health,
  load_balancing_weight: 7,
});

const locality = (weight: number | undefined, ...health: (string | number)[]) => ({
  lb_endpoints: health.map(endpoint),
  ...(weight !== undefined && { load_balancing_weight: weight }),
  priority: 3,
});

describe('healthStates', () => {
  const CASES: [title: string, localities: object[], counts: Record<string, number>][] = [
    ['no locality', [], {}],
    ['a locality without endpoints', [locality(1)], {}],
    ['every state', [locality(1, 'UNHEALTHY', 'DRAINING', 'UNHEALTHY')], { UNHEALTHY: 2, DRAINING: 1 }],
    ['a missing state', [locality(1, 'UNKNOWN')], { UNKNOWN: 1 }],
    ['a state that the API does not have', [locality(1, 99, -1)], { 'health 99': 1, 'health -1': 1 }],
    ['no weight', [locality(undefined, 'HEALTHY', 'DRAINING')], { [`HEALTHY ${NO_WEIGHT}`]: 1, DRAINING: 1 }],
    ['a weight of 0', [locality(0, 'HEALTHY')], { [`HEALTHY ${NO_WEIGHT}`]: 1 }],
    [
      'localities with and without weight',
      [locality(1, 'HEALTHY'), locality(undefined, 'HEALTHY'), locality(2, 'HEALTHY')],
      { HEALTHY: 2, [`HEALTHY ${NO_WEIGHT}`]: 1 },
    ],
  ];
  it.each(CASES)('counts endpoints: %s', (_title, localities, counts) => {
    const states = healthStates(encoded(...localities));
    expect(Object.fromEntries(states)).toEqual(counts);
    expect([...states.keys()]).toEqual(Object.keys(counts));
  });

  it('counts nothing in bytes that cannot be read', () => {
    expect(healthStates(undefined).size).toBe(0);
    expect(healthStates(new Uint8Array([0x12, 0x7f])).size).toBe(0);
  });
});
