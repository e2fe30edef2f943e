import { describe, expect, it } from 'vitest';
import { explainView } from '../../src/inspect/explain/explain.js';
import { predict } from '../../src/routing/predict.js';
import { select } from '../../src/routing/select.js';
import { Follow, json } from '../deps/follow.js';

const POLICIES = 'type.googleapis.com/envoy.extensions.load_balancing_policies';
const LOCALITY = { locality: { region: 'r' }, load_balancing_weight: 1 };
const ENDPOINT = { endpoint: { address: { socket_address: { address: '10.0.0.1', port_value: 80 } } } };
const CALL = { path: '/s/m', metadata: [] };
const weighted = (...weights: number[]): object => ({
  name: 'r',
  virtual_hosts: [
    {
      domains: ['*'],
      routes: [
        {
          match: { prefix: '' },
          route: { weighted_clusters: { clusters: weights.map((weight, i) => ({ name: `c${i}`, weight })) } },
        },
      ],
    },
  ],
});

function following(routes: object, ...clusters: string[]): Follow {
  const run = new Follow().get('LDS', 'l', json.listener('r')).get('RDS', 'r', routes);
  for (const name of clusters) run.get('CDS', name, json.eds(name)).get('EDS', name, json.endpoints(name));
  return run;
}

describe('a weighted route', () => {
  it('sends each cluster its share, and selects by the random number (R9.4)', () => {
    const { config } = following(weighted(1, 3, 4), 'c0', 'c1', 'c2');
    const chosen = (drawn: number): string => {
      const selection = select(config, CALL, () => drawn);
      return selection.kind === 'cluster' ? selection.cluster : selection.kind;
    };
    expect([0, 0.12, 0.125, 0.49, 0.5, 0.99].map(chosen)).toEqual(['c0', 'c0', 'c1', 'c1', 'c2', 'c2']);
    expect(select(config, CALL, () => 0)).toMatchObject({
      shares: [
        { cluster: 'c0', share: 0.125 },
        { cluster: 'c1', share: 0.375 },
        { cluster: 'c2', share: 0.5 },
      ],
    });
  });
});

describe('an RPC', () => {
  const options = { nodeId: 'n', random: () => 0 };

  it('is queued without a configuration, and fails with the message of gRPC if the listener has an error', () => {
    const run = new Follow();
    expect(predict(run.manager.applied, CALL, options).outcome).toMatchObject({ kind: 'waits' });
    run.fail('LDS', 'l', 'does not exist (node ID:n)');
    expect(predict(run.manager.applied, CALL, options).outcome).toMatchObject({
      kind: 'fails',
      status: { code: 14, message: 'empty address list (LDS resource l: does not exist (node ID:n))' },
    });
  });

  it('is sent to a reachable endpoint, or fails with the last connection error', () => {
    const { manager } = following(json.routes('a'), 'a');
    expect(predict(manager.applied, CALL, options).outcome).toMatchObject({
      kind: 'connects',
      cluster: 'a',
      leaf: 'a',
    });
    const down = predict(manager.applied, CALL, { ...options, isReachable: () => false }).outcome;
    expect(down).toMatchObject({
      status: {
        message:
          'connections to all backends failing; last error: UNKNOWN: ipv4:10.0.0.1:80: Failed to connect to remote host: Connection refused (xDS node ID:n)',
      },
    });
  });
});

const policy = (name: string): object => ({
  load_balancing_policy: {
    policies: [{ typed_extension_config: { name: 'p', typed_config: { '@type': `${POLICIES}.${name}` } } }],
  },
});

describe('an RPC without a usable endpoint', () => {
  const draining = {
    cluster_name: 'a',
    endpoints: [{ ...LOCALITY, lb_endpoints: [{ health_status: 'DRAINING', ...ENDPOINT }] }],
  };

  it.each([
    [{}, 'no children in weighted_target policy ()', 'no children in weighted_target policy (xDS node ID:n)'],
    [{ lb_policy: 'RING_HASH' }, 'empty address list: ', 'empty address list: xDS node ID:n'],
    [policy('round_robin.v3.RoundRobin'), 'empty address list', 'empty address list (xDS node ID:n)'],
    [policy('pick_first.v3.PickFirst'), 'empty address list', 'empty address list (xDS node ID:n)'],
  ])(
    'fails with the message of its LB policy %j, with and without a node id (R9.14, R9.15)',
    (lb, anonymous, named) => {
      const run = new Follow().get('LDS', 'l', json.listener('r')).get('RDS', 'r', json.routes('a'));
      run.get('CDS', 'a', { ...json.eds('a'), ...lb }).get('EDS', 'a', draining);
      const message = (nodeId: string | undefined): unknown =>
        predict(run.manager.applied, CALL, { nodeId, random: () => 0 }).outcome;
      expect(message(undefined)).toMatchObject({ status: { code: 14, message: anonymous } });
      expect(message('n')).toMatchObject({ status: { code: 14, message: named } });
    },
  );
});

describe('an RPC whose endpoints refuse connections', () => {
  const refused = 'UNKNOWN: ipv4:10.0.0.1:80: Failed to connect to remote host: Connection refused (xDS node ID:n)';

  it.each([
    [{}, `connections to all backends failing; last error: ${refused}`],
    [{ lb_policy: 'RING_HASH' }, `ring hash cannot find a connected endpoint; first failure: ${refused}`],
    [policy('pick_first.v3.PickFirst'), `failed to connect to all addresses; last error: ${refused}`],
    [
      policy('client_side_weighted_round_robin.v3.ClientSideWeightedRoundRobin'),
      `connections to all backends failing; last error: UNAVAILABLE: ${refused}`,
    ],
  ])('fails with the message of its LB policy %j (R9.15)', (lb, message) => {
    const run = new Follow().get('LDS', 'l', json.listener('r')).get('RDS', 'r', json.routes('a'));
    run.get('CDS', 'a', { ...json.eds('a'), ...lb }).get('EDS', 'a', json.endpoints('a'));
    const options = { nodeId: 'n', random: () => 0, isReachable: () => false };
    expect(predict(run.manager.applied, CALL, options).outcome).toMatchObject({ status: { code: 14, message } });
  });
});

describe('explain', () => {
  it('shows that endpoints come from DNS', () => {
    const run = new Follow().get('LDS', 'l', json.listener('r')).get('RDS', 'r', json.routes('d'));
    run.get('CDS', 'd', json.dns('d', 'host')).resolve('host:80', { addresses: ['10.0.0.1:80'] });
    const metrics = {
      connected: [],
      serverFailure: [],
      resourceUpdatesValid: [],
      resourceUpdatesInvalid: [],
      resources: [],
    };
    const channel = {
      target: 't',
      listener: 'l',
      authority: 'any',
      state: run.manager.applied,
      since: 0,
      isWithheld: false,
      held: new Map(),
      tears: [],
      heldBack: [],
      changes: [],
    };
    const scope = { scope: 's', authorities: [], entries: [], metrics, channels: [channel], entry: () => undefined };
    const options = { call: CALL, deadlineMs: undefined, rules: 'today' as const, nodeId: 'n', random: () => 0 };
    const { outcome, steps } = explainView(scope, channel, options);
    expect(outcome).toBe('ok');
    expect(steps.at(-1)).toEqual({ what: 'endpoints by DNS', detail: '1 addresses', isBad: false });
  });
});
