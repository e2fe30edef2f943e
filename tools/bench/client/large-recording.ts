import { readBootstrap } from '../../../src/bootstrap/read-bootstrap.ts';
import { readSwitches } from '../../../src/bootstrap/switches.ts';
import type { Effect } from '../../../src/core/effect.ts';
import type { Input } from '../../../src/core/input.ts';
import { Engine } from '../../../src/engine/engine.ts';
import { type ClientEnvironment, engineOptions } from '../../../src/engine/options.ts';
import { headerLine, RecordingEncoder } from '../../../src/engine/recording/encoder.ts';
import { recordingHeader } from '../../../src/engine/recording/header.ts';
import { RESOURCE_TYPES, shortType } from '../../../src/proto/resource-types.ts';
import { encodeResponse } from '../../../src/scenario/encode-response.ts';
import { LISTENER } from './listener.ts';
import { Mesh, type Type } from './mesh.ts';

/** The start of the recording. */
const START = Date.UTC(2026, 0, 2, 3, 4, 5);
const HOUR_MS = 3_600_000;
/** Every so many changes, a cluster changes instead of a load assignment: then the response contains all clusters. */
const CDS_EVERY = 500;

const environment: ClientEnvironment = {
  preset: 'spec',
  variables: {},
  userAgentName: 'bench',
  userAgentVersion: '0',
  interfaces: new Map(),
  seed: 1,
};

export interface LargeRecording {
  text: string;
  events: number;
  resources: number;
}

/** An hour of a client on a mesh, with changes until the log has so many events. Always the same for the same numbers. */
export function largeRecording(clusters: number, minEvents: number): LargeRecording {
  const hour = new RecordedHour(clusters);
  hour.start();
  const before = hour.events;
  hour.change('EDS', 1);
  const changes = Math.ceil((minEvents - before) / Math.max(1, hour.events - before));
  for (let i = 2; i <= changes; i++) hour.change(i % CDS_EVERY === 0 ? 'CDS' : 'EDS', (i * HOUR_MS) / changes);
  while (hour.events < minEvents) hour.change('EDS', HOUR_MS);
  return { text: hour.finish(), events: hour.events, resources: 2 * clusters + 2 };
}

class RecordedHour {
  events = 0;
  readonly #engine: Engine;
  readonly #encoder: RecordingEncoder;
  readonly #lines: string[] = [];
  readonly #mesh: Mesh;
  readonly #served = new Set<string>();
  readonly #queue: Input[] = [];
  #sent = 0;

  constructor(clusters: number) {
    this.#mesh = new Mesh(clusters);
    const text = '{"xds_servers":[{"server_uri":"memory:plane","channel_creds":[{"type":"insecure"}]}]}';
    const read = readBootstrap(new TextEncoder().encode(text), readSwitches({}, 'spec'));
    if (!read.ok) throw new Error(read.message);
    const { bootstrap } = read;
    this.#engine = new Engine(engineOptions(bootstrap, environment));
    const options = {
      bootstrap,
      source: 'bench',
      environment,
      tearGraceMs: undefined,
      start: START,
      keepsSecrets: false,
    };
    const header = recordingHeader(options, '0');
    this.#encoder = new RecordingEncoder(header, { base64: (bytes) => Buffer.from(bytes).toString('base64') });
    this.#lines.push(headerLine(header));
  }

  start(): void {
    const target = `xds:///${LISTENER}`;
    this.#queue.push({ kind: 'follow', scope: target, target, listener: LISTENER, authority: LISTENER });
    this.#work(0);
    if (this.#served.size !== 4) throw new Error('the client did not request every type');
  }

  change(type: 'CDS' | 'EDS', at: number): void {
    this.#send(type, this.#mesh.change(type));
    this.#work(at);
  }

  finish(): string {
    this.#lines.push(this.#encoder.end('closed', START + HOUR_MS));
    return this.#lines.join('');
  }

  #work(at: number): void {
    const now = START + at;
    for (let input = this.#queue.shift(); input !== undefined; input = this.#queue.shift()) {
      this.#lines.push(this.#encoder.input(input, now));
      for (const effect of this.#engine.handle(input, now)) this.#serve(effect);
    }
  }

  #serve(effect: Effect): void {
    if (effect.kind === 'open') this.#queue.push({ kind: 'connectivity', channel: 1, state: 'ready', reason: '' });
    if (effect.kind === 'send') this.#queue.push({ kind: 'sent', stream: 1 });
    if (effect.kind !== 'event') return;
    this.events++;
    if (effect.event.kind !== 'request') return;
    const type = shortType(effect.event.typeUrl) as Type;
    const all = this.#mesh.all(type);
    if (this.#served.has(type) || effect.event.names.length < all.length) return;
    this.#served.add(type);
    this.#send(type, all);
  }

  #send(type: Type, resources: readonly Uint8Array[]): void {
    const typeUrl = RESOURCE_TYPES[type];
    const nonce = String(++this.#sent);
    const all = resources.map((value) => ({ resource: { typeUrl, value, name: '' }, wrapper: undefined }));
    const bytes = encodeResponse({ typeUrl, version: nonce, nonce, resources: all, errors: [] });
    this.#queue.push({ kind: 'message', stream: 1, bytes });
  }
}
