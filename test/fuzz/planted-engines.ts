import type { Effect } from '../../src/core/effect.js';
import type { Event } from '../../src/core/event.js';
import { Engine, type EngineOptions } from '../../src/engine/engine.js';
import type { ScopeSnapshot } from '../../src/engine/scope.js';
import { Node } from '../../src/proto/generated/envoy.config.core.v3.js';
import { DiscoveryRequest } from '../../src/proto/generated/envoy.service.discovery.v3.js';
import { Status } from '../../src/proto/generated/google.rpc.js';
import { encode } from '../../src/proto/message-type.js';
import type { EngineUnderTest, MakeEngine } from '../../tools/fuzz/engine/world.js';

interface Bug {
  effects?: (effects: Effect[]) => Effect[];
  snapshot?: (scopes: ScopeSnapshot[]) => ScopeSnapshot[];
  deadline?: (at: number | undefined) => number | undefined;
}

/** The engine with a bug in its effects, its snapshot or its deadline. */
function planted({ effects: change = same, snapshot = same, deadline = same }: Bug): MakeEngine {
  return (options: EngineOptions): EngineUnderTest => {
    const engine = new Engine(options);
    return {
      handle: (input, now) => change(engine.handle(input, now)),
      snapshot: () => snapshot(engine.snapshot()),
      findings: () => engine.findings(),
      nextDeadline: () => deadline(engine.nextDeadline()),
    };
  };
}

function same<T>(value: T): T {
  return value;
}

const repeated =
  (kind: Effect['kind'], times = 2) =>
  (effects: Effect[]): Effect[] =>
    effects.flatMap((effect) => (effect.kind === kind ? Array.from({ length: times }, () => effect) : [effect]));

const changedEvents =
  <K extends Event['kind']>(kind: K, change: (event: Extract<Event, { kind: K }>) => object) =>
  (effects: Effect[]): Effect[] =>
    effects.map((effect) =>
      effect.kind === 'event' && effect.event.kind === kind
        ? { kind: 'event', event: { ...effect.event, ...change(effect.event as Extract<Event, { kind: K }>) } as Event }
        : effect,
    );

/** Appends fields to every request; the last value of a field applies. The event of the request has them, too. */
function requests(fields: Partial<DiscoveryRequest>, logged: object): (effects: Effect[]) => Effect[] {
  const more = encode(DiscoveryRequest, DiscoveryRequest.create(fields));
  return (effects) =>
    changedEvents(
      'request',
      () => logged,
    )(effects).map((effect) =>
      effect.kind === 'send' ? { ...effect, bytes: Buffer.concat([effect.bytes, more]) } : effect,
    );
}

const entries =
  (change: (scope: ScopeSnapshot) => Partial<ScopeSnapshot>) =>
  (scopes: ScopeSnapshot[]): ScopeSnapshot[] =>
    scopes.map((scope) => ({ ...scope, ...change(scope) }));

let engines = 0;

/** A bug for each oracle of the engine. */
/** An engine that does not report the changes of servers. */
class ForgetfulEngine extends Engine {
  override takeChanges(): ReturnType<Engine['takeChanges']> {
    const { scopes, closed } = super.takeChanges();
    return { scopes: scopes.map((scope) => ({ ...scope, authorities: [] })), closed };
  }
}

