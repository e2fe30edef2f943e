import { expect, it } from 'vitest';
import { predict } from '../../src/routing/predict.js';
import { Follow, json } from '../deps/follow.js';

interface Leaf {
  health?: 'HEALTHY' | 'DRAINING';
  drop?: number;
  maxRequests?: number;
}

const CALL = { path: '/s/m', metadata: [] };

/** The error message of an RPC to an aggregate cluster of these leaves (`a`, `b`, …), or the leaf that gets it. */
function outcomeOf(...leaves: Leaf[]): string {
  const names = leaves.map((_, i) => String.fromCharCode(97 + i));
  const run = new Follow().get('LDS', 'l', json.listener('r')).get('RDS', 'r', json.routes('all'));
  run.get('CDS', 'all', json.aggregate('all', ...names));
  for (const [i, { health = 'HEALTHY', drop = 0, maxRequests = 100 }] of leaves.entries()) {
    const name = names[i] as string;
    const circuit_breakers = { thresholds: [{ max_requests: maxRequests }] };
    run.get('CDS', name, { ...json.eds(name), circuit_breakers });
    const address = { socket_address: { address: '10.0.0.1', port_value: 80 } };
    const locality = {
      locality: { region: 'r' },
      load_balancing_weight: 1,
      lb_endpoints: [{ health_status: health, endpoint: { address } }],
    };
    const policy = { drop_overloads: [{ category: 'lb', drop_percentage: { numerator: drop } }] };
    run.get('EDS', name, { cluster_name: name, endpoints: [locality], policy });
  }
  const { outcome } = predict(run.manager.applied, CALL, { nodeId: 'n', random: () => 0 });
  return outcome.kind === 'fails' ? outcome.status.message : outcome.kind === 'connects' ? outcome.leaf : outcome.kind;
}

const DRAINING: Leaf = { health: 'DRAINING' };
const NO_CHILDREN = 'no children in weighted_target policy (xDS node ID:n)';

it.each<[string, Leaf[], string]>([
  ['is sent to the first leaf with a usable endpoint', [DRAINING, {}, {}], 'b'],
  ['fails with the message of the last leaf if none has one', [DRAINING, DRAINING], NO_CHILDREN],
  [
    'is dropped by a leaf that drops all RPCs, even if it has no usable endpoint',
    [{ ...DRAINING, drop: 100 }, {}],
    'EDS-configured drop: lb',
  ],
  ['ignores the drops of a leaf after the one in use', [{}, { drop: 100 }], 'a'],
  ['is dropped by the circuit breaker of the leaf in use', [{ maxRequests: 0 }, {}], 'circuit breaker drop'],
  ['ignores the circuit breaker of a leaf without a usable endpoint', [{ ...DRAINING, maxRequests: 0 }, {}], 'b'],
  [
    'is dropped by the circuit breaker of the last leaf if none is usable',
    [DRAINING, { ...DRAINING, maxRequests: 0 }],
    'circuit breaker drop',
  ],
  [
    'fails with the message of the last leaf, not of a circuit breaker before it',
    [{ ...DRAINING, maxRequests: 0 }, DRAINING],
    NO_CHILDREN,
  ],
])('an RPC to an aggregate cluster %s (R9.13, R9.17)', (_title, leaves, expected) => {
  expect(outcomeOf(...leaves)).toBe(expected);
});
