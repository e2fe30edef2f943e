import { join } from 'node:path';
import { type Figure, interleaved } from './measure.ts';

const RUNS = 31;
const GOAL = 1.6;

/** The wall time of commands that load only the command line itself. */
export function startUp(root: string): Figure[] {
  const bin = join(root, 'bin/xds-inspect.js');
  const bootstrap = join(root, 'fixtures/bootstrap/two-servers.json');
  const commands = [['--help'], ['--version'], ['bootstrap', 'validate', bootstrap]];
  const [bare, ...times] = interleaved([['-e', '0'], ...commands.map((args) => [bin, ...args])], RUNS);
  return times.map((time, i) => ({
    what: `start-up: \`xds-inspect ${commands[i]?.filter((word) => !word.startsWith('/')).join(' ')}\``,
    ratio: time / (bare as number),
    peer: '`node -e 0`',
    goal: GOAL,
    runs: RUNS,
    ...(i === 0 && { headline: headline(time, bare as number) }),
  }));
}

function headline(time: number, bare: number): string {
  return `\`xds-inspect --help\` takes ${(time / bare).toPrecision(2)} times as long as an empty Node program.`;
}