export const PLANTED: Record<string, MakeEngine> = {
  history: (options) => new ForgetfulEngine(options),
  'one-connection': planted({ effects: repeated('connect') }),
  'one-stream': planted({
    effects: (effects) =>
      effects.flatMap((one): Effect[] => (one.kind === 'open' ? [one, { ...one, stream: 900 + one.stream }] : [one])),
  }),
  'one-write': planted({ effects: repeated('send') }),
  'one-read': planted({ effects: repeated('read') }),
  'closed-stream': planted({ effects: repeated('cancel') }),
  'log-matches-wire': planted({ effects: changedEvents('request', () => ({ version: 'other' })) }),
  'node-first': planted({ effects: requests({ node: Node.create({ id: 'again' }) }, {}) }),
  'nonce-echo': planted({ effects: requests({ responseNonce: 'other' }, { nonce: 'other' }) }),
  'version-echo': planted({ effects: requests({ versionInfo: 'other' }, { version: 'other' }) }),
  'nack-once': planted({
    effects: requests(
      { errorDetail: Status.create({ code: 3, message: 'no' }) },
      { error: { code: 3, message: 'no' } },
    ),
  }),
  'removed-watcher': planted({
    effects: (effects) => effects.map((one) => (one.kind === 'notify' ? { ...one, watcher: 999 } : one)),
  }),
  'watcher-agrees': planted({ effects: (effects) => effects.filter(({ kind }) => kind !== 'notify') }),
  'ambient-if-cached': planted({
    effects: (effects) =>
      effects.map((one) =>
        one.kind === 'notify' && 'error' in one.update
          ? { ...one, update: { kind: 'OnAmbientError', error: one.update.error } }
          : one,
      ),
  }),
  'all-answered': planted({
    effects: (effects) => {
      const isAck = effects.some(
        (one) => one.kind === 'event' && one.event.kind === 'request' && one.event.nonce !== '',
      );
      return isAck ? effects.filter(({ kind }) => kind !== 'send') : effects;
    },
  }),
  'all-subscribed': planted({
    snapshot: entries(({ entries: all }) => ({
      entries: [...all, ...all.map((one) => ({ ...one, name: `${one.name}!` }))],
    })),
  }),
  'all-closed': planted({ effects: (effects) => effects.filter(({ kind }) => kind !== 'disconnect') }),
  'timer-if-uncached': planted({
    snapshot: entries(({ entry }) => ({
      entry: (typeUrl, name) => {
        const found = entry(typeUrl, name);
        return found && { ...found, resource: {} as NonNullable<typeof found.resource> };
      },
    })),
  }),
  'cache-status': planted({
    snapshot: entries(({ entries: all }) => ({ entries: all.map((one) => ({ ...one, status: 'ACKED' })) })),
  }),
  'watched-only': planted({
    snapshot: entries(({ entries: all }) => ({ entries: all.map((one) => ({ ...one, watchers: [] })) })),
  }),
  'timer-needs-request': planted({
    effects: changedEvents('timer', ({ names }) => ({ names: names.map((name) => `${name}!`) })),
  }),
  'timer-once': planted({ effects: changedEvents('timer', () => ({ change: 'expired' })) }),
  'deadline-passes': planted({ deadline: (at) => at && 0 }),
  'fallback-order': planted({
    snapshot: entries(({ authorities }) => ({
      authorities: authorities.map((one) => ({
        ...one,
        servers: [...one.servers, ...one.servers].map((server) => ({ ...server, isActive: true })),
      })),
    })),
  }),
  'config-complete': planted({
    snapshot: entries(({ channels }) => ({
      channels: channels.map((one) =>
        one.state.kind === 'published'
          ? { ...one, state: { ...one.state, config: { ...one.state.config, clusters: new Map() } } }
          : one,
      ),
    })),
  }),
  'from-scratch': planted({
    snapshot: entries(({ channels }) => ({
      channels: channels.map((one) =>
        one.target.startsWith('fresh:')
          ? { ...one, state: { kind: 'error', message: 'lost', statusTexts: 'c-core' } }
          : one,
      ),
    })),
  }),
  replay: (options) => {
    const nth = ++engines;
    return planted({ effects: changedEvents('stream', () => ({ retryIn: nth })) })(options);
  },
  work: planted({ effects: repeated('event', 300) }),
  'no-exception': planted({
    effects: (effects) => {
      if (effects.some((one) => one.kind === 'event' && one.event.kind === 'response')) throw new TypeError('planted');
      return effects;
    },
  }),
};
