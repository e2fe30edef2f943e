import type { Effect } from '../../../src/core/effect.js';
import type { Event } from '../../../src/core/event.js';
import type { StreamId } from '../../../src/core/input.js';
import { require } from '../violation.js';
import type { Wire } from './wire.js';
import type { Check, World } from './world.js';

/** What the client has to acknowledge for one type on one stream. */
interface TypeModel {
  nonces: string[];
  /** The position of the nonce in the last request; -1 before the first response. */
  at: number;
  /** The error of a rejected response that no request has reported yet. */
  nack: string | undefined;
}

/** The accepted versions of one type on a channel. Of a rejected response, it is not known whether a part was accepted. */
interface VersionModel {
  all: { version: string; isCertain: boolean }[];
  at: number;
}

/**
 * Checks the requests of every stream against the responses that it received. C-core queues requests, so that one may be
 * built before the last response arrived: its nonces and versions may be older, but never go back.
 */
export class WireCheck implements Check {
  readonly #world: World;
  readonly #isExact: boolean;
  readonly #types = new Map<StreamId, Map<string, TypeModel>>();
  readonly #versions = new Map<string, VersionModel>();
  /** The event of a request precedes it. */
  #logged: Extract<Event, { kind: 'request' }> | undefined;

  constructor(world: World, isExact: boolean) {
    this.#world = world;
    this.#isExact = isExact;
  }

  onEffect(effect: Effect): void {
    if (effect.kind === 'event') this.#onEvent(effect.event);
    else if (effect.kind === 'send') this.#onSend(this.#world.wires.get(effect.stream) as Wire);
    else if (effect.kind === 'open') this.#types.set(effect.stream, new Map());
    else if (effect.kind === 'cancel') this.#types.delete(effect.stream);
    else if (effect.kind === 'disconnect') {
      for (const key of this.#versions.keys()) if (key.startsWith(`${effect.channel} `)) this.#versions.delete(key);
    }
  }

  /** Called when all writes are complete. */
  checkAnswered(): void {
    for (const wire of this.#world.wires.values()) {
      for (const [typeUrl, { nonces }] of this.#types.get(wire.id) ?? []) {
        const nonce = wire.last.get(typeUrl)?.responseNonce ?? '';
        const last = nonces.at(-1) ?? '';
        require(nonce === last, 'all-answered', () => `${typeUrl} has the nonce ${nonce} instead of ${last}`);
      }
    }
  }

  #onEvent(event: Event): void {
    if (event.kind === 'request') this.#logged = event;
    if (event.kind !== 'response' || event.ignored !== undefined) return;
    const { stream, typeUrl, nonce, version, refused } = event;
    const model = this.#type(stream, typeUrl);
    model.nonces.push(nonce);
    if (refused !== undefined) model.nack = refused;
    const channel = this.#world.wires.get(stream)?.channel;
    this.#version(channel, typeUrl).all.push({ version, isCertain: refused === undefined });
  }

  #onSend({ id, channel, newest, requests }: Wire): void {
    if (newest === undefined) return;
    const { typeUrl, responseNonce: nonce, versionInfo: version, errorDetail, resourceNames, node } = newest;
    const logged = this.#logged;
    const isLogged =
      logged?.stream === id &&
      logged.typeUrl === typeUrl &&
      logged.nonce === nonce &&
      logged.version === version &&
      logged.error?.message === errorDetail?.message &&
      logged.names.length === resourceNames.length &&
      logged.names.every((name, i) => name === resourceNames[i]);
    require(isLogged, 'log-matches-wire', () => `the event is ${JSON.stringify(logged)}`);
    require((node !== undefined) === (requests === 1), 'node-first', () => `request ${requests} of stream ${id}`);
    this.#checkNonce(this.#type(id, typeUrl), nonce, typeUrl);
    this.#checkVersion(this.#version(channel, typeUrl), version, typeUrl);
    const model = this.#type(id, typeUrl);
    const error = errorDetail?.message;
    require(error === model.nack, 'nack-once', () => `${typeUrl}: sent ${error}, expected ${model.nack}`);
    model.nack = undefined;
  }

  #checkNonce(model: TypeModel, nonce: string, typeUrl: string): void {
    const last = model.nonces.length - 1;
    const at = this.#isExact ? last : model.nonces.indexOf(nonce, Math.max(0, model.at));
    const expected = at < 0 ? '' : model.nonces[at];
    require(nonce === expected, 'nonce-echo', () => `${typeUrl}: sent ${nonce}, received ${model.nonces}`);
    model.at = at;
  }

  #checkVersion(model: VersionModel, version: string, typeUrl: string): void {
    const at = model.all.findLastIndex((one) => one.version === version);
    const isKnown = at >= model.at;
    const isLatest = !this.#isExact || !model.all.slice(at + 1).some(({ isCertain }) => isCertain);
    require(isKnown && isLatest, 'version-echo', () => `${typeUrl}: sent ${version} of ${JSON.stringify(model.all)}`);
    // The same version may occur several times.
    model.at = Math.max(
      model.at,
      model.all.findIndex((one, i) => i >= model.at && one.version === version),
    );
  }

  #type(stream: StreamId, typeUrl: string): TypeModel {
    const types = this.#types.get(stream) ?? new Map<string, TypeModel>();
    this.#types.set(stream, types);
    const known = types.get(typeUrl) ?? { nonces: [], at: -1, nack: undefined };
    types.set(typeUrl, known);
    return known;
  }

  #version(channel: number | undefined, typeUrl: string): VersionModel {
    const key = `${channel} ${typeUrl}`;
    const known = this.#versions.get(key) ?? { all: [{ version: '', isCertain: true }], at: 0 };
    this.#versions.set(key, known);
    return known;
  }
}
