import { UsageError } from '../../base/failure.js';
import { didYouMean } from '../../base/nearest.js';
import { SERVER_FEATURES } from '../../bootstrap/bootstrap.js';
import { PRESET_NAMES } from '../../bootstrap/presets.js';
import { argument, command, type Input } from '../command.js';
import { choice, duration, flag, list, type Option, text } from '../option.js';
import { callOptions } from '../options/call.js';
import { connectingOptions } from '../options/connecting.js';
import { findingOptions } from '../options/findings.js';
import { resourceFilterOptions } from '../options/resource-filter.js';
import { resourceTypeOptions } from './get.js';
import { maxTearOption } from './tears.js';
import { untilOption } from './wait.js';

type Feature = (typeof SERVER_FEATURES)[number];

const features = list(
  'What if all servers had this server feature, or lacked it: NAME or NAME=off; may be given several times',
);

const declared = {
  name: 'replay',
  describe: 'Show a recorded session again, offline, in every view; or what would have happened if',
  arguments: {
    file: argument.one('Recording, made with record or --record'),
    view: argument.optional(
      'report, status (default), watch, config, tears, explain, wait, check or, for a recording of get, get: as the command of that name prints it',
    ),
    expectations: argument.optional('YAML file with expectations, for check', { completes: 'file' }),
  },
  options: {
    at: text('As of this time: since the start (12.5s), or RFC 3339 (default: the end)'),
    events: flag('Every event up to then, as watch prints them'),
    feature: {
      ...features,
      read: (typed, name) => new Map(features.read(typed, name).map(readFeature)),
    } satisfies Option<ReadonlyMap<Feature, boolean>>,
    'resource-timer': duration('What if the resource timer had this length'),
    'tear-grace': duration('What if a new name might be missing for this long'),
    as: choice("What if this were whose behaviour: the gRFCs', or C-core's to the letter", PRESET_NAMES),
    output: text('Output format: those of the command of the view; for a comparison text, json or yaml', {
      alias: 'o',
    }),
    ...resourceFilterOptions,
    ...findingOptions,
    ...callOptions,
    ...maxTearOption,
    ...untilOption,
    ...resourceTypeOptions,
    verbose: connectingOptions.verbose,
  },
  examples: {
    '$0 replay greeter.xdsrec': 'A summary of the session, and the state of every resource at the end',
    '$0 replay greeter.xdsrec explain --method /a.B/C --at 12.5s': 'What an RPC would have got then',
    "$0 replay greeter.xdsrec wait --until 'EDS/blue.endpoints>=3'": 'Whether that held at the end, and since when',
    '$0 replay greeter.xdsrec check expectations.yaml': 'Whether all expectations held',
    '$0 replay greeter.xdsrec --events -o ndjson': 'Every event, for a script',
    '$0 replay greeter.xdsrec --feature fail_on_data_errors': 'Where the recorded and the what-if run differ',
  },
};
export type ReplayInput = Input<typeof declared>;

export const replayCommand = command(declared, async () => (await import('../run/replay.js')).replay);

function readFeature(typed: string): [Feature, boolean] {
  const [name = '', state = 'on', ...more] = typed.split('=');
  const feature = SERVER_FEATURES.find((one) => one === name);
  if (feature === undefined) {
    const known = SERVER_FEATURES.join(', ');
    throw new UsageError(`--feature takes ${known}, not "${name}"${didYouMean(name, SERVER_FEATURES)}`);
  }
  if (more.length > 0 || (state !== 'on' && state !== 'off')) {
    throw new UsageError(`--feature takes ${name} or ${name}=off, not "${typed}"`);
  }
  return [feature, state === 'on'];
}
