import { parseArgs } from 'node:util';
import type { FuzzTarget } from './target.js';

export interface FuzzArguments {
  help: boolean;
  seed: number;
  /** For all targets together. */
  seconds: number;
  /** For each target. */
  inputs: number;
  only: readonly string[];
  firstCase: number;
  /** Where reproducers are written; undefined: a new temporary folder. */
  folder: string | undefined;
}

const DEFAULT_SECONDS = 30;

/** Reads the command line; returns a sentence if it is invalid. */
export function readArguments(args: readonly string[], names: readonly string[]): FuzzArguments | string {
  let values: Record<string, string | boolean | string[] | undefined>;
  try {
    values = parseArgs({
      args: [...args],
      options: {
        seconds: { type: 'string' },
        seed: { type: 'string' },
        inputs: { type: 'string' },
        case: { type: 'string' },
        only: { type: 'string', multiple: true, default: [] },
        out: { type: 'string' },
        help: { type: 'boolean', default: false },
      },
    }).values;
  } catch (error) {
    return (error as Error).message;
  }
  const only = (values.only as string[]).flatMap((list) => list.split(','));
  const unknown = only.find((name) => !names.includes(name));
  if (unknown !== undefined) return `unknown target ${unknown}: use ${names.join(', ')}`;
  const bad = ['seconds', 'seed', 'inputs', 'case'].find((name) => !isNumber(values[name]));
  if (bad !== undefined) return `--${bad} takes a number`;
  const isOne = values.case !== undefined;
  // With a number of inputs, time does not matter.
  const byDefault = values.inputs === undefined ? DEFAULT_SECONDS : Number.MAX_SAFE_INTEGER;
  return {
    help: values.help === true,
    seed: values.seed === undefined ? Date.now() % 1_000_000 : Number(values.seed),
    seconds: isOne ? 0 : values.seconds === undefined ? byDefault : Number(values.seconds),
    inputs: values.inputs === undefined ? Number.MAX_SAFE_INTEGER : Number(values.inputs),
    only: only.length > 0 ? only : names,
    firstCase: isOne ? Number(values.case) : 0,
    folder: values.out as string | undefined,
  };
}

function isNumber(value: unknown): boolean {
  return value === undefined || (typeof value === 'string' && /^\d+(\.\d+)?$/.test(value));
}

export function helpText(targets: readonly FuzzTarget[]): string {
  const list = targets.map(({ name, description }) => `  ${name.padEnd(16)}${description}`);
  return [
    'npm run fuzz [-- options]: looks for bugs with random input',
    '',
    '  --seconds N   how long, for all targets together (default 30; without limit with --inputs)',
    '  --inputs N    how many inputs, for each target',
    '  --seed N      the same seed gives the same inputs (default: from the clock; printed)',
    '  --only LIST   only these targets',
    '  --case N      only this case',
    '  --out DIR     where to write inputs that reproduce a bug (default: a new temporary folder)',
    '',
    'Targets:',
    ...list,
    '',
    'Exit code: 0 without bugs, 1 with bugs, 64 for an invalid command line.',
  ].join('\n');
}
