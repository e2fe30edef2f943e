import { UsageError } from '../../base/failure.js';
import { didYouMean } from '../../base/nearest.js';
import { SERVER_FEATURES } from '../../bootstrap/bootstrap.js';
import { PRESET_NAMES, PRESET_WORDS, presetNamed } from '../../bootstrap/preset-names.js';
import { argument, command, type Input } from '../command.js';
import { aliasedChoice, duration, flag, list, type Option, text } from '../option.js';
import { callOptions } from '../options/call.js';
import { connectingOptions } from '../options/connecting.js';
import { findingOptions } from '../options/findings.js';
import { withTemplate } from '../options/output.js';
import { pageOption } from '../options/page.js';
import { resourceFilterOptions } from '../options/resource-filter.js';
import { resourceTypeOptions } from './get.js';
import { maxTearOption } from './tears.js';
import { untilOption } from './wait.js';

type Feature = (typeof SERVER_FEATURES)[number];

const features = list('What-if: all servers have this server feature (NAME) or lack it (NAME=off); may be repeated');

const declared = {
  arguments: {
    file: argument.one('Recording made by record or --record, or support bundle made by --bundle'),
    view: argument.optional(
      'View to print, like the command of that name: report, status (default), watch, config, tears, explain, wait, check, or get for a recording of get',
    ),
    expectations: argument.optional('YAML file with expectations, for the view check', { completes: 'file' }),
  },
  options: {
    at: text('Show the state at this time: an offset from the start (12.5s) or RFC 3339 (default: the end)'),
    events: flag('Print every event up to that time, as watch does'),
    feature: {
      ...features,
      read: (typed, name) => new Map(features.read(typed, name).map(readFeature)),
    } satisfies Option<ReadonlyMap<Feature, boolean>>,
    'resource-timer': duration('What-if: length of the resource timer'),
    'tear-grace': duration('What-if: grace period for a new name that is missing'),
    as: aliasedChoice('What-if: client behaviour, that of the gRFCs (spec) or of an implementation', PRESET_NAMES, {
      words: PRESET_WORDS,
      read: presetNamed,
    }),
    output: {
      ...text(
        'Output format, as for the command of the view; for a what-if comparison text, json, yaml or jsonpath=; trace: a timeline for Perfetto; html: a report page',
        { alias: 'o' },
      ),
      expand: withTemplate,
    } satisfies Option<string | undefined>,
    ...pageOption,
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
    '$0 replay greeter.xdsrec explain --method /a.B/C --at 12.5s': 'Predicted outcome of an RPC at that time',
    '$0 replay greeter.tgz report': 'The report on the session in a support bundle',
    "$0 replay greeter.xdsrec wait --until 'EDS/blue.endpoints>=3'":
      'Whether the condition held at the end, and since when',
    '$0 replay greeter.xdsrec check expectations.yaml': 'Whether all expectations were met',
    '$0 replay greeter.xdsrec --events -o ndjson': 'Every event, for a script',
    '$0 replay greeter.xdsrec -o trace > greeter.json': 'A timeline, to open in Perfetto (ui.perfetto.dev)',
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
