import { PRESETS } from '../../src/bootstrap/presets.ts';
import type { WatcherUpdate } from '../../src/core/watcher.ts';
import { DependencyManager } from '../../src/deps/dependency-manager.ts';
import { shortType } from '../../src/proto/resource-types.ts';
import type { XdsResource } from '../../src/resources/resource.ts';
import { type Figure, inTurns } from './measure.ts';
import type { Amount } from './page/value.ts';

const COUNT = 10_000;
const RUNS = 15;

/** Validated resources, built by hand: validation is not measured here. */
const listener = {
  type: 'LDS',
  value: {
    kind: 'client',
    connectionManager: { routes: { kind: 'rds', name: 'r' }, maxStreamDurationMs: 0, filters: [] },
  },
} as XdsResource;

function routes(count: number): XdsResource {
  const all = Array.from({ length: count }, (_none, index) => ({
    displayOnly: { index, name: '' },
    match: { path: { kind: 'prefix', text: `/s${index}/`, caseSensitive: true }, headers: [], fraction: undefined },
    action: { kind: 'route', destination: { kind: 'cluster', name: `c${index}` } },
    overrides: new Map(),
  }));
  const virtualHosts = [{ displayOnly: { name: '' }, domains: ['*'], routes: all, overrides: new Map() }];
  return { type: 'RDS', value: { virtualHosts, plugins: new Map() } } as unknown as XdsResource;
}

const cluster = { type: 'CDS', value: { discovery: { kind: 'eds', serviceName: '' } } } as XdsResource;
const aggregate = (child: string): XdsResource =>
  ({ type: 'CDS', value: { discovery: { kind: 'aggregate', clusters: [child] } } }) as unknown as XdsResource;
const endpoints = (weight: number): XdsResource => {
  const locality = { name: { region: '', zone: '', subZone: '' }, weight, endpoints: [{}] };
  return { type: 'EDS', value: { priorities: [[locality]], drops: [] } } as unknown as XdsResource;
};

/** A target with `count` clusters whose resources are all cached: a new watcher gets its resource at once. */
class Target {
  readonly manager: DependencyManager;
  published = 0;

  constructor(count: number, clusterOf: (name: string) => XdsResource = () => cluster) {
    const queue: ['LDS' | 'RDS' | 'CDS' | 'EDS', string][] = [];
    this.manager = new DependencyManager(
      {
        target: 'xds:///bench',
        nodeId: undefined,
        listener: 'l',
        authority: 'x',
        policies: PRESETS.spec.policies,
        random: () => 0.5,
      },
      {
        watch: (typeUrl, name) => {
          queue.push([shortType(typeUrl) as 'LDS', name]);
          return { kind: 'internal' };
        },
        unwatch: () => {},
        resolve: () => 0,
        publish: () => {
          this.published++;
        },
        setNeeds: () => {},
      },
    );
    const routed = routes(count);
    const one = endpoints(1);
    while (queue.length > 0) {
      for (const [type, name] of queue.splice(0)) {
        const resource = { LDS: listener, RDS: routed, CDS: clusterOf(name), EDS: one }[type];
        this.manager.onUpdate(type, name, changed(resource));
      }
      this.manager.processUpdates();
    }
    if (this.published === 0) throw new Error('the dependency manager published no configuration');
  }

  update(name: string, weight: number): void {
    this.manager.onUpdate('EDS', name, changed(endpoints(weight)));
    this.manager.processUpdates();
  }
}

function changed(resource: XdsResource): WatcherUpdate {
  return { kind: 'OnResourceChanged', resource };
}

const target = new Target(COUNT);
let weight = 1;
const [update = 0, scratch = 1, tenth = 1] = inTurns(
  [
    () => {
      for (let i = 0; i < 100; i++) target.update(`c${i}`, ++weight);
    },
    () => new Target(COUNT),
    () => new Target(COUNT / 10),
  ],
  RUNS,
);
/** Fifteen aggregate clusters above each of a hundred leaves. */
const chain = (name: string): XdsResource => {
  const [, leaf, level] = /^c(\d+)(?:\.(\d+))?$/.exec(name) ?? [];
  const next = Number(level ?? 0) + 1;
  return next > 15 ? cluster : aggregate(`c${leaf}.${next}`);
};
const [deep = 0, flat = 1] = inTurns([() => new Target(100, chain), () => new Target(1600)], RUNS);

const many = COUNT.toLocaleString('en');
const ms = (time: number): Amount => ({ unit: 'ms', median: time });
const figures: Figure[] = [
  {
    what: `one changed load assignment among ${many} clusters`,
    value: ms(update / 100),
    ratio: update / 100 / scratch,
    peer: 'resolving them from scratch',
    peerValue: ms(scratch),
    goal: 0.01,
    runs: RUNS,
  },
  {
    what: `${many} routes and clusters from scratch`,
    value: ms(scratch),
    ratio: scratch / (10 * tenth),
    peer: 'ten times a tenth of them',
    peerValue: ms(10 * tenth),
    goal: 2,
    runs: RUNS,
  },
  {
    what: '100 chains of 16 clusters from scratch',
    value: ms(deep),
    ratio: deep / flat,
    peer: '1,600 clusters side by side',
    peerValue: ms(flat),
    goal: 3,
    runs: RUNS,
  },
];
console.log(JSON.stringify(figures));
