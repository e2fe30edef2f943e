import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { against } from './against/against.ts';
import { bundled } from './bundle.ts';
import { clients } from './client/compare.ts';
import { fleet } from './fleet.ts';
import { machine } from './machine.ts';
import { writePart } from './markdown.ts';
import { type Figure, isMissed } from './measure.ts';
import { missedLine } from './page/missed.ts';
import { outcomeText } from './page/page.ts';
import { keepResult } from './page/results.ts';
import { build } from './peers/builds.ts';
import { latency } from './peers/latency.ts';
import { long } from './peers/long.ts';
import { peerParts } from './peers/sections.ts';
import { soak } from './peers/soak.ts';
import { storm } from './peers/storm.ts';
import { recordingCost } from './recording-cost.ts';
import { scale } from './scale.ts';
import { type BenchSetup, figuresOnly, headlineList, type Outcome } from './section.ts';
import { startUp } from './start-up/start-up.ts';

const root = join(import.meta.dirname, '../..');

async function inProcess(name: string): Promise<Figure[]> {
  const { status, stdout } = spawnSync(process.execPath, [await bundled(root, name)], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (status !== 0) throw new Error(`${name} ended with ${status}`);
  return JSON.parse(stdout) as Figure[];
}

/** The parts, in the order in which they run; peers and updates share one run. */
const PARTS: Record<string, (setup: BenchSetup) => Promise<Outcome>> = {
  'start-up': async () => figuresOnly(await startUp(root)),
  resources: async () => figuresOnly(await inProcess('resources')),
  'one-change': async () => figuresOnly(await inProcess('one-change')),
  dependencies: async () => figuresOnly(await inProcess('dependencies')),
  clients: async () => figuresOnly(await clients(root)),
  recording: async () => figuresOnly(await recordingCost(root)),
  replay: async () => figuresOnly(await inProcess('replay')),
  comparison: async () => figuresOnly(await inProcess('comparison')),
  fleet: async () => figuresOnly(await fleet(root)),
  scale,
  latency,
  soak,
  long,
  storm,
};
const NAMES = [...Object.keys(PARTS), 'peers', 'updates'];

const names = process.argv.slice(2);
if (names[0] === 'against') process.exit(await against(root, names.slice(1)));
const unknown = names.filter((name) => !NAMES.includes(name));
if (unknown.length > 0) {
  console.error(`unknown part: ${unknown.join(', ')}; the parts are ${NAMES.join(', ')}`);
  process.exit(64);
}
const chosen = new Set(names.length === 0 ? NAMES : names);
const setup: BenchSetup = {
  root,
  builds: await build('bench-plane', 'bench-xdsclient', 'grpc-go-app', 'c-core-app'),
};

const here = machine();
const figures: Figure[] = [];

/** Writes a part at once, so that a failure in a later part does not lose it. */
function write(name: string, outcome: Outcome): void {
  figures.push(...outcome.figures);
  console.log(`\n${name}\n\n${outcomeText(outcome)}\n`);
  keepResult(root, name, outcome, here);
}

for (const [name, run] of Object.entries(PARTS)) if (chosen.has(name)) write(name, await run(setup));
const peerNames = new Set(['peers', 'updates'].filter((name) => chosen.has(name)));
if (peerNames.size > 0) for (const [name, outcome] of await peerParts(setup, peerNames)) write(name, outcome);

for (const figure of figures.filter(isMissed)) console.log(missedLine(figure));
// The README contains figures of one complete run only.
if (names.length === 0) {
  const list = headlineList(figures);
  if (list === undefined) console.log('README.md is unchanged: one of its figures could not be measured here');
  else writePart(join(root, 'README.md'), 'figures', `${list}\n\n${here}`);
}
