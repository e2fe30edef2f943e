import type { Input } from '../../../src/core/input.js';
import {
  DiscoveryResponse,
  ResourceError,
  ResourceName,
} from '../../../src/proto/generated/envoy.service.discovery.v3.js';
import type { Any } from '../../../src/proto/generated/google.protobuf.js';
import { Status } from '../../../src/proto/generated/google.rpc.js';
import { encode } from '../../../src/proto/message-type.js';
import { isShortType, RESOURCE_TYPES, type ShortType, shortType } from '../../../src/proto/resource-types.js';
import { require } from '../violation.js';
import type { Action, Respond } from './action.js';
import type { ResourcePool } from './resource-pool.js';
import { NAMES, SCOPES, SHORT_TYPES, TARGETS } from './universe.js';
import type { Wire } from './wire.js';
import type { World } from './world.js';

/** More ticks during one wait mean that the engine is busy without end: timers are seconds apart. */
const MAX_TICKS = 2000;

/** Performs actions on a world. Skips those that are impossible now, such as a response without a stream. */
export class Performer {
  readonly #world: World;
  readonly #pool: ResourcePool;
  #lastWatcher = 0;

  constructor(world: World, pool: ResourcePool) {
    this.#world = world;
    this.#pool = pool;
  }

  /** `resolutions` receives the last result of each DNS query. */
  perform(action: Action, resolutions: Map<string, readonly string[] | undefined>): void {
    const world = this.#world;
    const input = this.#inputOf(action);
    if (input?.kind === 'resolved') {
      const addresses = 'addresses' in input.result ? input.result.addresses : undefined;
      resolutions.set(world.queries.get(input.query) ?? '', addresses);
    }
    if (input !== undefined) world.step(input);
    else if (action.do === 'wait') this.#wait(action.milliseconds, action.isLate);
  }

  #inputOf(action: Action): Input | undefined {
    const world = this.#world;
    switch (action.do) {
      case 'follow': {
        const target = TARGETS[action.target % TARGETS.length] as (typeof TARGETS)[number];
        return world.followed.has(target.target) ? undefined : target;
      }
      case 'unfollow': {
        const target = TARGETS[action.target % TARGETS.length] as (typeof TARGETS)[number];
        if (!world.followed.has(target.target)) return undefined;
        return { kind: 'unfollow', scope: target.scope, target: target.target };
      }
      case 'hold':
      case 'release': {
        const followed = picked([...world.followed.values()], action.target);
        if (followed === undefined) return undefined;
        const cluster = picked(NAMES.CDS, action.cluster) as string;
        return { kind: action.do, scope: followed.scope, target: followed.target, cluster };
      }
      case 'watch': {
        const type = picked(SHORT_TYPES, action.type) as ShortType;
        const name = picked(NAMES[type], action.name) as string;
        const scope = picked(SCOPES, action.scope) as string;
        return { kind: 'watch', scope, watcher: ++this.#lastWatcher, typeUrl: RESOURCE_TYPES[type], name };
      }
      case 'unwatch': {
        const watcher = picked([...world.watchers.keys()], action.which);
        const scope = world.watchers.get(watcher ?? -1)?.scope;
        return watcher === undefined || scope === undefined ? undefined : { kind: 'unwatch', scope, watcher };
      }
      case 'sent': {
        const wire = picked(
          [...world.wires.values()].filter(({ isWriting }) => isWriting),
          action.which,
        );
        return wire && { kind: 'sent', stream: wire.id };
      }
      case 'done': {
        const [done] = world.readings.splice(action.which % Math.max(1, world.readings.length), 1);
        return done && { kind: 'done', ...done };
      }
      default:
        return this.#networkInputOf(action);
    }
  }

  #networkInputOf(action: Action): Input | undefined {
    const world = this.#world;
    switch (action.do) {
      case 'respond':
      case 'rubbish': {
        const wire = picked(
          [...world.wires.values()].filter(({ isReading }) => isReading),
          action.stream,
        );
        if (wire === undefined) return undefined;
        const bytes = action.do === 'rubbish' ? Uint8Array.from(action.bytes) : this.#response(action, wire);
        return { kind: 'message', stream: wire.id, bytes };
      }
      case 'end': {
        const wire = picked([...world.wires.values()], action.stream);
        const { code, message } = action;
        return wire && { kind: 'ended', stream: wire.id, status: { code, message } };
      }
      case 'connectivity': {
        const channel = picked([...world.channels.keys()], action.channel);
        return channel === undefined
          ? undefined
          : { kind: 'connectivity', channel, state: action.state, reason: 'because' };
      }
      case 'resolved': {
        const query = picked([...world.queries.keys()], action.query);
        if (query === undefined) return undefined;
        const { addresses } = action;
        const result = addresses === undefined ? { failure: 'no such host' } : { addresses: [...addresses] };
        return { kind: 'resolved', query, result };
      }
      default:
        return undefined;
    }
  }

  #response({ type: typePick, isStray, variants, errors, version, nonce }: Respond, wire: Wire): Uint8Array {
    const requested = [...wire.last.keys()].map(shortType).filter(isShortType);
    const type = picked(isStray ? SHORT_TYPES : requested, typePick) ?? 'LDS';
    const names = isStray ? NAMES[type] : (wire.last.get(RESOURCE_TYPES[type])?.resourceNames ?? NAMES[type]);
    const resources: Any[] = [];
    for (const [i, name] of names.entries()) {
      const variant = variants[i % Math.max(1, variants.length)];
      if (variant !== undefined) resources.push(this.#pool.resource(type, name, variant));
    }
    const resourceErrors = errors.map(({ name, code }) =>
      ResourceError.create({
        resourceName: ResourceName.create({ name: picked(names, name) ?? '' }),
        errorDetail: Status.create({ code, message: 'reported' }),
      }),
    );
    const typeUrl = RESOURCE_TYPES[type];
    return encode(
      DiscoveryResponse,
      DiscoveryResponse.create({ typeUrl, versionInfo: version, nonce, resources, resourceErrors }),
    );
  }

  #wait(milliseconds: number, isLate: boolean): void {
    const world = this.#world;
    const until = world.now + milliseconds;
    if (isLate) world.now = until;
    for (let ticks = 0; ; ticks++) {
      const due = world.engine.nextDeadline();
      if (due === undefined || due > until) break;
      require(ticks < MAX_TICKS, 'deadline-passes', () => `${MAX_TICKS} ticks within ${milliseconds} ms`);
      world.now = Math.max(world.now, due);
      world.step({ kind: 'tick' });
    }
    world.now = until;
  }
}

function picked<T>(list: readonly T[], which: number): T | undefined {
  return list[which % Math.max(1, list.length)];
}
