import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readBootstrap } from '../../src/bootstrap/read-bootstrap.ts';
import { readSwitches } from '../../src/bootstrap/switches.ts';
import type { Effect } from '../../src/core/effect.ts';
import type { Input } from '../../src/core/input.ts';
import { Engine } from '../../src/engine/engine.ts';
import { type ClientEnvironment, engineOptions } from '../../src/engine/options.ts';
import { engineSetup } from '../../src/engine/recording/engine-setup.ts';
import { Replay } from '../../src/engine/replay.ts';
import { feedRecording, readHeader } from '../../src/inspect/feed-recording.ts';
import type { CliEnvironment } from '../../src/io/environment.ts';
import { startRecorder } from '../../src/io/recorder.ts';
import { recordingFile } from '../../src/io/recording-lines.ts';
import { RESOURCE_TYPES, shortType } from '../../src/proto/resource-types.ts';
import { encodeResponse } from '../../src/scenario/encode-response.ts';
import { LISTENER } from './client/listener.ts';
import { Mesh, type Type } from './client/mesh.ts';
import { type Figure, median } from './measure.ts';
import type { Amount } from './page/value.ts';

const CLUSTERS = 5000;
const UPDATES = 1000;
const HOUR_MS = 3_600_000;
const RUNS = 5;

const read = readBootstrap(
  new TextEncoder().encode('{"xds_servers":[{"server_uri":"memory","channel_creds":[{"type":"insecure"}]}]}'),
  readSwitches({}, 'spec'),
);
if (!read.ok) throw new Error(read.message);
const { bootstrap } = read;
const environment: ClientEnvironment = {
  preset: 'spec',
  variables: {},
  userAgentName: 'bench',
  userAgentVersion: '0',
  interfaces: new Map(),
  seed: 1,
};

/** An hour of a client on a mesh in which a cluster or a load assignment changes every few seconds. */
class Hour {
  /** CPU time that `handle` took, in milliseconds. */
  cpuMs = 0;
  readonly #mesh = new Mesh(CLUSTERS);
  readonly #served = new Set<string>();
  readonly #queue: Input[] = [];
  readonly #handle: (input: Input, now: number) => Effect[];
  #sent = 0;

  constructor(handle: (input: Input, now: number) => Effect[]) {
    this.#handle = handle;
  }

  run(): void {
    const target = `xds:///${LISTENER}`;
    this.#queue.push({ kind: 'follow', scope: target, target, listener: LISTENER, authority: LISTENER });
    this.#work(0);
    if (this.#served.size !== 4) throw new Error('the client did not request every type');
    for (let i = 1; i <= UPDATES; i++) {
      const type = i % 2 === 0 ? 'CDS' : 'EDS';
      this.#send(type, this.#mesh.change(type));
      this.#work((i * HOUR_MS) / UPDATES);
    }
  }

  #work(now: number): void {
    for (let input = this.#queue.shift(); input !== undefined; input = this.#queue.shift()) {
      const before = process.cpuUsage();
      const effects = this.#handle(input, now);
      this.cpuMs += cpuSince(before);
      for (const effect of effects) this.#serve(effect);
    }
  }

  #serve(effect: Effect): void {
    if (effect.kind === 'open') this.#queue.push({ kind: 'connectivity', channel: 1, state: 'ready', reason: '' });
    if (effect.kind === 'send') this.#queue.push({ kind: 'sent', stream: 1 });
    if (effect.kind !== 'event' || effect.event.kind !== 'request') return;
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

function cpuSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

const folder = mkdtempSync(join(tmpdir(), 'xds-inspect-bench-'));
const live: number[] = [];
const replayed: number[] = [];
let megabytes = 0;
let bare = 0;
for (let i = 0; i < RUNS; i++) {
  const path = join(folder, `${i}.xdsrec`);
  const env = {
    clock: { now: () => 0 },
    version: '0',
    stderr: process.stderr,
    atExit: () => () => {},
  } as unknown as CliEnvironment;
  const recorder = await startRecorder(
    { bootstrap, origin: 'bench', environment },
    { record: path, showSecrets: false },
    env,
  );
  const engine = new Engine(engineOptions(bootstrap, environment));
  const hour = new Hour((input, now) => {
    recorder.record(input, now);
    const before = process.cpuUsage();
    const effects = engine.handle(input, now);
    bare += cpuSince(before);
    return effects;
  });
  hour.run();
  live.push(hour.cpuMs);
  recorder.close();
  megabytes = statSync(path).size / 1e6;
  const file = recordingFile(path);
  const header = await readHeader(file);
  const setup = engineSetup(header);
  if ('failure' in setup) throw new Error(setup.failure);
  let events = 0;
  const start = process.hrtime.bigint();
  const replay = new Replay(new Engine(setup.options), () => events++);
  await feedRecording({ file, header, until: undefined }, replay);
  replayed.push(Number(process.hrtime.bigint() - start) / 1e6);
  if (events < UPDATES) throw new Error('the replay lacks events');
}
rmSync(folder, { recursive: true });

const ms = (time: number): Amount => ({ unit: 'ms', median: time });
const count = (value: number): string => value.toLocaleString('en');
const alone = bare / RUNS;
const figures: Figure[] = [
  {
    what: `replay of an hour: ${count(2 * CLUSTERS)} resources, ${count(UPDATES)} updates, ${megabytes.toFixed(0)} MB`,
    value: ms(median(replayed)),
    ratio: median(replayed) / alone,
    peer: 'CPU of the engine in that hour',
    peerValue: ms(alone),
    goal: 2,
    runs: RUNS,
  },
  {
    what: 'engine and recorder in that hour',
    value: ms(median(live)),
    ratio: median(live) / alone,
    peer: 'CPU of the engine in that hour',
    peerValue: ms(alone),
    goal: 2,
    runs: RUNS,
  },
];
process.stdout.write(JSON.stringify(figures));
