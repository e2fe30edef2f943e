import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { helpText, readArguments } from './arguments.js';
import type { Bug, TargetReport } from './runner.js';
import { TARGETS } from './targets.js';
import { watchedRun } from './watched-run.js';

type Print = (line: string) => void;

/** `npm run fuzz`: fuzzes the targets one after the other. Returns the exit code: 0 without bugs, 1 with bugs. */
export async function fuzz(args: readonly string[], print: Print, printError: Print): Promise<number> {
  const targets = TARGETS.map((make) => make());
  const names = targets.map(({ name }) => name);
  const read = readArguments(args, names);
  if (typeof read === 'string') {
    printError(`${read}\n\n${helpText(targets)}`);
    return 64;
  }
  if (read.help) {
    print(helpText(targets));
    return 0;
  }
  const { seed, seconds, inputs, only, firstCase, folder } = read;
  const chosen = targets.filter(({ name }) => only.includes(name));
  const shares = chosen.reduce((sum, { share }) => sum + share, 0);
  print(`seed ${seed}`);
  let bugs = 0;
  let out = folder;
  for (const { name, share } of chosen) {
    const began = performance.now();
    const job = { target: name, seed, seconds: (seconds * share) / shares, inputs, firstCase };
    const report = await watchedRun(job, { onProgress: progressOn(printError, name, began) });
    print(summary(report, (performance.now() - began) / 1000));
    bugs += report.bugs.length;
    if (report.bugs.length > 0) out ??= mkdtempSync(join(tmpdir(), 'xds-inspect-fuzz-'));
    for (const bug of report.bugs) printBug(name, seed, bug, out as string, print);
  }
  print(bugs === 0 ? 'no bugs' : `${bugs} bugs`);
  return bugs === 0 ? 0 : 1;
}

const PROGRESS_EVERY_MS = 60_000;

function progressOn(print: Print, name: string, began: number): (inputs: number) => void {
  let last = began;
  return (inputs) => {
    const now = performance.now();
    if (now - last < PROGRESS_EVERY_MS) return;
    last = now;
    print(`${name}: ${inputs} inputs after ${Math.round((now - began) / 1000)} s`);
  };
}

function summary({ target, cases, inputs, bugs }: TargetReport, seconds: number): string {
  const rate = Math.round(inputs / seconds);
  return `${target}: ${inputs} inputs in ${cases} cases, ${seconds.toFixed(1)} s, ${rate} inputs/s, ${bugs.length} bugs`;
}

const MAX_MESSAGE = 2000;

function printBug(target: string, seed: number, bug: Bug, folder: string, print: Print): void {
  const { oracle, case: number, times, inputs, message, reproducers } = bug;
  print(`BUG ${target}: ${oracle} (${times} cases; the smallest has ${inputs} inputs)`);
  print(`  ${message.slice(0, MAX_MESSAGE).replaceAll('\n', '\n  ')}`);
  print(`  npm run fuzz -- --only ${target} --seed ${seed} --case ${number}`);
  mkdirSync(folder, { recursive: true });
  for (const { extension, contents } of reproducers) {
    const path = join(folder, `${target}-${oracle}-${number}${extension}`);
    writeFileSync(path, contents);
    print(`  ${path}`);
  }
}
