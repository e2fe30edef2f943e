/**
 * Invariants of the client for any sequence of inputs, with one to three servers, an authority with two servers of its
 * own or with the same servers in reverse order, and both sets of policies.
 *
 * On the wire (the test client checks the first four in every scenario):
 *  - a stream has at most one write and one read in flight, and a connection at most one stream;
 *  - nothing is written to, read from or cancelled on a stream that was cancelled or has ended;
 *  - only the first request of a stream contains the node;
 *  - a watcher receives nothing after it was removed;
 *  - the version in a request is that of the last accepted response (R1.11) on the connection; requests of C-core that
 *    were built earlier may have an older version, but versions never go back;
 *  - a request lists all names that are watched on its stream when it is written, and others only if another authority
 *    used the server; when all requests were sent, the last request of each stream lists exactly those names.
 * In the cache:
 *  - a resource timer starts only if the resource is not cached;
 *  - the snapshot lists exactly the watched names;
 *  - the last resource that a watcher received is the cached one, and it received none if none is cached;
 *  - the metrics list exactly the connected servers.
 * In time:
 *  - after a tick, the next deadline is in the future;
 *  - the same inputs at the same times have the same effects;
 *  - without watchers and targets, every stream is cancelled, every connection is closed, and no deadline is left.
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
import { type HarnessOptions, newEngine, type ServerStream, TestClient } from './harness.js';
import { bad, EMPTY, garbage, good, type Short, wrapped } from './resources.js';

const TYPES = ['CDS', 'EDS'] as const;
const TYPE_NAMES = { CDS: 'envoy.config.cluster.v3.Cluster', EDS: 'envoy.config.endpoint.v3.ClusterLoadAssignment' };
/** Two names without an authority, one with a configured authority, and one with an unknown authority. */
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

/** Executes the actions that are possible, and checks the invariants after every step. */
class Run {
  readonly client: TestClient;
  readonly #setting: HarnessOptions;
  /** Types that were watched since the client was created (R1.24). */
  readonly #known = new Set<string>();
  readonly #versions = new Map<string, AcceptedVersions>();
  #lastVersion = 0;

  constructor(setting: HarnessOptions) {
    this.#setting = setting;
    this.client = new TestClient(setting);
    this.client.holdsWrites = true;
    this.client.holdsReadings = true;
    this.client.onStep = (input, effects) => this.#check(input, effects);
  }

