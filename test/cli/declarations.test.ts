import { describe, expect, it } from 'vitest';
import { allCommands } from '../../src/cli/commands/index.js';
import type { Option } from '../../src/cli/option.js';
import { SHARED_OPTIONS } from '../../src/cli/options/shared.js';
import { OPTIONAL_FLAGS, VALUED_FLAGS } from '../../src/cli/valued-flags.js';

const COMMANDS = await allCommands();

/** The names of all flags of these kinds, sorted. */
function flagsOfKinds(...kinds: Option<unknown>['kind'][]): string[] {
  const declared = [SHARED_OPTIONS, ...COMMANDS.map(({ options }) => options)].flatMap((options) =>
    Object.entries<Option<unknown>>(options),
  );
  const names = declared
    .filter(([, { kind }]) => kinds.includes(kind))
    .flatMap(([name, { alias }]) => [`--${name}`, ...(alias === undefined ? [] : [`-${alias}`])]);
  return [...new Set(names)].sort();
}

describe('what the command line knows before it loads a command', () => {
  it('lists every flag whose value is the next word', () => {
    expect(VALUED_FLAGS).toEqual(flagsOfKinds('value', 'list'));
  });

  it('lists every flag with an optional value', () => {
    expect(OPTIONAL_FLAGS).toEqual(flagsOfKinds('optional'));
  });

  it.each(COMMANDS.map((command) => [command.name, command] as const))(
    'the usage line of %s has the declared arguments',
    (name, { usage, arguments: declared }) => {
      const words = Object.entries(declared).map(([word, { count }]) => {
        const repeated = count === 'some' || count === 'any' ? `${word}..` : word;
        return count === 'one' || count === 'some' ? `<${repeated}>` : `[${repeated}]`;
      });
      expect(usage).toBe([name, ...words].join(' '));
    },
  );
});
