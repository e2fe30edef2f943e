import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Command, otherCCore, PEER_RECIPES } from '../../peers/peers.ts';
import { sorted } from '../conformance/comparison.ts';
import { deepDifference } from '../conformance/deep-difference.ts';
import { recordingJson } from '../recording-json.ts';
import { coreName } from './core-name.ts';
import { equalParts } from './equal-parts.ts';
import { RECORDINGS } from './recordings.ts';

const FIXTURES = join(import.meta.dirname, '../../../fixtures');
const MAX_SHOWN = 40;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    grpcio: { type: 'string' },
    only: { type: 'string', multiple: true, default: [] },
    parallel: { type: 'string', default: '8' },
    help: { type: 'boolean', default: false },
  },
});
const [folder] = positionals;
const names = RECORDINGS.map(({ name }) => name);
const isUsable = positionals.length === 1 && values.only.every((name) => names.includes(name));
if (values.help || folder === undefined || !isUsable || !(Number(values.parallel) >= 1)) {
  console.log('npm run record-oracle -- [--grpcio VERSION] [--only NAME]… [--parallel N] FOLDER');
  console.log(
    'records the behaviour of C-core again, with the inputs of the fixtures; then: npm run conformance -- FOLDER/*.json',
  );
  console.log(`names: ${names.join(', ')}`);
  process.exit(values.help ? 0 : 64);
}

const command: Command =
  values.grpcio === undefined ? await PEER_RECIPES['c-core-oracle'].prepare() : await otherCCore(values.grpcio);
const recordedFrom = await coreName(command);
console.log(recordedFrom);
mkdirSync(folder, { recursive: true });
for (const { name, fixture, record } of RECORDINGS) {
  if (values.only.length > 0 && !values.only.includes(name)) continue;
  const began = performance.now();
  const before = JSON.parse(readFileSync(join(FIXTURES, fixture), 'utf8')) as object;
  const print = (line: string): void => console.log(`  ${line}`);
  const recorded = await record(before as never, { command, atOnce: Number(values.parallel), print });
  const head = 'recorded_from' in before ? { recorded_from: recordedFrom } : { recordedFrom };
  const file = join(folder, `${name}.json`);
  writeFileSync(file, recordingJson({ ...recorded, ...head }));
  const { equal, all, changes } = equalParts(before, recorded);
  for (const { id, what, before: a, now } of changes.slice(0, MAX_SHOWN)) {
    console.log(`  ${id}: ${what}`);
    for (const place of deepDifference(sorted(a), sorted(now)).slice(0, 3)) console.log(`      ${place}`);
  }
  if (changes.length > MAX_SHOWN) console.log(`  and ${changes.length - MAX_SHOWN} more`);
  const seconds = Math.round((performance.now() - began) / 1000);
  console.log(`${file} (${seconds} s): ${equal} of ${all} expectations equal fixtures/${fixture}`);
}
// Clients whose channels were just closed may still have open sockets.
process.exit(0);
