/**
 * What holds whatever happens, in whatever order, with one to three servers, and an authority that has either two of its
 * own or the same ones the other way round, for both sets of policies.
 *
 * On the wire (the first four are checked by the bench, in every scenario):
 *  - a stream has at most one write and one read under way, and a connection at most one stream;
 *  - nothing is written to, read from or cancelled on a stream that was cancelled or has ended;
 *  - the node is in the first request of a stream, and in no other;
 *  - nobody is told anything after its watch was cancelled;
 *  - the version in a request is that of the last response that was accepted (R1.11) on the connection; C-core's may be
 *    behind by requests that were put into words before, but never goes back;
 *  - a request, when it is written, lists all that is watched on its stream, and nothing else unless another authority has
 *    made use of the server; when all requests have left, each stream has been asked for just that.
 * In the cache:
 *  - a wait for a resource begins only where there is none;
 *  - the snapshot lists exactly the names that are watched;
 *  - a watcher was last told a resource if and only if there is one, and that one;
 *  - the servers that metrics name are those that are connected.
 * In time:
 *  - after a tick, nothing that is due lies in the past;
 *  - the same inputs at the same times have the same effects;
 *  - when nobody watches or follows anything, every stream is cancelled, every connection closed, and nothing is due.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { StatusName } from '../../../src/base/status.js';
import type { Preset } from '../../../src/bootstrap/switches.js';
import type { Effect } from '../../../src/core/effect.js';
import type { ConnectivityState, Input } from '../../../src/core/input.js';
import { DiscoveryResponse } from '../../../src/proto/generated/envoy.service.discovery.v3.js';
import type { Any } from '../../../src/proto/generated/google.protobuf.js';
import { decode } from '../../../src/proto/message-type.js';
import { RESOURCE_TYPES } from '../../../src/proto/resource-types.js';
import { Bench, type HarnessOptions, newEngine, type Wire } from './harness.js';
import { bad, EMPTY, garbage, good, type Short, wrapped } from './resources.js';

const TYPES = ['CDS', 'EDS'] as const;
const TYPE_NAMES = { CDS: 'envoy.config.cluster.v3.Cluster', EDS: 'envoy.config.endpoint.v3.ClusterLoadAssignment' };
/** Two names without an authority, one with, and one of an authority that there is not. */
const nameOf = (type: 'CDS' | 'EDS', name: number): string =>
  ['a', 'b', `xdstp://auth/${TYPE_NAMES[type]}/x`, `xdstp://nobody/${TYPE_NAMES[type]}/x`][name] as string;

interface Item {
  kind: 'good' | 'bad' | 'garbage' | 'empty' | 'named garbage';
  name: number;
  value: number;
}

type Action =
  | { do: 'watch'; type: 'CDS' | 'EDS'; name: number }
  | { do: 'unwatch'; which: number }
  | { do: 'sent'; which: number }
  | { do: 'respond'; which: number; type: 'CDS' | 'EDS'; items: Item[]; errors: { name: number; code: StatusName }[] }
  | { do: 'rubbish'; which: number }
  | { do: 'end'; which: number; code: StatusName }
  | { do: 'connectivity'; which: number; state: ConnectivityState }
  | { do: 'done' }
  | { do: 'wait'; milliseconds: number };

const index = fc.nat({ max: 9 });
const type = fc.constantFrom(...TYPES);
const name = fc.constantFrom(0, 0, 1, 1, 2, 2, 3);
const item: fc.Arbitrary<Item> = fc.record({
  kind: fc.constantFrom('good', 'good', 'good', 'bad', 'garbage', 'empty', 'named garbage'),
  name: fc.nat({ max: 2 }),
  value: fc.integer({ min: 1, max: 2 }),
});
const reported = fc.record({
  name: fc.nat({ max: 2 }),
  code: fc.constantFrom<StatusName>('NOT_FOUND', 'UNAVAILABLE', 'OK'),
});

const action: fc.Arbitrary<Action> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('watch' as const), type, name }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('unwatch' as const), which: index }) },
  { weight: 8, arbitrary: fc.record({ do: fc.constant('sent' as const), which: index }) },
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('respond' as const),
      which: index,
      type,
      items: fc.array(item, { maxLength: 4 }),
      errors: fc.array(reported, { maxLength: 1 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('rubbish' as const), which: index }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('end' as const),
      which: index,
      code: fc.constantFrom<StatusName>('OK', 'UNAVAILABLE', 'INTERNAL'),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('connectivity' as const),
      which: index,
      state: fc.constantFrom<ConnectivityState>('idle', 'connecting', 'ready', 'transient-failure', 'lame'),
    }),
  },
  { weight: 6, arbitrary: fc.constant({ do: 'done' as const }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('wait' as const),
      milliseconds: fc.constantFrom(1, 900, 1500, 15_000, 60_000),
    }),
  },
);

