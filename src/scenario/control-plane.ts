import { earliestOf } from '../base/earliest.js';
import type { Status } from '../base/status.js';
import { DiscoveryRequest } from '../proto/generated/envoy.service.discovery.v3.js';
import { decode } from '../proto/message-type.js';
import { encodeResponse, sentName } from './encode-response.js';
import type { PlaneEffect, PlaneEvent, PlaneEventDetails, PlaneInput, PlaneStreamId } from './plane-io.js';
import { type ClassifiedRequest, matches, PlaneStream } from './plane-stream.js';
import type { Action, ResponseSpec, Scenario, ServedType, ServerSpec, ServerState, Trigger } from './scenario.js';
import { Script } from './script.js';

/** Pending actions that a trigger has started on a stream. */
interface Reaction {
  stream: PlaneStream;
  actions: Action[];
  dueAt: number;
}

interface Server {
  spec: ServerSpec;
  servedTypes: Map<string, ServedType>;
  state: ServerState | undefined;
  reject: Status | undefined;
  accepted: number;
}

/**
 * The scripted control plane, with any number of servers and clients. Servers respond by triggers, from their served
 * types, and by the script. It performs no I/O, so it runs in memory on virtual time as well as behind real sockets.
 */
export class ControlPlane {
  readonly #servers = new Map<string, Server>();
  readonly #streams = new Map<PlaneStreamId, PlaneStream>();
  readonly #script: Script;
  #reactions: Reaction[] = [];
  #effects: PlaneEffect[] = [];

