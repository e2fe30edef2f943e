import { Problems } from '../../src/base/problem.ts';
import { compareSets } from '../../src/inspect/diff/compare-sets.ts';
import type { ComparedResource, ResourceSet } from '../../src/inspect/diff/resource-set.ts';
import { xdsCatalogue } from '../../src/proto/json/catalogue.ts';
import { parseAny } from '../../src/proto/json/parse.ts';
import { printAny } from '../../src/proto/json/print.ts';
import { RESOURCE_TYPES } from '../../src/proto/resource-types.ts';
import { type Figure, inTurns } from './measure.ts';
import type { Amount } from './page/value.ts';

const COUNT = 10_000;
const FEW = 1000;
const CHANGED = 100;
const ENDPOINTS = 10;
const RUNS = 5;

type Message = { '@type': string; [key: string]: unknown };

/** A quarter each of route configurations, clusters, and load assignments in two sizes. */
function message(i: number, isChanged: boolean): Message {
  const name = `service-${i}`;
  const weight = isChanged ? 90 : 80;
  if (i % 4 === 0) {
    const clusters = [
      { name: `${name}-blue`, weight },
      { name: `${name}-green`, weight: 100 - weight },
    ];
    const domains = [name, `${name}.shop`, `${name}.shop.svc`];
    const routes = [
      { match: { prefix: `/${name}.Admin/` }, route: { cluster: `${name}-admin` } },
      { match: { prefix: '' }, route: { weightedClusters: { clusters } } },
    ];
    const virtualHosts = [
      { name, domains, routes },
      { name: 'rest', domains: ['*'], routes: routes.slice(0, 1) },
    ];
    return { '@type': RESOURCE_TYPES.RDS, name, virtualHosts };
  }
  if (i % 4 === 1) {
    const filterMetadata = { istio: { name, team: 'shop', tier: weight }, other: { a: 1, b: '2' } };
    const edsClusterConfig = { serviceName: name, edsConfig: { ads: {} } };
    return { '@type': RESOURCE_TYPES.CDS, name, type: 'EDS', edsClusterConfig, metadata: { filterMetadata } };
  }
  const count = i % 4 === 2 ? ENDPOINTS : 2 * ENDPOINTS;
  const endpoints = ['a', 'b'].map((zone) => ({
    locality: { region: 'eu-west1', zone },
    loadBalancingWeight: weight,
    lbEndpoints: Array.from({ length: count / 2 }, (_, at) => ({
      endpoint: { address: { socketAddress: { address: `10.${i >> 8}.${i & 255}.${at}`, portValue: 8080 } } },
    })),
  }));
  return { '@type': RESOURCE_TYPES.EDS, clusterName: name, endpoints };
}

/** Reverses everything whose order does not matter. */
function reordered(value: unknown, key = ''): unknown {
  if (Array.isArray(value)) {
    const list = value.map((one) => reordered(one, key));
    return key === 'routes' ? list : list.reverse();
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([name, one]) => [name, reordered(one, name)] as const)
      .reverse(),
  );
}

function read(json: string): { typeUrl: string; value: Uint8Array } {
  const any = parseAny(xdsCatalogue, JSON.parse(json), new Problems());
  if (any === undefined) throw new Error(`invalid resource: ${json}`);
  return any;
}

function compared(json: string): ComparedResource {
  const { typeUrl, value } = read(json);
  const { name, clusterName } = JSON.parse(json) as Record<string, string>;
  return {
    typeUrl,
    name: name ?? (clusterName as string),
    version: '1',
    status: undefined,
    bytes: value,
    contents: () => printAny(xdsCatalogue, typeUrl, value),
  };
}

const setOf = (texts: readonly string[]): ResourceSet => ({
  label: 'bench',
  resources: texts.map(compared),
  notes: [],
});
const numbers = (count: number): number[] => [...Array(count).keys()];

const left = numbers(COUNT).map((i) => JSON.stringify(message(i, false)));
const permuted = numbers(COUNT)
  .map((i) => JSON.stringify(reordered(message(i, false))))
  .reverse();
const isChanged = (i: number): boolean => i % (COUNT / CHANGED) === 0;
const changed = numbers(COUNT)
  .map((i) => JSON.stringify(reordered(message(i, isChanged(i)))))
  .reverse();

const sets = { left: setOf(left), permuted: setOf(permuted), changed: setOf(changed) };
const few = { left: setOf(left.slice(0, FEW)), permuted: setOf(permuted.slice(-FEW)) };

/** The comparison, which must find as many differences as there are. */
function compare(a: ResourceSet, b: ResourceSet, differences: number): void {
  const found = compareSets(a, b, { versions: false }).differences.length;
  if (found !== differences) throw new Error(`${found} differences instead of ${differences}`);
}

const [reading, same, permutation, change, fewer] = inTurns(
  [
    () => [...left, ...permuted].map(read),
    () => compare(sets.left, sets.left, 0),
    () => compare(sets.left, sets.permuted, 0),
    () => compare(sets.left, sets.changed, CHANGED),
    () => compare(few.left, few.permuted, 0),
  ],
  RUNS,
) as [number, number, number, number, number];

const ms = (time: number): Amount => ({ unit: 'ms', median: time });
const peer = { peer: 'reading both sides from JSON', peerValue: ms(reading) };
const what = `${COUNT.toLocaleString('en')} × ${COUNT.toLocaleString('en')} resources`;
const figures: Figure[] = [
  { what: `${what}, the same bytes`, value: ms(same), ratio: same / reading, ...peer, goal: 0.1, runs: RUNS },
  {
    what: `${what}, equal in another order`,
    value: ms(permutation),
    ratio: permutation / reading,
    ...peer,
    goal: 2,
    runs: RUNS,
  },
  {
    what: `${what}, ${CHANGED} of them changed`,
    value: ms(change),
    ratio: change / reading,
    ...peer,
    goal: 2,
    runs: RUNS,
  },
  {
    what: `${what}, equal in another order`,
    value: ms(permutation),
    ratio: permutation / (fewer * (COUNT / FEW)),
    peer: `ten times ${FEW.toLocaleString('en')} × ${FEW.toLocaleString('en')}`,
    peerValue: ms(fewer * (COUNT / FEW)),
    goal: 1.3,
    runs: RUNS,
  },
];
process.stdout.write(JSON.stringify(figures));