const settings = (preset: Preset): fc.Arbitrary<HarnessOptions> =>
  fc
    .record({
      count: fc.integer({ min: 1, max: 3 }),
      features: fc.subarray(['fail_on_data_errors', 'resource_timer_is_transient_error', 'ignore_resource_deletion']),
      a88: fc.boolean(),
      isShared: fc.boolean(),
    })
    .map(({ count, features, a88, isShared }) => {
      const servers = ['S0', 'S1', 'S2'].slice(0, count).map((uri) => ({ uri, features }));
      const auth = isShared ? [...servers].reverse() : ['T0', 'T1'];
      return { servers, authorities: { auth }, a88, preset };
    });

/** Does what it is told to, as far as that is possible, and looks after every step whether all is as it has to be. */
class Run {
  readonly bench: Bench;
  readonly #setting: HarnessOptions;
  /** Types that were watched since the client began (R1.24). */
  readonly #known = new Set<string>();
  readonly #versions = new Map<string, AcceptedVersions>();
  #lastVersion = 0;

  constructor(setting: HarnessOptions) {
    this.#setting = setting;
    this.bench = new Bench(setting);
    this.bench.holdsWrites = true;
    this.bench.holdsReadings = true;
    this.bench.onStep = (input, effects) => this.#check(input, effects);
  }

  do(action: Action): void {
    const { bench } = this;
    switch (action.do) {
      case 'watch':
        this.#known.add(RESOURCE_TYPES[action.type]);
        bench.watch(action.type, nameOf(action.type, action.name));
        break;
      case 'unwatch': {
        const watcher = pick([...bench.watchers.keys()], action.which);
        if (watcher !== undefined) bench.cancel(watcher);
        break;
      }
      case 'sent': {
        const wire = pick(
          this.#open.filter(({ isWriting }) => isWriting),
          action.which,
        );
        if (wire !== undefined) bench.complete(wire.server);
        break;
      }
      case 'respond':
        this.#respond(action);
        break;
      case 'rubbish': {
        const wire = pick(this.#open, action.which);
        if (wire !== undefined) bench.send(Uint8Array.of(0xff), wire.server);
        break;
      }
      case 'end': {
        const wire = pick(this.#open, action.which);
        if (wire !== undefined) bench.end(action.code, 'over', wire.server);
        break;
      }
      case 'connectivity': {
        const server = pick([...bench.connections.values()], action.which);
        if (server !== undefined) bench.connectivity(action.state, 'no way', server);
        break;
      }
      case 'done':
        if (bench.heldReadings > 0) bench.release();
        break;
      case 'wait':
        bench.advance(action.milliseconds);
        break;
    }
  }

  /** Everything is let go of, at once or when all requests have left. */
  finish(isSettled: boolean): void {
    const { bench } = this;
    if (isSettled) this.#settle();
    bench.close();
    const again = newEngine(this.#setting);
    for (const { input, now, effects } of bench.steps) expect(again.handle(input, now)).toEqual(effects);
  }

  #settle(): void {
    for (let wire = this.#writing; wire !== undefined; wire = this.#writing) this.bench.complete(wire.server);
    // C-core may leave names out that a lesser server has not been told (R5.9).
    if (this.bench.preset === 'spec') for (const wire of this.#open) this.#checkAsked(wire);
  }

  get #open(): Wire[] {
    return [...this.bench.wires.values()].filter(({ isOpen }) => isOpen);
  }

  get #writing(): Wire | undefined {
    return this.#open.find(({ isWriting }) => isWriting);
  }

  #respond({ which, type, items, errors }: Extract<Action, { do: 'respond' }>): void {
    const wire = pick(this.#open, which);
    if (wire === undefined) return;
    const version = `${++this.#lastVersion}`;
    const resources = items.map((one) => resourceOf(type, one));
    const reports = errors.map(({ name: which, code }) => ({ name: nameOf(type, which), code }));
    this.bench.respond(type, { version, nonce: `n${version}`, resources, errors: reports }, wire.server);
  }

  #check(input: Input, effects: Effect[]): void {
    const { bench } = this;
    if (bench.watchers.size === 0) this.#known.clear();
    if (input.kind === 'message') this.#takeVersion(input.stream, input.bytes);
    if (input.kind === 'tick')
      expect(bench.engine.nextDeadline() ?? Number.POSITIVE_INFINITY).toBeGreaterThan(bench.now);
    for (const effect of effects) this.#checkEffect(effect);
    this.#checkCache();
  }

  #checkEffect(effect: Effect): void {
    if (effect.kind === 'disconnect') {
      for (const key of this.#versions.keys()) if (key.startsWith(`${effect.channel} `)) this.#versions.delete(key);
    }
    if (effect.kind === 'send') {
      const wire = this.bench.wires.get(effect.stream) as Wire;
      const { typeUrl, versionInfo, resourceNames } = wire.requests.at(-1) as Wire['requests'][number];
      const isSpec = this.bench.preset === 'spec';
      this.#versionsOf(wire.channel, typeUrl).seen(versionInfo, isSpec);
      if (isSpec) this.#checkNames(resourceNames, this.#wanted(wire, typeUrl));
    }
    if (effect.kind === 'event' && effect.event.kind === 'timer' && effect.event.change === 'started') {
      const { typeUrl, names } = effect.event;
      const cached = this.bench.entries().filter((entry) => entry.typeUrl === typeUrl && names.includes(entry.name));
      expect(cached.map(({ resource }) => resource)).toEqual(names.map(() => undefined));
    }
  }

  #checkCache(): void {
    const { bench } = this;
    const entries = new Map(bench.entries().map((entry) => [`${entry.typeUrl} ${entry.name}`, entry]));
    const watched = new Set<string>();
    for (const [watcher, { typeUrl, name: watchedName }] of bench.watchers) {
      const changes = (bench.told.get(watcher) ?? []).filter(({ kind }) => kind === 'OnResourceChanged');
      const last = changes.at(-1);
      const resource = last !== undefined && 'resource' in last ? last.resource : undefined;
      expect(entries.get(`${typeUrl} ${watchedName}`)?.resource).toBe(resource);
      if (!watchedName.startsWith('xdstp://nobody/')) watched.add(`${typeUrl} ${watchedName}`);
    }
    expect([...entries.keys()].sort()).toEqual([...watched].sort());
    const connected = bench.metrics().connected.map((line) => line.split(' ')[0]);
    expect(connected.sort()).toEqual([...bench.connections.values()].sort());
  }

