import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { diffResources } from '../../../src/inspect/diff/diff.js';
import { canonical, comparable, fixtureResources, type Json, rebuilt } from './oracle.js';

type Message = { [key: string]: Json };

const RESOURCES = fixtureResources();
const resource = fc.constantFrom(...RESOURCES);
const typeOf = (message: Message): string => String(message['@type']);

/** A text from few, so that keys repeat. */
const word = fc.constantFrom('a', 'b', 'c');
const optional = <T extends Record<string, fc.Arbitrary<Json>>>(fields: T): fc.Arbitrary<Message> =>
  fc.record(fields, { requiredKeys: [] }) as fc.Arbitrary<Message>;
const typed = <T extends Record<string, fc.Arbitrary<Json>>>(type: string, fields: T): fc.Arbitrary<Message> =>
  optional(fields).map((message) => ({ '@type': `type.googleapis.com/${type}`, ...message }));
const few = (element: fc.Arbitrary<Json>): fc.Arbitrary<Json[]> => fc.array(element, { maxLength: 5 });

const routeAction = optional({
  cluster: word,
  weightedClusters: optional({ clusters: few(optional({ name: word, weight: fc.nat(2) })) }),
});
const routeConfiguration = typed('envoy.config.route.v3.RouteConfiguration', {
  virtualHosts: few(
    optional({
      name: word,
      domains: few(word),
      routes: few(optional({ name: word, match: optional({ prefix: word }), route: routeAction })),
    }),
  ),
});
const lbEndpoint = optional({
  endpoint: optional({ address: optional({ socketAddress: optional({ address: word, portValue: fc.nat(1) }) }) }),
  healthStatus: word,
});
const loadAssignment = typed('envoy.config.endpoint.v3.ClusterLoadAssignment', {
  endpoints: few(
    optional({ locality: optional({ region: word, zone: word }), priority: fc.nat(2), lbEndpoints: few(lbEndpoint) }),
  ),
});
const hcm = typed('envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager', {
  routeConfig: routeConfiguration,
  httpFilters: few(optional({ name: word, isOptional: fc.boolean() })),
});
const listener = typed('envoy.config.listener.v3.Listener', {
  filterChains: few(
    optional({
      name: word,
      filterChainMatch: optional({ serverNames: few(word) }),
      filters: few(optional({ name: word, typedConfig: hcm })),
    }),
  ),
});
const generated: fc.Arbitrary<[string, Message, Message]> = fc.oneof(
  fc.tuple(fc.constant('RDS'), routeConfiguration, routeConfiguration),
  fc.tuple(fc.constant('EDS'), loadAssignment, loadAssignment),
  fc.tuple(fc.constant('LDS'), listener, listener),
);

/** Two resources of one type: of the fixtures, or generated with many repeated keys. */
const two: fc.Arbitrary<[string, Message, Message]> = fc.oneof(
  generated,
  resource.chain((one) => {
    const others = RESOURCES.filter((other) => typeOf(other) === typeOf(one));
    return fc.tuple(fc.constant(typeOf(one)), fc.constant(one), fc.constantFrom(...others));
  }),
);

function permuted(value: Message, seed: number): Message {
  let state = seed;
  const next = (most: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % most;
  };
  const shuffle = <T>(list: T[]): T[] => {
    for (let i = list.length - 1; i > 0; i--) {
      const j = next(i + 1);
      [list[i], list[j]] = [list[j] as T, list[i] as T];
    }
    return list;
  };
  return rebuilt(value, shuffle, shuffle) as Message;
}

/** The keys and indexes that lead to a value. */
type Place = (string | number)[];

function valueAt(value: Json, place: Place): Json {
  return place.reduce((inner, key) => (inner as Message)[key] as Json, value);
}

function placesIn(value: Json, path: Place = []): Place[] {
  if (typeof value !== 'object' || value === null) return [path];
  const entries = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  return [path, ...entries.flatMap(([key, one]) => placesIn(one, [...path, key]))];
}

function edited(value: Json, [key, ...rest]: Place, change: (old: Json) => Json): Json {
  if (key === undefined) return change(value);
  const copy = (Array.isArray(value) ? [...value] : { ...(value as Message) }) as Message;
  copy[key] = edited(copy[key] as Json, rest, change);
  return copy;
}

describe('difference of resources', () => {
  it('is empty for a resource and itself', () => {
    for (const one of RESOURCES) expect(diffResources(one, structuredClone(one), typeOf(one)).changes).toEqual([]);
  });

  it('is empty if only unordered lists and keys are permuted', () => {
    const anyResource = fc.oneof(
      resource,
      generated.map(([, one]) => one),
    );
    fc.assert(
      fc.property(anyResource, fc.nat(), (one, seed) => {
        expect(diffResources(one, permuted(one, seed), typeOf(one)).changes).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  it('is empty if and only if the resources are equal', () => {
    fc.assert(
      fc.property(two, fc.nat(), ([type, a, b], seed) => {
        const { changes } = diffResources(a, permuted(b, seed), type);
        expect(changes.length === 0).toBe(canonical(a) === canonical(b));
      }),
      { numRuns: 1000 },
    );
  });

  it('mirrors the difference in the other direction', () => {
    fc.assert(
      fc.property(two, ([type, a, b]) => {
        const [there, back] = [diffResources(a, b, type), diffResources(b, a, type)];
        expect(comparable(there, true)).toEqual(comparable(back, false));
      }),
      { numRuns: 1000 },
    );
  });

  it('has a change at the place of an edit, and nowhere else', () => {
    const edit = fc
      .oneof(
        resource,
        generated.map(([, one]) => one),
      )
      .chain((one) => {
        const places = placesIn(one).filter((path) => path.length > 0 && path[0] !== '@type');
        return fc.tuple(fc.constant(one), fc.constantFrom(...(places.length > 0 ? places : [['new']])));
      });
    fc.assert(
      fc.property(edit, ([one, place]) => {
        const after = edited(one, place, () => 'a new value') as Message;
        const { changes } = diffResources(one, after, typeOf(one));
        expect(changes.length).toBeGreaterThan(0);
        for (const { steps, kind } of changes) {
          const reached = steps.map((step) =>
            'field' in step ? step.field : 'key' in step ? step.key : (step.after ?? step.before),
          ) as Place;
          const expected = place.slice(0, reached.length);
          // Of equal elements, any may count as the removed one.
          if (kind === 'removed') expect(valueAt(one, reached)).toEqual(valueAt(one, expected));
          else expect(reached).toEqual(expected);
        }
      }),
      { numRuns: 1000 },
    );
  });

  it('has one change for an element that is inserted into an ordered list', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(5)), fc.nat(), (prefixes, seed) => {
        const at = seed % (prefixes.length + 1);
        const routes = prefixes.map((n) => ({ match: { prefix: `/${n}` }, route: { cluster: 'c' } }));
        const inserted = routes.toSpliced(at, 0, { match: { prefix: '/new' }, route: { cluster: 'c' } });
        const rds = (list: unknown[]) => ({ virtualHosts: [{ routes: list }] });
        const { changes } = diffResources(rds(routes), rds(inserted), 'RDS');
        expect(changes).toMatchObject([{ kind: 'added', path: `virtual_hosts[0].routes[${at}]` }]);
      }),
    );
  });
});
