import { join } from 'node:path';
import { EXIT } from '../../src/base/exit-codes.js';
import { main } from '../../src/cli/main.js';
import type { CliEnvironment } from '../../src/io/environment.js';
import { filesOnDisk } from '../../src/io/package-files.js';
import { systemClock } from '../../src/io/system-clock.js';
import { checkOutput } from './outputs.js';
import { require } from './violation.js';

export type Main = (argv: readonly string[], env: CliEnvironment) => Promise<number>;

const PACKAGE = join(import.meta.dirname, '../..');
const CODES: ReadonlySet<number> = new Set(Object.values(EXIT).filter((code) => code !== EXIT.bug));

/** Runs a command line of xds-inspect in this process, and checks its outputs and its exit code. */
export async function checkCommand(argv: readonly string[], inputBytes: number, run: Main = main): Promise<void> {
  const written = { stdout: '', stderr: '' };
  const output = (name: keyof typeof written): CliEnvironment['stdout'] => ({
    isTerminal: false,
    columns: 80,
    rows: 24,
    write: (text) => {
      written[name] += text;
    },
    offer: (line) => {
      written[name] += line();
    },
    ready: async () => {},
  });
  const code = await run(argv, {
    stdout: output('stdout'),
    stderr: output('stderr'),
    readStdin: async () => new Uint8Array(),
    variables: {},
    clock: systemClock,
    packageFiles: filesOnDisk(PACKAGE),
    version: 'fuzz',
    program: 'xds-inspect',
    onInterrupt: () => () => {},
    atExit: () => () => {},
  });
  const source = argv.join(' ');
  require(CODES.has(code), 'exit-code', () => `${source}: exit code ${code}\n${written.stderr}`);
  const format = argv.includes('-o') ? argv[argv.indexOf('-o') + 1] : undefined;
  checkOutput({ text: written.stdout, format, source }, inputBytes);
  checkOutput({ text: written.stderr, format: undefined, source: `${source} (stderr)` }, inputBytes);
}