  do(action: Action): void {
    const { client } = this;
    switch (action.do) {
      case 'watch':
        this.#known.add(RESOURCE_TYPES[action.type]);
        client.watch(action.type, nameOf(action.type, action.name));
        break;
      case 'unwatch': {
        const watcher = pick([...client.watchers.keys()], action.which);
        if (watcher !== undefined) client.cancel(watcher);
        break;
      }
      case 'sent': {
        const wire = pick(
          this.#open.filter(({ isWriting }) => isWriting),
          action.which,
        );
        if (wire !== undefined) client.complete(wire.server);
        break;
      }
      case 'respond':
        this.#respond(action);
        break;
      case 'rubbish': {
        const wire = pick(this.#open, action.which);
        if (wire !== undefined) client.send(Uint8Array.of(0xff), wire.server);
        break;
      }
      case 'end': {
        const wire = pick(this.#open, action.which);
        if (wire !== undefined) client.end(action.code, 'over', wire.server);
        break;
      }
      case 'connectivity': {
        const server = pick([...client.connections.values()], action.which);
        if (server !== undefined) client.connectivity(action.state, 'no way', server);
        break;
      }
      case 'done':
        if (client.heldReadings > 0) client.release();
        break;
      case 'wait':
        client.advance(action.milliseconds);
        break;
    }
  }

  /** Removes all watchers, immediately or after all requests were sent, and replays the inputs. */
  finish(sendsAll: boolean): void {
    const { client } = this;
    if (sendsAll) this.#sendAll();
    client.close();
    const again = newEngine(this.#setting);
    for (const { input, now, effects } of client.steps) expect(again.handle(input, now)).toEqual(effects);
  }

  #sendAll(): void {
    for (let wire = this.#writing; wire !== undefined; wire = this.#writing) this.client.complete(wire.server);
    // C-core may omit names in requests to servers of lower priority (R5.9).
    if (this.client.preset === 'spec') for (const wire of this.#open) this.#checkSubscription(wire);
  }

  get #open(): ServerStream[] {
    return [...this.client.wires.values()].filter(({ isOpen }) => isOpen);
  }

  get #writing(): ServerStream | undefined {
    return this.#open.find(({ isWriting }) => isWriting);
  }

  #respond({ which, type, items, errors }: Extract<Action, { do: 'respond' }>): void {
    const wire = pick(this.#open, which);
    if (wire === undefined) return;
    const version = `${++this.#lastVersion}`;
    const resources = items.map((one) => resourceOf(type, one));
    const reports = errors.map(({ name: which, code }) => ({ name: nameOf(type, which), code }));
    this.client.respond(type, { version, nonce: `n${version}`, resources, errors: reports }, wire.server);
  }

  #check(input: Input, effects: Effect[]): void {
    const { client } = this;
    if (client.watchers.size === 0) this.#known.clear();
    if (input.kind === 'message') this.#addVersion(input.stream, input.bytes);
    if (input.kind === 'tick')
      expect(client.engine.nextDeadline() ?? Number.POSITIVE_INFINITY).toBeGreaterThan(client.now);
    for (const effect of effects) this.#checkEffect(effect);
    this.#checkCache();
  }

  #checkEffect(effect: Effect): void {
    if (effect.kind === 'disconnect') {
      for (const key of this.#versions.keys()) if (key.startsWith(`${effect.channel} `)) this.#versions.delete(key);
    }
    if (effect.kind === 'send') {
      const wire = this.client.wires.get(effect.stream) as ServerStream;
      const { typeUrl, versionInfo, resourceNames } = wire.requests.at(-1) as ServerStream['requests'][number];
      const isSpec = this.client.preset === 'spec';
      this.#versionsOf(wire.channel, typeUrl).check(versionInfo, isSpec);
      if (isSpec) this.#checkNames(resourceNames, this.#expectedNames(wire, typeUrl));
    }
    if (effect.kind === 'event' && effect.event.kind === 'timer' && effect.event.change === 'started') {
      const { typeUrl, names } = effect.event;
      const cached = this.client.entries().filter((entry) => entry.typeUrl === typeUrl && names.includes(entry.name));
      expect(cached.map(({ resource }) => resource)).toEqual(names.map(() => undefined));
    }
  }

  #checkCache(): void {
    const { client } = this;
    const entries = new Map(client.entries().map((entry) => [`${entry.typeUrl} ${entry.name}`, entry]));
    const watched = new Set<string>();
    for (const [watcher, { typeUrl, name: watchedName }] of client.watchers) {
      const changes = (client.updates.get(watcher) ?? []).filter(({ kind }) => kind === 'OnResourceChanged');
      const last = changes.at(-1);
      const resource = last !== undefined && 'resource' in last ? last.resource : undefined;
      expect(entries.get(`${typeUrl} ${watchedName}`)?.resource).toBe(resource);
      if (!watchedName.startsWith('xdstp://nobody/')) watched.add(`${typeUrl} ${watchedName}`);
    }
    expect([...entries.keys()].sort()).toEqual([...watched].sort());
    const connected = client.metrics().connected.map((line) => line.split(' ')[0]);
    expect(connected.sort()).toEqual([...client.connections.values()].sort());
  }

  /** R1.11: a version is accepted if the response contains a valid watched resource, or nothing invalid. */
  #addVersion(stream: number, bytes: Uint8Array): void {
    const wire = this.client.wires.get(stream);
    const response = decode(DiscoveryResponse, bytes);
    if (!wire?.isOpen || !response.ok || !this.#known.has(response.value.typeUrl)) return;
    const { typeUrl, versionInfo, resources, resourceErrors } = response.value;
    const validNames = [...resources].flatMap((one) => VALID_NAMES.get(key(one)) ?? []);
    const watched = new Set([...this.client.watchers.values()].map((one) => `${one.typeUrl} ${one.name}`));
    const hasBadReport = [...resourceErrors].some(({ errorDetail }) => errorDetail?.code === 0);
    const isValid = validNames.length === resources.length && !(hasBadReport && this.#setting.a88 === true);
    const isCertain = isValid || validNames.some((one) => watched.has(`${typeUrl} ${one}`));
    // An unwatched resource still counts until the unsubscription is sent (R1.27).
    if (isCertain || validNames.length > 0) this.#versionsOf(wire.channel, typeUrl).add(versionInfo, isCertain);
  }

  #versionsOf(channel: number, typeUrl: string): AcceptedVersions {
    const id = `${channel} ${typeUrl}`;
    const known = this.#versions.get(id) ?? new AcceptedVersions();
    this.#versions.set(id, known);
    return known;
  }

