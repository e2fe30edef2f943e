import { PRESET_NAMES } from '../../bootstrap/presets.js';
import type { Command } from '../command.js';
import { durationOption, listingOptions } from '../connecting-options.js';
import { findingOptions } from '../finding-options.js';
import { explainCommand } from './explain.js';
import { getCommand } from './get.js';
import { tearsCommand } from './tears.js';
import { waitCommand } from './wait.js';

type Options = Record<string, Command['options'][string]>;

/** A view has the flags of its command. */
function optionsOf({ options }: Command, ...names: string[]): Options {
  return Object.fromEntries(names.map((name) => [name, options[name] as Options[string]]));
}

export const replayCommand: Command = {
  usage: 'replay <file> [view] [expectations]',
  describe: 'Show a recorded session again, offline, with every view; or what would have happened if',
  arguments: {
    file: { describe: 'A recording, made with record or --record' },
    view: {
      describe:
        'status (unless given), watch, config, tears, explain, wait, check or, of what it has recorded, get: as the command of that name prints it',
    },
    expectations: { describe: 'What is expected, a YAML file, for check', names: 'file' },
  },
  options: {
    at: {
      describe: 'As of this time: since the start (12.5s), or RFC 3339; unless given, the end',
      type: 'string',
      requiresArg: true,
    },
    events: { describe: 'Every event up to then, as watch prints them', type: 'boolean' },
    feature: {
      describe:
        'What if all servers had this server feature, or had it not: NAME or NAME=off; may be given several times',
      type: 'string',
      array: true,
      nargs: 1,
      requiresArg: true,
    },
    'resource-timer': durationOption('resource-timer', 'What if resources were waited for as long as this'),
    'tear-grace': durationOption('tear-grace', 'What if a new name might be missing for as long as this'),
    as: {
      describe: "What if this were whose behaviour: the gRFCs', or C-core's to the letter",
      choices: PRESET_NAMES,
      requiresArg: true,
    },
    output: {
      alias: 'o',
      describe: 'How to print it: as the command of the view has it; of a comparison text, json or yaml',
      type: 'string',
      requiresArg: true,
    },
    ...listingOptions,
    ...findingOptions,
    ...optionsOf(explainCommand, 'method', 'header', 'deadline', 'timeout-rules'),
    ...optionsOf(tearsCommand, 'max-tear'),
    ...optionsOf(waitCommand, 'until'),
    ...optionsOf(getCommand, 'descriptor-set', 'proto-path', 'show-secrets'),
    verbose: { alias: 'v', describe: 'Show the wire, message by message, on stderr', type: 'boolean' },
  },
  examples: [
    ['$0 replay greeter.xdsrec', 'What became of every resource, at the end'],
    ['$0 replay greeter.xdsrec explain --method /a.B/C --at 12.5s', 'What an RPC would have got then'],
    ["$0 replay greeter.xdsrec wait --until 'EDS/blue.endpoints>=3'", 'Whether that was so in the end, and since when'],
    ['$0 replay greeter.xdsrec check expectations.yaml', 'Whether all was as it should be'],
    ['$0 replay greeter.xdsrec --events -o ndjson', 'Every event, for a script'],
    ['$0 replay greeter.xdsrec --feature fail_on_data_errors', 'Where things would have gone otherwise'],
  ],
  run: async (args, env) => (await import('../run/replay.js')).replay(args, env),
};
