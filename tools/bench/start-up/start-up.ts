import { join } from 'node:path';
import { type NodeVersion, nodeVersions } from '../../nodes/node-versions.ts';
import type { Figure } from '../measure.ts';
import { type Amount, amount } from '../page/value.ts';
import { cpuTime } from './cpu-time.ts';
import { withSmallTarget } from './small-target.ts';

const RUNS = 25;

interface Measured {
  words: string[];
  title: string;
  goal: number;
}

/** The CPU time of short commands, as a multiple of that of an empty program on the same Node. */
export async function startUp(root: string): Promise<Figure[]> {
  const bootstrap = join(root, 'fixtures/bootstrap/two-servers.json');
  return await withSmallTarget(root, (target) => {
    const commands: Measured[] = [
      { words: ['--help'], title: '--help', goal: 1.4 },
      { words: ['bootstrap', 'validate', bootstrap], title: 'bootstrap validate', goal: 1.5 },
      { words: target, title: 'TARGET', goal: 3 },
    ];
    return nodeVersions().flatMap((node) => figures(root, node, commands));
  });
}

function figures(root: string, { version, path }: NodeVersion, commands: readonly Measured[]): Figure[] {
  const bin = join(root, 'bin/xds-inspect.js');
  const lines = [[path, '-e', '0'], ...commands.map(({ words }) => [path, bin, ...words])];
  const times = lines.map((): number[] => []);
  // In turns, so that other load on the machine affects all equally. Not the first run: newer versions of Node then
  // write the code that they have compiled.
  for (let run = 0; run <= RUNS; run++) {
    lines.forEach((line, i) => {
      const time = cpuTime(line);
      if (run > 0) times[i]?.push(time);
    });
  }
  const [bare, ...others] = times.map((all) => amount('ms', all)) as [Amount, ...Amount[]];
  return commands.map(({ title, goal }, i) => {
    const value = others[i] as Amount;
    const ratio = value.median / bare.median;
    const isHeadline = title === '--help' && path === process.execPath;
    return {
      what: `\`xds-inspect ${title}\`, Node ${version}`,
      value,
      ratio,
      peer: '`node -e 0`',
      peerValue: bare,
      goal,
      runs: RUNS,
      ...(isHeadline && { headline: headline(ratio) }),
    };
  });
}

function headline(ratio: number): string {
  return `\`xds-inspect --help\` takes ${ratio.toPrecision(2)} times the CPU time of an empty Node program.`;
}
