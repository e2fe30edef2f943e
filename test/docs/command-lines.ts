import { allCommands } from '../../src/cli/commands/index.js';

const FLAGS = new Map((await allCommands()).map(({ name, options }) => [name, Object.keys(options)]));

/** The flags in a documented command line that its command does not have. A line without a command is a report. */
export function unknownFlags(line: string): string[] {
  const words = line.trim().split(/\s+/).slice(1);
  const command = [...FLAGS.keys()].find((one) => `${words.join(' ')} `.startsWith(`${one} `)) ?? 'report';
  const known = [...(FLAGS.get(command) ?? []), 'help'];
  return words.flatMap((word) => /^--([\w-]+)/.exec(word)?.[1] ?? []).filter((flag) => !known.includes(flag));
}
