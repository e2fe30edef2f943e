import { parseArgs } from 'node:util';

export interface Arguments {
  quick: boolean;
  seed: number;
  /** Names of suites; empty for all. */
  only: string[];
}

/** Reads the command line. Returns a text to print instead for `--help` and for a wrong argument. */
export function readArguments(
  args: readonly string[],
  suites: readonly { name: string; summary: string }[],
): Arguments | { text: string; exit: number } {
  const names = suites.map(({ name }) => name);
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        quick: { type: 'boolean', default: false },
        only: { type: 'string', multiple: true, default: [] },
        seed: { type: 'string', default: '1' },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
    if (values.help) return { text: usage(suites), exit: 0 };
    const unknown = values.only.filter((name) => !names.includes(name));
    if (unknown.length > 0)
      return { text: `unknown suite: ${unknown.join(', ')}; the suites are ${names.join(', ')}`, exit: 64 };
    if (!/^\d+$/.test(values.seed)) return { text: `--seed requires a number, got "${values.seed}"`, exit: 64 };
    return { quick: values.quick, seed: Number(values.seed), only: values.only };
  } catch (error) {
    return { text: (error as Error).message, exit: 64 };
  }
}

function usage(suites: readonly { name: string; summary: string }[]): string {
  const width = Math.max(...suites.map(({ name }) => name.length));
  return [
    'npm run faults -- [--quick] [--only SUITE]… [--seed NUMBER]',
    '',
    'Inject faults into real connections and processes, and compare each client with an undisturbed one.',
    '',
    '  --quick        a short run of every suite that has one',
    '  --only SUITE   only this suite; may be repeated',
    '  --seed NUMBER  the seed of all random choices (default 1)',
    '',
    'Suites:',
    ...suites.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`),
  ].join('\n');
}
