import type { Dice } from '../../../../tools/oracle/mutation/dice.js';
import type { RandomClusters } from './random-clusters.js';
import { type Faults, randomFaultOverrides } from './random-faults.js';
import { randomHeaderMatcher, randomPath } from './random-matchers.js';

const DOMAINS = [
  ...Array.from({ length: 20 }, () => ['*']),
  ['t*'],
  ['*1'],
  ['other.example'],
  ['T*', 'other.example'],
];

/** A route configuration: most have one route for all calls, so that the clusters determine the outcome. */
export function randomRouteConfig(name: string, clusters: RandomClusters, faults: Faults, dice: Dice): object {
  const isTable = dice.chance(0.35);
  const routes = isTable
    ? Array.from({ length: 1 + dice.below(6) }, () => randomRoute(clusters, faults, dice))
    : [{ match: { prefix: '' }, ...randomAction(clusters, faults, dice) }];
  const domains = dice.pick(DOMAINS);
  return {
    name,
    virtual_hosts: [{ name: 'v', domains, routes, ...randomFaultOverrides(0.1, faults, dice) }],
  };
}

function randomRoute(clusters: RandomClusters, faults: Faults, dice: Dice): object {
  const headers = dice.chance(0.4) ? [randomHeaderMatcher(dice)] : [];
  if (headers.length > 0 && dice.chance(0.3)) headers.push(randomHeaderMatcher(dice));
  const fraction = dice.weighted<object>([
    [8, {}],
    [1, { runtime_fraction: { default_value: { numerator: 0 } } }],
    [1, { runtime_fraction: { default_value: { numerator: 100 } } }],
    [1, { runtime_fraction: { default_value: { numerator: 50 } } }],
  ]);
  return { match: { ...randomPath(dice), headers, ...fraction }, ...randomAction(clusters, faults, dice) };
}

function randomAction(clusters: RandomClusters, faults: Faults, dice: Dice): object {
  const overrides = randomFaultOverrides(0.15, faults, dice);
  return dice.weighted<() => object>([
    [30, () => ({ route: { cluster: clusters.add(), ...randomOptions(dice) }, ...overrides })],
    [6, () => ({ route: { ...weighted(clusters, faults, dice), ...randomOptions(dice) }, ...overrides })],
    [0.5, () => ({ non_forwarding_action: {} })],
    [0.5, () => ({ redirect: { host_redirect: 'elsewhere' } })],
    [0.5, () => ({ route: { cluster_header: 'env' } })],
  ])();
}

function weighted(clusters: RandomClusters, faults: Faults, dice: Dice): object {
  const list = Array.from({ length: 1 + dice.below(3) }, () => ({
    name: clusters.add(),
    weight: dice.pick([0, 1, 1, 3, 50]),
    ...randomFaultOverrides(0.1, faults, dice),
  }));
  return { weighted_clusters: { clusters: list } };
}

/** Timeouts, retries and hash policies of a route. */
function randomOptions(dice: Dice): object {
  return {
    ...(dice.chance(0.15) ? { max_stream_duration: randomDuration(dice) } : {}),
    ...(dice.chance(0.15) ? { retry_policy: randomRetries(dice) } : {}),
    ...(dice.chance(0.2) ? { hash_policy: [randomHash(dice)] } : {}),
    ...(dice.chance(0.05) ? { timeout: '1s' } : {}),
  };
}

/** Timeouts that differ enough from fault delays and the deadline to avoid races. */
export function randomDuration(dice: Dice): object {
  return {
    ...dice.pick([{ max_stream_duration: '2s' }, { max_stream_duration: '20s' }, { max_stream_duration: '0s' }]),
    ...(dice.chance(0.3) ? { grpc_timeout_header_max: dice.pick(['2s', '20s', '0s']) } : {}),
  };
}

function randomRetries(dice: Dice): object {
  return {
    retry_on: dice.pick(['unavailable', 'unavailable,internal', 'cancelled', '5xx']),
    num_retries: 1 + dice.below(3),
    retry_back_off: { base_interval: '0.01s', max_interval: '0.05s' },
  };
}

function randomHash(dice: Dice): object {
  const terminal = dice.chance(0.3);
  return dice.pick([
    { header: { header_name: 'user' }, terminal },
    { filter_state: { key: 'io.grpc.channel_id' }, terminal },
    { header: { header_name: 'x-id', regex_rewrite: { pattern: { regex: 'a' }, substitution: 'b' } }, terminal },
    { cookie: { name: 'c' } },
  ]);
}