  constructor(scenario: Scenario) {
    this.#script = new Script(scenario.steps);
    for (const spec of scenario.servers) {
      this.#servers.set(spec.name, {
        spec,
        servedTypes: new Map(spec.servedTypes.map((h) => [h.typeUrl, h])),
        state: undefined,
        reject: undefined,
        accepted: 0,
      });
    }
  }

  handle(input: PlaneInput, now: number): PlaneEffect[] {
    this.#effects = [];
    this.#handleInput(input, now);
    this.#react(now);
    this.#followScript(now);
    return this.#effects;
  }

  nextDeadline(): number | undefined {
    return earliestOf(this.#reactions, ({ dueAt }) => dueAt, this.#script.nextDeadline());
  }

  #handleInput(input: PlaneInput, now: number): void {
    if (input.kind === 'start') {
      for (const { spec } of this.#servers.values()) this.#setState(spec.name, spec.state, now);
    } else if (input.kind === 'stream-opened') this.#accept(input.server, input.stream, now);
    else if (input.kind === 'request') this.#request(input.stream, input.bytes, now);
    else if (input.kind === 'stream-ended') {
      const stream = this.#streams.get(input.stream);
      if (stream !== undefined) this.#forget(stream, 'ended', undefined, now);
    } else if (input.kind === 'served-types') {
      for (const servedType of input.servedTypes) this.#serve(input.server, servedType, now);
    }
  }

  #accept(serverName: string, id: PlaneStreamId, now: number): void {
    const server = this.#servers.get(serverName) as Server;
    const stream = new PlaneStream(id, serverName, ++server.accepted);
    this.#streams.set(id, stream);
    this.#emit(now, serverName, { kind: 'stream', stream: id, change: 'opened', status: undefined });
    this.#script.observe(serverName, stream.ordinal, { kind: 'stream' });
    if (server.reject !== undefined) this.#close(stream, server.reject, now);
  }

  #request(id: PlaneStreamId, bytes: Uint8Array, now: number): void {
    const stream = this.#streams.get(id);
    if (stream === undefined) return;
    const decoded = decode(DiscoveryRequest, bytes);
    if (!decoded.ok) {
      const reason = `${decoded.reason} at byte ${decoded.offset}`;
      this.#emit(now, stream.server, { kind: 'bad-request', stream: id, reason });
      return;
    }
    const request = decoded.value;
    const classified = stream.classify(request);
    const { typeUrl, resourceNames: names, versionInfo: version, responseNonce: nonce, errorDetail } = request;
    const error = errorDetail && { code: errorDetail.code, message: errorDetail.message };
    const { nodeId } = stream;
    this.#emit(now, stream.server, { kind: 'request', stream: id, typeUrl, names, version, nonce, nodeId, error });
    this.#script.observe(stream.server, stream.ordinal, { kind: 'request', classified });
    const trigger = this.#triggerFor(stream, classified);
    if (trigger !== undefined) this.#reactions.push({ stream, actions: [...trigger.actions], dueAt: now });
    else this.#respondFromServed(stream, classified, now);
  }

  #triggerFor(stream: PlaneStream, classified: ClassifiedRequest): Trigger | undefined {
    const { triggers } = (this.#servers.get(stream.server) as Server).spec;
    const trigger = triggers.find((t) => (stream.triggered.get(t) ?? 0) < t.times && matches(t.when, classified));
    if (trigger !== undefined) stream.triggered.set(trigger, (stream.triggered.get(trigger) ?? 0) + 1);
    return trigger;
  }

  #respondFromServed(stream: PlaneStream, classified: ClassifiedRequest, now: number): void {
    const servedType = (this.#servers.get(stream.server) as Server).servedTypes.get(classified.request.typeUrl);
    const response = servedType && stream.respond(classified, servedType);
    if (response !== undefined) this.#send(stream, { ...response, nonce: undefined, padding: 0 }, now);
  }

  #serve(serverName: string, servedType: ServedType, now: number): void {
    const server = this.#servers.get(serverName) as Server;
    const { typeUrl, version, resources } = servedType;
    server.servedTypes.set(typeUrl, servedType);
    this.#emit(now, serverName, { kind: 'holding', typeUrl, version, names: resources.map(sentName) });
    for (const stream of this.#openStreams(serverName)) {
      const push = stream.push(servedType);
      if (push !== undefined) this.#send(stream, { ...push, nonce: undefined, padding: 0 }, now);
    }
  }

  #react(now: number): void {
    const nextDue = () => this.#reactions.find(({ dueAt }) => dueAt <= now);
    for (let due = nextDue(); due !== undefined; due = nextDue()) {
      const action = due.actions.shift();
      if (action === undefined) this.#reactions = this.#reactions.filter((r) => r !== due);
      else if (action.kind === 'wait') due.dueAt = now + action.millis;
      else this.#act(due.stream.server, this.#streams.get(due.stream.id), action, now);
    }
  }

  #followScript(now: number): void {
    for (let move = this.#script.advance(now); move !== undefined; move = this.#script.advance(now)) {
      if (move.kind === 'done') {
        this.#emit(now, '', { kind: 'script-done', met: move.met, unmet: move.unmet });
        return;
      }
      const { server, stream, line } = move.step;
      if (move.kind === 'met') this.#emit(now, server, { kind: 'met', line });
      else if (move.kind === 'unmet') this.#emit(now, server, { kind: 'unmet', line, reason: move.reason });
      else this.#act(server, this.#pickStream(server, stream), move.action, now);
    }
  }

  #pickStream(serverName: string, ordinal: number | undefined): PlaneStream | undefined {
    return this.#openStreams(serverName).findLast((stream) => ordinal === undefined || stream.ordinal === ordinal);
  }

  #openStreams(serverName: string): PlaneStream[] {
    return [...this.#streams.values()].filter((stream) => stream.server === serverName);
  }

  #act(server: string, stream: PlaneStream | undefined, action: Action, now: number): void {
    if (action.kind === 'state') this.#setState(server, action.state, now);
    else if (action.kind === 'reject') (this.#servers.get(server) as Server).reject = action.status;
    else if (action.kind === 'say') this.#emit(now, server, { kind: 'said', text: action.text });
    else if (action.kind === 'hold-reads') this.#effects.push({ kind: 'reads', server, hold: action.hold });
    else if (action.kind === 'set') this.#serve(server, action.servedType, now);
    else if (stream === undefined) return;
    else if (action.kind === 'send') this.#send(stream, action.response, now);
    else if (action.kind === 'close') this.#close(stream, action.status, now);
    else if (action.kind === 'send-bytes') {
      this.#effects.push({ kind: 'send', stream: stream.id, bytes: action.bytes });
      this.#emit(now, server, { kind: 'bytes', stream: stream.id, length: action.bytes.length });
    }
  }

  #send(stream: PlaneStream, response: ResponseSpec, now: number): void {
    const { id } = stream;
    const { typeUrl, version, resources, errors, padding, nonce = stream.nextNonce() } = response;
    stream.sent(typeUrl, nonce);
    const bytes = encodeResponse({ typeUrl, version, nonce, resources, errors, padding });
    this.#effects.push({ kind: 'send', stream: id, bytes });
    const names = resources.map(sentName);
    this.#emit(now, stream.server, { kind: 'response', stream: id, typeUrl, version, nonce, names, errors });
  }

  #close(stream: PlaneStream, status: Status, now: number): void {
    this.#effects.push({ kind: 'close', stream: stream.id, status });
    this.#forget(stream, 'closed', status, now);
  }

  /** Any change of the state breaks the open connections of a server. */
  #setState(name: string, state: ServerState, now: number): void {
    const server = this.#servers.get(name) as Server;
    if (server.state === state) return;
    server.state = state;
    this.#effects.push({ kind: 'state', server: name, state });
    this.#emit(now, name, { kind: 'state', state });
    for (const stream of this.#openStreams(name)) this.#forget(stream, 'broken', undefined, now);
  }

  #forget(stream: PlaneStream, change: 'ended' | 'closed' | 'broken', status: Status | undefined, now: number): void {
    this.#streams.delete(stream.id);
    this.#emit(now, stream.server, { kind: 'stream', stream: stream.id, change, status });
    this.#script.observe(stream.server, stream.ordinal, { kind: 'end' });
  }

  #emit(at: number, server: string, details: PlaneEventDetails): void {
    this.#effects.push({ kind: 'event', event: { at, server, ...details } as PlaneEvent });
  }
}
