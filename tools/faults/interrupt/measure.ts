import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LISTENER } from '../../bench/client/listener.ts';
import { table } from '../../bench/markdown.ts';
import { median } from '../../bench/measure.ts';
import { Command, hasTerminal } from '../flood/command.ts';
import { Helper } from '../flood/helper.ts';
import { FloodPlane } from '../flood/plane.ts';
import { programs } from '../programs.ts';
import { CASES, type InterruptCase } from './cases.ts';

/** The goal for the time from Ctrl-C to the end of the process. */
export const GOAL_MS = 200;
/** A command that takes longer counts as not ended. */
const LIMIT_MS = 20_000;
/** Responses that the control plane has sent before Ctrl-C, and the time after them. */
const SENT = 2000;
const FLOOD_MS = 1500;

const CONNECTIONS = 100;
const STREAMS = 100;

export interface InterruptContext {
  root: string;
  quick: boolean;
  /** Only commands whose name contains this text. */
  only?: string | undefined;
  /** An empty folder. */
  folder: string;
  progress(line: string): void;
}

export interface InterruptResult {
  counts: Record<string, number>;
  failures: string[];
  notes: string[];
  skipped: string[];
  rows: InterruptRow[];
}

interface InterruptRow {
  case: InterruptCase;
  /** Milliseconds from Ctrl-C to the end of the process, for each run. */
  times: number[];
}

/** The times of each command. */
export function interruptTable(rows: readonly InterruptRow[]): string {
  const ms = (value: number): string => `${value.toFixed(0)} ms`;
  const cells = rows.map(({ case: one, times }) => [
    nameOf(one),
    ms(Math.min(...times)),
    ms(median(times)),
    ms(Math.max(...times)),
  ]);
  return table(['command', 'best', 'median', 'worst'], cells);
}

/** Interrupts every command in a flood, and measures the time until its process has ended. */
export async function measureInterrupts({
  root,
  quick,
  only = '',
  folder,
  progress,
}: InterruptContext): Promise<InterruptResult> {
  const result: InterruptResult = { counts: {}, failures: [], notes: [], skipped: [], rows: [] };
  const runs = quick ? 1 : 3;
  for (const [i, one] of CASES.entries()) {
    if (!nameOf(one).includes(only)) continue;
    if (one.reader === 'terminal' && !hasTerminal) {
      result.skipped.push(`${one.name} on a terminal: the program script is not installed`);
      continue;
    }
    const times: number[] = [];
    for (let run = 0; run < runs; run++) {
      const { ms, code } = await interruptOnce(root, one, join(folder, `${i}-${run}`));
      times.push(ms);
      if (code !== 130) result.failures.push(`${nameOf(one)}: ended with ${code} instead of 130`);
    }
    progress(`${nameOf(one)}: ${times.map((ms) => `${ms.toFixed(0)} ms`).join(', ')}`);
    result.rows.push({ case: one, times });
  }
  const all = result.rows.flatMap(({ times }) => times);
  const late = result.rows.filter(({ times }) => Math.min(...times) > GOAL_MS);
  result.notes.push(
    ...late.map(({ case: one, times }) => `${nameOf(one)}: ${Math.min(...times).toFixed(0)} ms at best`),
  );
  result.counts = { commands: result.rows.length, interrupts: all.length, 'above the goal': late.length };
  return result;
}

function nameOf({ name, reader, flood }: InterruptCase): string {
  const output = { reads: '', 'never reads': ', output not read', terminal: ', on a terminal' }[reader];
  return `${name}${output}${flood === undefined ? `, ${CONNECTIONS * STREAMS} streams` : `, flood: ${flood}`}`;
}

async function interruptOnce(
  root: string,
  one: InterruptCase,
  path: string,
): Promise<{ ms: number; code: number | string }> {
  const ends: (() => Promise<unknown>)[] = [];
  try {
    const command = one.flood === undefined ? await serving(root, one, ends) : await flooded(root, one, path, ends);
    await new Promise((wake) => setTimeout(wake, FLOOD_MS));
    if (command.hasEnded) return { ms: 0, code: `${await command.exit(0)} before Ctrl-C (${command.stderr.trim()})` };
    const start = performance.now();
    command.interrupt();
    const code = await command.exit(LIMIT_MS);
    return { ms: performance.now() - start, code };
  } finally {
    for (const end of ends.reverse()) await end();
  }
}

/** A command on a control plane that has flooded it for a while. */
async function flooded(
  root: string,
  { argv, reader, flood, of }: InterruptCase,
  path: string,
  ends: (() => Promise<unknown>)[],
): Promise<Command> {
  const plane = await FloodPlane.start((await programs(root)).flood, flood ?? 'update');
  ends.push(() => plane.end());
  const flags = ['--server', `127.0.0.1:${plane.port}`, '--plaintext'];
  const start = (args: readonly string[], to: InterruptCase['reader']): Command => {
    const command = new Command(root, args, to);
    ends.push(() => command.exit(0));
    return command;
  };
  let command: Command;
  if (of === 'csds') {
    const watched = start(['watch', '-o', 'ndjson', '--csds-port', '0', ...flags, LISTENER], 'reads');
    const address = await watched.printed(/CSDS on (\S+)/);
    command = start([...argv, address], reader);
  } else if (of === 'file') {
    writeFileSync(path, `targets: [{ target: ${LISTENER}, verdict: fails, settled_within: 1h }]\n`);
    command = start([...argv, path, ...flags], reader);
  } else if (argv[0] === 'record') command = start([...argv, '-f', path, LISTENER, ...flags], reader);
  else command = start([...argv, ...flags, ...(of === 'type' ? [] : [LISTENER])], reader);
  await plane.untilSent(SENT, () => command.hasEnded);
  return command;
}

/** A control plane with thousands of streams. */
async function serving(
  root: string,
  { argv, reader }: InterruptCase,
  ends: (() => Promise<unknown>)[],
): Promise<Command> {
  const scenario = join(root, 'fixtures/scenarios/docs/orders.yaml');
  const command = new Command(root, [...argv, scenario, '--port', '0'], reader);
  ends.push(() => command.exit(0));
  const port = await command.printed(/on 127\.0\.0\.1:(\d+)/);
  const { streams } = await programs(root);
  const clients = new Helper(streams, [port, String(CONNECTIONS), String(STREAMS)]);
  ends.push(() => clients.end());
  await clients.next();
  return command;
}
