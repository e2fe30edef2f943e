import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { PeerProcess } from '../../peers/peer-process.ts';
import { type Command, otherCCore, PEER_RECIPES, type PeerName } from '../../peers/peers.ts';
import type { ClientRecording } from '../conformance/client/recording.ts';
import { sorted } from '../conformance/comparison.ts';
import { deepDifference } from '../conformance/deep-difference.ts';
import { readRecordingFile } from '../conformance/recording-file.ts';
import { recordingJson } from '../recording-json.ts';
import { behaviourOnly } from './clients.ts';
import { coreName } from './core-name.ts';
import { equalParts } from './equal-parts.ts';
import { isOracleName, ORACLE_RECIPES, type OracleRecipe } from './programs.ts';
import { RECORDINGS, type RecordingKind } from './recordings.ts';

const FIXTURES = join(import.meta.dirname, '../../../fixtures');
const MAX_SHOWN = 40;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    client: { type: 'string', default: 'c-core' },
    grpcio: { type: 'string' },
    only: { type: 'string', multiple: true, default: [] },
    scenario: { type: 'string', default: '' },
    parallel: { type: 'string', default: '8' },
    runs: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});
const [folder] = positionals;
const { client } = values;
/** The scripts of client scenarios run with every client; the other recordings need C-core. */
const kinds = client === 'c-core' ? RECORDINGS : RECORDINGS.filter(({ name }) => name.startsWith('client'));
const names = kinds.map(({ name }) => name);
const isUsable =
  positionals.length === 1 &&
  isOracleName(client) &&
  (client === 'c-core' || values.grpcio === undefined) &&
  values.only.every((name) => names.includes(name));
if (values.help || folder === undefined || !isUsable || !(Number(values.parallel) >= 1)) {
  console.log(
    'npm run record-oracle -- [--client NAME] [--grpcio VERSION] [--only KIND]… [--scenario ID] [--parallel N] [--runs N] FOLDER',
  );
  console.log(
    'records the behaviour of a gRPC client again, with the inputs of the fixtures; then: npm run conformance -- [--as NAME] FOLDER/*.json',
  );
  console.log(`clients: ${Object.keys(ORACLE_RECIPES).filter(isOracleName).join(', ')}`);
  console.log(`kinds: ${names.join(', ')}; --scenario: only client scenarios whose id begins with ID`);
  process.exit(values.help ? 0 : 64);
}

const recipe: OracleRecipe = {
  ...ORACLE_RECIPES[client],
  ...(values.runs !== undefined && { runs: Number(values.runs) }),
};
const command: Command =
  values.grpcio === undefined ? await PEER_RECIPES[recipe.peer as PeerName].prepare() : await otherCCore(values.grpcio);
const recordedFrom = client === 'c-core' ? await coreName(command) : await programName(command);
console.log(recordedFrom);
mkdirSync(folder, { recursive: true });
for (const kind of kinds)
  if (values.only.length === 0 || values.only.includes(kind.name)) await recordKind(kind, folder);
// Clients whose channels were just closed may still have open sockets.
process.exit(0);

async function recordKind({ name, fixture, record }: RecordingKind, to: string): Promise<void> {
  const began = performance.now();
  const inputs = chosen(readRecordingFile(join(FIXTURES, fixture)) as object);
  const print = (line: string): void => console.log(`  ${line}`);
  const recorded = await record(inputs as never, { command, recipe, atOnce: Number(values.parallel), print });
  const head = 'recorded_from' in inputs ? { recorded_from: recordedFrom } : { recordedFrom };
  const file = join(to, `${client === 'c-core' ? name : name.replace('client', client)}.json`);
  const content =
    client === 'c-core'
      ? { ...recorded, ...head }
      : { ...head, ...behaviourOnly(recorded as ClientRecording, inputs as ClientRecording, fixture) };
  writeFileSync(file, recordingJson(content));
  const seconds = Math.round((performance.now() - began) / 1000);
  const { equal, all, changes } = equalParts(inputs, recorded);
  if (client === 'c-core') printChanges(changes);
  console.log(`${file} (${seconds} s): ${equal} of ${all} expectations equal fixtures/${fixture}`);
}

/** A recording with the chosen scenarios only. */
function chosen(inputs: object): object {
  if (!('scenarios' in inputs) || values.scenario === '') return inputs;
  const { scenarios } = inputs as ClientRecording;
  return { ...inputs, scenarios: scenarios.filter(({ id }) => id.startsWith(values.scenario)) };
}

function printChanges(changes: ReturnType<typeof equalParts>['changes']): void {
  for (const { id, what, before, now } of changes.slice(0, MAX_SHOWN)) {
    console.log(`  ${id}: ${what}`);
    for (const place of deepDifference(sorted(before), sorted(now)).slice(0, 3)) console.log(`      ${place}`);
  }
  if (changes.length > MAX_SHOWN) console.log(`  and ${changes.length - MAX_SHOWN} more`);
}

/** The version in the greeting of a program: `grpc-go 1.85.0`. */
async function programName(program: Command): Promise<string> {
  const { peer, greeting } = await PeerProcess.start<{ version: string }>(program);
  peer.kill();
  return greeting.version;
}
