import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { PRESET_NAMES, type Preset, presetNamed } from '../../../src/bootstrap/preset-names.js';
import { type Comparison, sorted, type Tally } from './comparison.js';
import { deepDifference } from './deep-difference.js';
import { readRecordingFile } from './recording-file.js';
import { compareRecording, kindOf } from './run.js';

const FIXTURES = join(import.meta.dirname, '../../../fixtures');
/** The recordings of each client; the gRFCs are compared with those of C-core. */
const C_CORE = [
  'resources/c-core.json',
  'bootstrap/c-core.json',
  'bootstrap/c-core-names.json',
  'routing/c-core.json',
  'client/c-core.json',
  'client/c-core-walks.json',
];
const DEFAULT_RECORDINGS: Record<Preset, readonly string[]> = {
  spec: C_CORE,
  'c-core': C_CORE,
  'grpc-go': ['client/grpc-go.json', 'client/grpc-go-walks.json'],
  'grpc-java': [],
  'grpc-node': ['client/grpc-node.json'],
};
const MAX_DIFFERENCES = 50;
const MAX_PLACES = 8;

type Print = (line: string) => void;

/** Compares this project with recordings and prints the differences. Returns the exit code. */
export async function conformance(args: readonly string[], print: Print, printError: Print): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      /** The share that must agree, in percent. */
      min: { type: 'string', default: '100' },
      as: { type: 'string', default: 'c-core' },
      help: { type: 'boolean', default: false },
    },
  });
  const preset = presetNamed(values.as);
  if (values.help || preset === undefined || Number.isNaN(Number(values.min))) {
    print(`npm run conformance [-- [--min PERCENT] [--as ${PRESET_NAMES.join('|')}] file.json…]`);
    return values.help ? 0 : 64;
  }

  const files = positionals.length > 0 ? positionals : DEFAULT_RECORDINGS[preset].map((file) => join(FIXTURES, file));
  const total = { agree: 0, all: 0 };
  let isUnreadable = false;
  for (const file of files) {
    const began = performance.now();
    const comparison = await compareFile(file, preset, printError);
    if (comparison === undefined) {
      isUnreadable = true;
      continue;
    }
    printDifferences(comparison, print);
    for (const { agree, total: all } of comparison.tallies) {
      total.agree += agree;
      total.all += all;
    }
    const seconds = ((performance.now() - began) / 1000).toFixed(1);
    print(`${basename(file)} (${seconds} s): ${comparison.tallies.map(tallyText).join(', ')}`);
  }
  const share = total.all === 0 ? 0 : (100 * total.agree) / total.all;
  print(`${total.agree} of ${total.all} agree: ${share.toFixed(2)} %`);
  return isUnreadable ? 65 : share >= Number(values.min) && total.all > 0 ? 0 : 1;
}

async function compareFile(file: string, preset: Preset, printError: Print): Promise<Comparison | undefined> {
  try {
    const recording = readRecordingFile(file);
    const kind = kindOf(recording);
    if (kind !== undefined) return await compareRecording(recording, kind, preset);
    printError(`${file}: not a known kind of recording: it has neither scenarios nor cases of a known kind`);
  } catch (error) {
    printError(`${file}: ${(error as Error).message}`);
  }
  return undefined;
}

function printDifferences({ differences }: Comparison, print: Print): void {
  for (const { id, what, expected, actual } of differences.slice(0, MAX_DIFFERENCES)) {
    const places = deepDifference(sorted(expected), sorted(actual));
    print(`${id}: ${what}`);
    for (const place of places.slice(0, MAX_PLACES)) print(`    ${place}`);
    if (places.length > MAX_PLACES) print(`    and ${places.length - MAX_PLACES} more`);
  }
  if (differences.length > MAX_DIFFERENCES) print(`and ${differences.length - MAX_DIFFERENCES} more differences`);
}

function tallyText({ what, agree, total: all, varied }: Tally): string {
  return `${what} ${agree} of ${all}${varied === undefined ? '' : ` (${varied} varied, not compared)`}`;
}
