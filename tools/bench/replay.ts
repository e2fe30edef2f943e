import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readBootstrap } from '../../src/bootstrap/read-bootstrap.ts';
import { readSwitches } from '../../src/bootstrap/switches.ts';
import type { CliEnvironment } from '../../src/cli/environment.ts';
import { play, readHeader } from '../../src/cli/run/play.ts';
import { startRecorder } from '../../src/cli/run/recorder.ts';
import type { Effect } from '../../src/core/effect.ts';
import type { Input } from '../../src/core/input.ts';
import { Engine } from '../../src/engine/engine.ts';
import { engineOptions, type Surroundings } from '../../src/engine/options.ts';
import { RESOURCE_TYPES, shortType } from '../../src/proto/resource-types.ts';
import { encodeResponse } from '../../src/scenario/encode-response.ts';
import { settingOf } from '../../src/session/recording/setting.ts';
import { Replay } from '../../src/session/replay.ts';
import { LISTENER } from './client/listener.ts';
import { Mesh, type Type } from './client/mesh.ts';
import { type Figure, median } from './measure.ts';

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
const surroundings: Surroundings = {
  preset: 'spec',
  variables: {},
  userAgentName: 'bench',
  userAgentVersion: '0',
  interfaces: new Map(),
  seed: 1,
};

/** An hour of a mesh, of which a cluster or a load assignment changes every few seconds. */
function session(handle: (input: Input, now: number) => Effect[]): number {
  const mesh = new Mesh(CLUSTERS);
  const answered = new Set<string>();
  let sent = 0;
  let spent = 0;
  let now = 0;
  const queue: Input[] = [];
  const send = (type: Type, resources: readonly Uint8Array[]): void => {
    const typeUrl = RESOURCE_TYPES[type];
    const nonce = String(++sent);
    const all = resources.map((value) => ({ resource: { typeUrl, value, name: '' }, wrapper: undefined }));
    const bytes = encodeResponse({ typeUrl, version: nonce, nonce, resources: all, errors: [] });
    queue.push({ kind: 'message', stream: 1, bytes });
  };
  const run = (): void => {
    for (let input = queue.shift(); input !== undefined; input = queue.shift()) {
      const before = process.cpuUsage();
      const effects = handle(input, now);
      const { user, system } = process.cpuUsage(before);
      spent += (user + system) / 1000;
      for (const effect of effects) {
        if (effect.kind === 'open') queue.push({ kind: 'connectivity', channel: 1, state: 'ready', reason: '' });
        if (effect.kind === 'send') queue.push({ kind: 'sent', stream: 1 });
        if (effect.kind !== 'event' || effect.event.kind !== 'request') continue;
        const type = shortType(effect.event.typeUrl) as Type;
        if (answered.has(type) || effect.event.names.length < mesh.all(type).length) continue;
        answered.add(type);
        send(type, mesh.all(type));
      }
    }
  };
  const target = `xds:///${LISTENER}`;
  queue.push({ kind: 'follow', scope: target, target, listener: LISTENER, authority: LISTENER });
  run();
  for (let i = 0; i < UPDATES; i++) {
    now += HOUR_MS / UPDATES;
    const type = i % 2 === 0 ? 'CDS' : 'EDS';
    send(type, mesh.change(type));
    run();
  }
  if (answered.size !== 4) throw new Error('not all was asked for');
  return spent;
}

const folder = mkdtempSync(join(tmpdir(), 'xds-inspect-bench-'));
const live: number[] = [];
const replayed: number[] = [];
let megabytes = 0;
let bare = 0;
for (let i = 0; i < RUNS; i++) {
  const path = join(folder, `${i}.xdsrec`);
  const env = { clock: { now: () => 0 }, version: '0', stderr: process.stderr } as unknown as CliEnvironment;
  const recorder = await startRecorder({ record: path }, env, {
    bootstrap,
    source: 'bench',
    surroundings,
    tearGraceMs: undefined,
  });
  const engine = new Engine(engineOptions(bootstrap, surroundings));
  live.push(
    session((input, now) => {
      recorder?.record(input, now);
      const before = process.cpuUsage();
      const effects = engine.handle(input, now);
      const { user, system } = process.cpuUsage(before);
      bare += (user + system) / 1000;
      return effects;
    }),
  );
  recorder?.close();
  megabytes = statSync(path).size / 1e6;
  const header = await readHeader(path);
  const setting = settingOf(header);
  if ('failure' in setting) throw new Error(setting.failure);
  let events = 0;
  const start = process.hrtime.bigint();
  await play(path, header, undefined, new Replay(setting.options, () => events++));
  replayed.push(Number(process.hrtime.bigint() - start) / 1e6);
  if (events < UPDATES) throw new Error('something is missing');
}
rmSync(folder, { recursive: true });

const seconds = (ms: number): string => `${(ms / 1000).toPrecision(2)} s`;
const alone = bare / RUNS;
const figures: Figure[] = [
  {
    what: `replay of an hour, ${2 * CLUSTERS} resources, ${UPDATES} updates, ${megabytes.toFixed(0)} MB (${seconds(median(replayed))})`,
    ratio: median(replayed) / alone,
    peer: `CPU time of the engine on the same inputs (${seconds(alone)})`,
    goal: 2,
    runs: RUNS,
  },
  {
    what: `engine and recording, the same hour (${seconds(median(live))})`,
    ratio: median(live) / alone,
    peer: `the engine alone (${seconds(alone)})`,
    goal: 1.5,
    runs: RUNS,
  },
];
process.stdout.write(JSON.stringify(figures));
