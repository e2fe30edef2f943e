import { describe, expect, it } from 'vitest';
import { statusTexts } from '../../src/core/status-texts/index.js';
import { endpointPolicyState } from '../../src/routing/lb/endpoint-policy.js';
import { outcomeOf } from '../../src/routing/predict.js';
import { Follow, json } from '../deps/follow.js';
import { acceptedJson } from '../resources/validate.js';

interface Place {
  ports: number[];
  weight?: number;
  health?: string;
}

/** The localities of one priority, each with endpoints on these ports. */
function localities(...places: Place[]) {
  const resource = acceptedJson('EDS', {
    cluster_name: 'a',
    endpoints: places.map(({ ports, weight = 1, health = 'HEALTHY' }, i) => ({
      locality: { region: `r${i}` },
      load_balancing_weight: weight,
      lb_endpoints: ports.map((port_value) => ({
        health_status: health,
        endpoint: { address: { socket_address: { address: '10.0.0.1', port_value } } },
      })),
    })),
  });
  if (resource.type !== 'EDS') throw new Error('not endpoints');
  return resource.value.priorities[0] ?? [];
}

const CONTEXT = {
  cluster: 'a',
  leaf: 'a',
  note: () => 'note',
  isReachable: ({ port }: { port: number }) => port < 1000,
  texts: statusTexts('c-core'),
};
const WRR = { xds_wrr_locality_experimental: { childPolicy: [{ round_robin: {} }] } };
const OVER_RING = { xds_wrr_locality_experimental: { childPolicy: [{ ring_hash_experimental: {} }] } };

/** `share outcome` of each pick, and whether the priority is usable. */
function picksOf(policy: Parameters<typeof endpointPolicyState>[0], ...places: Place[]): string[] {
  const { isUsable, picks } = endpointPolicyState(policy, localities(...places), CONTEXT);
  const texts = picks.map(({ share, outcome }) => {
    if (outcome.kind === 'connects') return `${share} connects ${outcome.addresses.map(({ port }) => port).join()}`;
    return `${share} ${outcome.kind === 'fails' ? `${outcome.status.message} by ${outcome.blocked.by}` : outcome.why}`;
  });
  return [isUsable ? 'usable' : 'fails', ...texts];
}

const refused = (port: number): string =>
  `UNKNOWN: ipv4:10.0.0.1:${port}: Failed to connect to remote host: Connection refused (note) by connection`;

describe('an LB policy over the endpoints of a priority', () => {
  it.each<[string, Parameters<typeof endpointPolicyState>[0], Place[], string[]]>([
    ['of two reachable localities joins them', WRR, [{ ports: [1] }, { ports: [2] }], ['usable', '1 connects 1,2']],
    [
      'uses only localities that connect, by weight',
      WRR,
      [{ ports: [1001], weight: 9 }, { ports: [1] }],
      ['usable', '1 connects 1'],
    ],
    [
      'fails by weight if no locality connects, with the last endpoint of each',
      WRR,
      [{ ports: [1001, 1002], weight: 3 }, { ports: [1003] }],
      [
        'fails',
        `0.75 connections to all backends failing; last error: ${refused(1002)}`,
        `0.25 connections to all backends failing; last error: ${refused(1003)}`,
      ],
    ],
    [
      'never picks a ring_hash below weighted_target (R9.16)',
      OVER_RING,
      [{ ports: [1] }],
      ['usable', '1 Deadline Exceeded by policy'],
    ],
    [
      'of outlier detection is that of its child',
      { outlier_detection_experimental: { childPolicy: [{ pick_first: {} }] } },
      [{ ports: [1] }],
      ['usable', '1 connects 1'],
    ],
    [
      'reports the first endpoint of ring_hash',
      { ring_hash_experimental: {} },
      [{ ports: [1001, 1002] }],
      ['fails', `1 ring hash cannot find a connected endpoint; first failure: ${refused(1001)}`],
    ],
    ['fails without endpoints', { round_robin: {} }, [], ['fails', '1 empty address list (note) by endpoints']],
    [
      'of its own choice is not predicted',
      { my_policy: {} },
      [{ ports: [1] }],
      ['usable', '1 the LB policy my_policy chooses the endpoint'],
    ],
    [
      'without a usable child is not predicted',
      { outlier_detection_experimental: { childPolicy: [null] } },
      [{ ports: [1] }],
      ['usable', '1 the LB policy  chooses the endpoint'],
    ],
  ])('%s', (_title, policy, places, expected) => {
    expect(picksOf(policy, ...places)).toEqual(expected);
  });
});

describe('the outcome of an RPC', () => {
  const call = { path: '/s/m', metadata: [] };

  it('without a route, or with an unsupported action, is a failure by the routes', () => {
    const { config } = Follow.complete('a');
    const route = config.virtualHost.routes[0];
    if (route === undefined) throw new Error('no route');
    for (const selection of [{ kind: 'no route' }, { kind: 'no action', route }] as const) {
      expect(outcomeOf(selection, config, call, { nodeId: 'n' })).toMatchObject({
        kind: 'fails',
        blocked: { by: 'routes' },
      });
    }
  });

  it('is not the drop if only part of the RPCs is dropped', () => {
    const run = new Follow().get('LDS', 'l', json.listener('r')).get('RDS', 'r', json.routes('a'));
    const policy = {
      drop_overloads: [
        { category: 'none', drop_percentage: {} },
        { category: 'lb', drop_percentage: { numerator: 50 } },
      ],
    };
    run.get('CDS', 'a', json.eds('a')).get('EDS', 'a', { ...json.endpoints('a'), policy });
    const route = run.config.virtualHost.routes[0];
    if (route?.action.kind !== 'route') throw new Error('no route');
    const selection = {
      kind: 'cluster',
      route,
      action: route.action,
      cluster: 'a',
      fault: undefined,
      shares: [],
    } as const;
    expect(outcomeOf({ ...selection, shares: [] }, run.config, call, { nodeId: 'n' })).toMatchObject({
      kind: 'connects',
    });
  });
});

describe('the state of an LB policy', () => {
  it('does not collect the addresses of its endpoints until they are read', () => {
    const [place] = localities({ ports: [1, 2, 3, 2000] });
    let reads = 0;
    const endpoints = (place?.endpoints ?? []).map(({ addresses, health, weight, hostname }) => ({
      health,
      weight,
      hostname,
      get addresses() {
        reads++;
        return addresses;
      },
    }));
    const { picks } = endpointPolicyState(
      WRR,
      [{ name: { region: '', zone: '', subZone: '' }, weight: 1, endpoints }],
      CONTEXT,
    );
    expect(reads).toBe(1);
    const [outcome] = picks.map((pick) => pick.outcome);
    expect(outcome?.kind === 'connects' && outcome.addresses.map(({ port }) => port)).toEqual([1, 2, 3]);
  });
});