  /** The names that the stream has to be subscribed to: all watched names of the authorities that use its server. */
  #expectedNames({ server }: ServerStream, typeUrl: string): string[] {
    const { authorities, entries } = this.client.engine.snapshot()[0] ?? { authorities: [], entries: [] };
    const inUse = authorities.filter(({ servers }) => {
      const active = servers.findIndex(({ isActive }) => isActive);
      return servers.slice(0, active + 1).some(({ uri }) => uri === server);
    });
    const names = new Set(inUse.map((authority) => authority.name));
    return entries
      .filter((entry) => entry.typeUrl === typeUrl && names.has(entry.authority))
      .map((entry) => entry.name);
  }

  #checkSubscription(wire: ServerStream): void {
    for (const short of TYPES) {
      const typeUrl = RESOURCE_TYPES[short];
      const expected = this.#expectedNames(wire, typeUrl);
      const requested = wire.requests.findLast((request) => request.typeUrl === typeUrl)?.resourceNames ?? [];
      this.#checkNames(requested, expected);
    }
  }

  #checkNames(requested: readonly string[], expected: string[]): void {
    const isShared = this.#setting.authorities?.auth?.includes('T0') === false;
    if (isShared) expect(requested).toEqual(expect.arrayContaining(expected));
    else expect(requested).toEqual(expected.sort());
  }
}

/** The accepted versions of one type on a connection, oldest first. */
class AcceptedVersions {
  readonly #all: { version: string; isCertain: boolean }[] = [{ version: '', isCertain: true }];
  #at = 0;

  add(version: string, isCertain: boolean): void {
    this.#all.push({ version, isCertain });
  }

  check(version: string, hasToBeLatest: boolean): void {
    const at = this.#all.findIndex((one) => one.version === version);
    expect(at, `version ${version} after ${this.#all[this.#at]?.version}`).toBeGreaterThanOrEqual(this.#at);
    this.#at = at;
    if (hasToBeLatest) expect(this.#all.slice(at + 1).filter(({ isCertain }) => isCertain)).toEqual([]);
  }
}

/** The names of all valid resources, by their bytes. */
const VALID_NAMES = new Map<string, string>();
const key = ({ typeUrl, value }: Any): string => `${typeUrl} ${value}`;

function resourceOf(short: 'CDS' | 'EDS', { kind, name: which, value }: Item): Any {
  const resourceName = nameOf(short, which);
  if (kind === 'bad') return bad(short, resourceName);
  if (kind === 'garbage') return garbage(short);
  if (kind === 'named garbage') return wrapped(resourceName, garbage(short));
  if (kind === 'empty') return EMPTY;
  // A cluster with an xdstp name requires an EDS service name, which these clusters lack.
  if (short === 'CDS' && which === 2) return bad(short, resourceName);
  const resource = good(short, resourceName, value);
  VALID_NAMES.set(key(resource), resourceName);
  return resource;
}

function pick<T>(all: readonly T[], which: number): T | undefined {
  return all[which % Math.max(all.length, 1)];
}

/** Responses with valid and invalid resources of a target. */
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

describe.each(['spec', 'c-core'] as const)('with the policies of %s, for any inputs,', (preset) => {
  it('the client follows the protocol, and its cache matches the updates of its watchers', () => {
    fc.assert(
      fc.property(
        settings(preset),
        fc.array(action, { minLength: 5, maxLength: 60 }),
        fc.boolean(),
        (setting, actions, sendsAll) => {
          const run = new Run(setting);
          for (const one of actions) run.do(one);
          run.finish(sendsAll);
        },
      ),
      { numRuns: 200, seed: 1 },
    );
  });

  it('the client disconnects from a server that another authority stopped using', () => {
    const t = new TestClient({ preset, servers: ['S0', 'S1'], authorities: { auth: ['S1', 'S0'] } });
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

  it('a follower that is removed leaves no stream, connection or deadline', () => {
    fc.assert(
      fc.property(target, (actions) => {
        const client = new TestClient({ preset });
        client.follow('t', 'a');
        let version = 0;
        for (const one of actions) {
          const isOpen = [...client.wires.values()].some((wire) => wire.isOpen);
          if (one.do === 'wait') client.advance(one.milliseconds);
          else if (!isOpen) continue;
          else if (one.do === 'end') client.end('UNAVAILABLE', 'over');
          else {
            const make = (resourceName: string): Any =>
              one.kind === 'bad' ? bad(one.type, resourceName) : referring(one.type, resourceName, one.leadsTo);
            const nonce = `${++version}`;
            client.respond(one.type, { version: nonce, nonce, resources: one.names.map(make) });
          }
        }
        client.close();
      }),
      { numRuns: 150, seed: 1 },
    );
  });
});

/** A valid resource that refers to another one if its type has references. */
function referring(short: Short, resourceName: string, leadsTo: string): Any {
  return good(short, resourceName, short === 'LDS' || short === 'RDS' ? leadsTo : 1);
}
