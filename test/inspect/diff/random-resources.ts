import fc from 'fast-check';
import { type Json, rebuilt } from './oracle.js';

export type Message = { [key: string]: Json };
/** A resource of the four types that gRPC subscribes to, in proto JSON. */
export type Named = { type: string; name: string; json: Message };

const T = 'type.googleapis.com/';
const word = fc.constantFrom('a', 'b', 'c', 'd');
const some = <E>(element: fc.Arbitrary<E>, by: (one: E) => unknown): fc.Arbitrary<E[]> =>
  fc.uniqueArray(element, { maxLength: 4, selector: (one) => JSON.stringify(by(one)) });
const nameOf = (one: Message): unknown => one.name;
const labels = fc.dictionary(word, word, { maxKeys: 3 });

const weighted = some(fc.record({ name: word, weight: fc.integer({ min: 1, max: 9 }) }), nameOf);
const route = fc.record({
  name: word,
  match: fc.record({ prefix: word.map((w) => `/${w}`) }),
  route: fc.oneof(
    fc.record({ cluster: word }),
    weighted.map((clusters) => ({ weightedClusters: { clusters } })),
  ),
  metadata: labels.map((map) => ({ filterMetadata: { x: map, y: { list: Object.values(map) } } })),
});
const virtualHost = fc.record({
  name: word,
  domains: some(word, (one) => one),
  routes: fc.array(route, { maxLength: 4 }),
});
const routeConfiguration = (name: string): fc.Arbitrary<Message> =>
  some(virtualHost, nameOf).map((virtualHosts) => ({ name, virtualHosts }));

const filter = word.map((name) => ({
  name,
  typedConfig: { '@type': `${T}google.protobuf.Struct`, value: { name } },
}));
const hcm = fc.tuple(routeConfiguration('inline'), some(filter, nameOf)).map(([routeConfig, httpFilters]) => ({
  '@type': `${T}envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager`,
  routeConfig,
  httpFilters,
}));
const filterChain = fc.record({
  name: word,
  filters: some(fc.record({ name: word, typedConfig: hcm }), nameOf),
});
const listener = (name: string): fc.Arbitrary<Message> =>
  some(filterChain, nameOf).map((filterChains) => ({ name, filterChains }));

const lbEndpoint = fc.nat(5).map((port) => ({
  endpoint: { address: { socketAddress: { address: '10.0.0.1', portValue: 80 + port } } },
}));
const locality = fc.record({
  locality: fc.record({ region: word, zone: word }),
  priority: fc.integer({ min: 1, max: 3 }),
  lbEndpoints: some(lbEndpoint, (one) => one),
});
export const endpoints = some(locality, (one) => one.locality);
const loadAssignment = (name: string): fc.Arbitrary<Message> =>
  endpoints.map((list) => ({ clusterName: name, endpoints: list }));

const cluster = (name: string): fc.Arbitrary<Message> =>
  fc.oneof(
    some(word, (one) => one).map((clusters) => ({
      name,
      clusterType: {
        name: 'aggregate',
        typedConfig: { '@type': `${T}envoy.extensions.clusters.aggregate.v3.ClusterConfig`, clusters },
      },
    })),
    fc.tuple(endpoints, labels).map(([list, map]) => ({
      name,
      type: 'STATIC',
      loadAssignment: { clusterName: name, endpoints: list },
      metadata: { filterMetadata: { m: map } },
    })),
  );

const BY_TYPE = { LDS: listener, RDS: routeConfiguration, CDS: cluster, EDS: loadAssignment };
/** A resource in which names and texts repeat. */
export const named: fc.Arbitrary<Named> = fc
  .tuple(fc.constantFrom(...(Object.keys(BY_TYPE) as (keyof typeof BY_TYPE)[])), word)
  .chain(([type, name]) => BY_TYPE[type](name).map((json) => ({ type, name, json })));
/** Resources with different names. */
export const resources = fc.uniqueArray(named, { maxLength: 8, selector: ({ type, name }) => `${type} ${name}` });

function shuffler(seed: number): <E>(list: E[]) => E[] {
  let state = seed;
  return (list) => {
    for (let i = list.length - 1; i > 0; i--) {
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
      const j = (state >>> 8) % (i + 1);
      [list[i], list[j]] = [list[j] as (typeof list)[0], list[i] as (typeof list)[0]];
    }
    return list;
  };
}

/** All lists without an order, all keys and the resources themselves in another order. */
export function permuted(all: readonly Named[], seed: number): Named[] {
  const shuffle = shuffler(seed);
  return shuffle(all.map((one) => ({ ...one, json: rebuilt(one.json, shuffle, shuffle) as Message })));
}
