import { EventEmitter } from 'node:events';
import { main } from '../../src/cli/main.js';
import type { CliEnvironment } from '../../src/io/environment.js';
import type { Output } from '../../src/io/output.js';
import { filesOnDisk } from '../../src/io/package-files.js';
import { type TerminalInput, terminalKeyboard } from '../../src/io/terminal-keyboard.js';
import { patientClock } from './patient-clock.js';
import { ROOT } from './root.js';
import type { TerminalSize } from './terminal.js';

export { ROOT } from './root.js';
export { until } from './until.js';

/** A terminal, and whether stdin is one, too. */
export type TestTerminal = TerminalSize & { hasKeyboard?: boolean };

const STREAM = { setEncoding: () => {}, resume: () => {}, pause: () => {} };

export interface CliRun {
  stdout: string;
  stderr: string;
  /** Settles with the exit code. */
  done: Promise<number>;
  interrupt(): void;
  /** Types on the keyboard. */
  press(text: string): void;
  /** Whether the command reads the keyboard, so that the terminal does not echo. */
  isRaw: boolean;
  /** Simulates an abrupt end of the process. */
  exit(): void;
}

/** Starts a command line inside the test process, with its own streams, variables and signals. */
export function startCli(
  argv: string[],
  variables: Record<string, string> = {},
  terminal: boolean | TestTerminal = false,
  now = patientClock.now,
  stdin = '',
  changes: Partial<CliEnvironment> = {},
): CliRun {
  const keyboard = new EventEmitter();
  const stops = new Set<() => void>();
  const restores = new Set<() => void>();
  const run: CliRun = {
    stdout: '',
    stderr: '',
    done: Promise.resolve(0),
    interrupt: () => {
      for (const stop of stops) stop();
    },
    exit: () => {
      for (const restore of restores) restore();
    },
    press: (text) => void keyboard.emit('data', text),
    isRaw: false,
  };
  const size = typeof terminal === 'boolean' ? { columns: 100, rows: 24 } : terminal;
  const output = (name: 'stdout' | 'stderr'): Output => ({
    isTerminal: terminal !== false,
    get columns() {
      return size.columns;
    },
    get rows() {
      return size.rows;
    },
    write: (text) => {
      run[name] += text;
    },
    offer: (line) => {
      run[name] += line();
    },
    ready: async () => {},
  });
  const environment: CliEnvironment = {
    stdout: output('stdout'),
    stderr: output('stderr'),
    readStdin: async () => new TextEncoder().encode(stdin),
    variables,
    clock: { wakeAt: patientClock.wakeAt, now },
    packageFiles: filesOnDisk(ROOT),
    version: '1.2.3',
    program: 'xds-inspect',
    onInterrupt: (stop) => {
      stops.add(stop);
      return () => stops.delete(stop);
    },
    atExit: (restore) => {
      restores.add(restore);
      return () => restores.delete(restore);
    },
    portForwards: new Map(),
    ...changes,
  };
  if (typeof terminal === 'object' && terminal.hasKeyboard) {
    const setRawMode = (isRaw: boolean): void => {
      run.isRaw = isRaw;
    };
    const input: TerminalInput = Object.assign(keyboard, { isTTY: true, setRawMode, ...STREAM });
    environment.keyboard = () => terminalKeyboard(input, environment, { interrupt: run.interrupt, suspend: () => {} });
  }
  run.done = main(argv, environment);
  return run;
}

/** Runs a command line and waits for its exit code. */
export async function runCli(
  argv: string[],
  variables: Record<string, string> = {},
  terminal: boolean | TestTerminal = false,
): Promise<CliRun & { code: number }> {
  const run = startCli(argv, variables, terminal);
  return Object.assign(run, { code: await run.done });
}