  /** R1.11: a response is accepted if something good in it is watched, or nothing in it is bad. */
  #takeVersion(stream: number, bytes: Uint8Array): void {
    const wire = this.bench.wires.get(stream);
    const response = decode(DiscoveryResponse, bytes);
    if (!wire?.isOpen || !response.ok || !this.#known.has(response.value.typeUrl)) return;
    const { typeUrl, versionInfo, resources, resourceErrors } = response.value;
    const goods = resources.flatMap((one) => GOODS.get(key(one)) ?? []);
    const watched = new Set([...this.bench.watchers.values()].map((one) => `${one.typeUrl} ${one.name}`));
    const hasBadReport = resourceErrors.some(({ errorDetail }) => errorDetail?.code === 0);
    const isFlawless = goods.length === resources.length && !(hasBadReport && this.#setting.a88 === true);
    const isCertain = isFlawless || goods.some((one) => watched.has(`${typeUrl} ${one}`));
    // What nobody watches counts as long as the server does not know that (R1.27).
    if (isCertain || goods.length > 0) this.#versionsOf(wire.channel, typeUrl).add(versionInfo, isCertain);
  }

  #versionsOf(channel: number, typeUrl: string): AcceptedVersions {
    const id = `${channel} ${typeUrl}`;
    const known = this.#versions.get(id) ?? new AcceptedVersions();
    this.#versions.set(id, known);
    return known;
  }

  /** What the stream should have been asked for: all that is watched in the authorities that make use of its server. */
  #wanted({ server }: Wire, typeUrl: string): string[] {
    const { authorities, entries } = this.bench.engine.snapshot()[0] ?? { authorities: [], entries: [] };
    const inUse = authorities.filter(({ servers }) => {
      const active = servers.findIndex(({ isActive }) => isActive);
      return servers.slice(0, active + 1).some(({ uri }) => uri === server);
    });
    const names = new Set(inUse.map((authority) => authority.name));
    return entries
      .filter((entry) => entry.typeUrl === typeUrl && names.has(entry.authority))
      .map((entry) => entry.name);
  }

  #checkAsked(wire: Wire): void {
    for (const short of TYPES) {
      const typeUrl = RESOURCE_TYPES[short];
      const wanted = this.#wanted(wire, typeUrl);
      const asked = wire.requests.findLast((request) => request.typeUrl === typeUrl)?.resourceNames ?? [];
      this.#checkNames(asked, wanted);
    }
  }

  #checkNames(asked: readonly string[], wanted: string[]): void {
    const isShared = this.#setting.authorities?.auth?.includes('T0') === false;
    if (isShared) expect(asked).toEqual(expect.arrayContaining(wanted));
    else expect(asked).toEqual(wanted.sort());
  }
}

