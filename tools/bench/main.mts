import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { against } from './against/against.ts';
import { bundled } from './bundle.ts';
import { clients } from './client/compare.ts';
import { machine } from './machine.ts';
import { writePart } from './markdown.ts';
import type { Figure } from './measure.ts';
import { build } from './peers/builds.ts';
import { latency } from './peers/latency.ts';
import { peerParts } from './peers/sections.ts';
import { soak } from './peers/soak.ts';
import { storm } from './peers/storm.ts';
import { recordingCost } from './recording-cost.ts';
import { type BenchSetup, headlineList, type Outcome, told } from './section.ts';
import { startUp } from './start-up.ts';

const root = join(import.meta.dirname, '../..');

async function inProcess(name: string): Promise<Figure[]> {
  const { status, stdout } = spawnSync(process.execPath, [await bundled(root, name)], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (status !== 0) throw new Error(`${name} ended with ${status}`);
  return JSON.parse(stdout) as Figure[];
}

/** The parts, in the order in which they run; peers and updates come of one pass. */
const PARTS: Record<string, (setting: BenchSetup) => Promise<Outcome>> = {
  'start-up': async () => told(startUp(root)),
  resources: async () => told(await inProcess('resources')),
  dependencies: async () => told(await inProcess('dependencies')),
  clients: async () => told(await clients(root)),
  recording: async () => told(await recordingCost(root)),
  replay: async () => told(await inProcess('replay')),
  latency,
  soak,
  storm,
};
const NAMES = [...Object.keys(PARTS), 'peers', 'updates'];

const asked = process.argv.slice(2);
if (asked[0] === 'against') process.exit(await against(root, asked.slice(1)));
const unknown = asked.filter((name) => !NAMES.includes(name));
if (unknown.length > 0) {
  console.error(`no part is called ${unknown.join(', ')}; there are ${NAMES.join(', ')}`);
  process.exit(64);
}
const chosen = new Set(asked.length === 0 ? NAMES : asked);
const setting: BenchSetup = {
  root,
  builds: await build('bench-plane', 'bench-xdsclient', 'grpc-go-app', 'c-core-app'),
};

const here = machine();
const figures: Figure[] = [];

/** At once: what a later part does must not lose it. */
function keep(name: string, outcome: Outcome): void {
  figures.push(...outcome.figures);
  console.log(`\n${name}\n\n${outcome.markdown}\n`);
  writePart(join(root, 'docs/benchmarks.md'), name, `${outcome.markdown}\n\n${here}`);
}

for (const [name, run] of Object.entries(PARTS)) if (chosen.has(name)) keep(name, await run(setting));
const ofPeers = new Set(['peers', 'updates'].filter((name) => chosen.has(name)));
if (ofPeers.size > 0) for (const [name, outcome] of await peerParts(setting, ofPeers)) keep(name, outcome);

for (const { what, peer, ratio, goal } of figures)
  if (ratio > goal)
    console.log(`over its goal: ${what}: ${ratio.toPrecision(2)} × ${peer} instead of ${goal.toPrecision(2)}`);
// The README has figures of one run, not of several.
if (asked.length === 0) {
  const list = headlineList(figures);
  if (list === undefined) console.log('README.md is left as it is: one of its figures could not be measured here');
  else writePart(join(root, 'README.md'), 'figures', `${list}\n\n${here}`);
}