/** The versions of one type that a connection has accepted, the oldest first. */
class AcceptedVersions {
  readonly #all: { version: string; isCertain: boolean }[] = [{ version: '', isCertain: true }];
  #at = 0;

  add(version: string, isCertain: boolean): void {
    this.#all.push({ version, isCertain });
  }

  seen(version: string, hasToBeLatest: boolean): void {
    const at = this.#all.findIndex((one) => one.version === version);
    expect(at, `version ${version} after ${this.#all[this.#at]?.version}`).toBeGreaterThanOrEqual(this.#at);
    this.#at = at;
    if (hasToBeLatest) expect(this.#all.slice(at + 1).filter(({ isCertain }) => isCertain)).toEqual([]);
  }
}

/** Names of all good resources that were made, by their bytes. */
const GOODS = new Map<string, string>();
const key = ({ typeUrl, value }: Any): string => `${typeUrl} ${value}`;

function resourceOf(short: 'CDS' | 'EDS', { kind, name: which, value }: Item): Any {
  const called = nameOf(short, which);
  if (kind === 'bad') return bad(short, called);
  if (kind === 'garbage') return garbage(short);
  if (kind === 'named garbage') return wrapped(called, garbage(short));
  if (kind === 'empty') return EMPTY;
  // A cluster with an xdstp name has to name its endpoints, which these do not.
  if (short === 'CDS' && which === 2) return bad(short, called);
  const made = good(short, called, value);
  GOODS.set(key(made), called);
  return made;
}

function pick<T>(all: readonly T[], which: number): T | undefined {
  return all[which % Math.max(all.length, 1)];
}

/** What a target needs, good or bad; a follower has to cope with all of it. */
const target = fc.array(
  fc.oneof(
    fc.record({
      do: fc.constant('respond' as const),
      type: fc.constantFrom<Short>('LDS', 'RDS', 'CDS', 'EDS'),
      names: fc.subarray(['a', 'b']),
      kind: fc.constantFrom('good', 'good', 'good', 'bad'),
      leadsTo: fc.constantFrom('a', 'b'),
    }),
    fc.constant({ do: 'end' as const }),
    fc.record({ do: fc.constant('wait' as const), milliseconds: fc.constantFrom(1500, 15_000) }),
  ),
  { maxLength: 25 },
);

describe.each(['spec', 'c-core'] as const)('whatever happens, with the policies of %s', (preset) => {
  it('a client keeps to the protocol, and its cache to what its watchers were told', () => {
    fc.assert(
      fc.property(
        settings(preset),
        fc.array(action, { minLength: 5, maxLength: 60 }),
        fc.boolean(),
        (setting, actions, isSettled) => {
          const run = new Run(setting);
          for (const one of actions) run.do(one);
          run.finish(isSettled);
        },
      ),
      { numRuns: 200, seed: 1 },
    );
  });

  it('a server that another authority has returned from is let go of with all others', () => {
    const t = new Bench({ preset, servers: ['S0', 'S1'], authorities: { auth: ['S1', 'S0'] } });
    const x = nameOf('EDS', 2);
    t.watch('EDS', 'a');
    t.watch('EDS', x);
    t.connectivity('transient-failure', 'no way', 'S1');
    t.connectivity('ready', '', 'S1');
    t.respond('EDS', { version: '1', nonce: 'A', resources: [good('EDS', x, 6)] }, 'S1');
    t.holdsWrites = true;
    t.watch('EDS', 'b');
    t.close();
  });

  it('a follower leaves nothing behind', () => {
    fc.assert(
      fc.property(target, (actions) => {
        const bench = new Bench({ preset });
        bench.follow('t', 'a');
        let version = 0;
        for (const one of actions) {
          const isOpen = [...bench.wires.values()].some((wire) => wire.isOpen);
          if (one.do === 'wait') bench.advance(one.milliseconds);
          else if (!isOpen) continue;
          else if (one.do === 'end') bench.end('UNAVAILABLE', 'over');
          else {
            const make = (called: string): Any =>
              one.kind === 'bad' ? bad(one.type, called) : follows(one.type, called, one.leadsTo);
            const nonce = `${++version}`;
            bench.respond(one.type, { version: nonce, nonce, resources: one.names.map(make) });
          }
        }
        bench.close();
      }),
      { numRuns: 150, seed: 1 },
    );
  });
});

/** A good resource that leads to another one, where its type does. */
function follows(short: Short, called: string, leadsTo: string): Any {
  return good(short, called, short === 'LDS' || short === 'RDS' ? leadsTo : 1);
}
