import { parseMillis } from '../../base/duration.js';
import type { RecordedFetch, RecordingHeader } from '../../engine/recording/header.js';
import type { Changes } from '../../engine/recording/setting.js';
import { WhatIf } from '../../engine/what-if/what-if.js';
import { paintFor } from '../../view/render/paint.js';
import { whatIfText } from '../../view/render/what-if.js';
import { timestamp } from '../../view/timestamp.js';
import { Partings, type ScopeWhatIf, whatIfView } from '../../view/what-if.js';
import { type ColorChoice, useColor } from '../color.js';
import type { Arguments, Command } from '../command.js';
import { checkCommand } from '../commands/check.js';
import { configCommand } from '../commands/config.js';
import { explainCommand } from '../commands/explain.js';
import { getCommand } from '../commands/get.js';
import { statusCommand } from '../commands/status.js';
import { tearsCommand } from '../commands/tears.js';
import { waitCommand } from '../commands/wait.js';
import { watchCommand } from '../commands/watch.js';
import { listingOptions } from '../connecting-options.js';
import type { CliEnvironment } from '../environment.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import { Failure } from '../failure.js';
import { play, readHeader } from './play.js';
import { recordedSession, recordedSetting } from './recorded-session.js';
import { changesText, readChanges } from './what-if-changes.js';

const VIEWS: Record<string, Command> = {
  status: statusCommand,
  watch: watchCommand,
  config: configCommand,
  tears: tearsCommand,
  explain: explainCommand,
  wait: waitCommand,
  check: checkCommand,
  get: getCommand,
};
const COMPARISON_FORMATS = ['text', 'json', 'yaml'];

/** `replay`: the command that prints a view, on a session that is over; or two runs of it side by side. */
export async function replay(args: Arguments, env: CliEnvironment): Promise<ExitCode> {
  const changes = readChanges(args);
  const view = viewOf(args);
  const path = args.file as string;
  const header = await readHeader(path);
  const until = readTime(args.at as string | undefined, header);
  mustFit(view, changes, header, args);
  if (view === undefined && changes !== undefined) return await compare(path, header, until, changes, args, env);
  const { fetch } = header;
  const command = VIEWS[view ?? (fetch === undefined ? 'status' : 'get')] as Command;
  const clock = { now: header.start };
  const recording = recordedSession({ path, header, until, changes: changes ?? {} }, clock, env);
  return await command.run(
    {
      ...args,
      as: changes?.as ?? header.as,
      output: outputOf(args, command),
      // Nothing is waited for: it has happened.
      timeout: 0,
      for: 0,
      // That of `check` is another.
      file: undefined,
      ...(fetch && getArguments(fetch, args)),
      recording,
    },
    { ...env, clock: { now: () => clock.now, wakeAt: env.clock.wakeAt } },
  );
}

/** As they were typed, but for what says how to print it. */
function getArguments({ typeUrl, names, follows, timeoutMs }: RecordedFetch, { failOn }: Arguments): Arguments {
  return {
    type: typeUrl,
    names,
    watch: follows,
    timeout: timeoutMs ?? undefined,
    for: undefined,
    failOn: failOn === listingOptions['fail-on'].default ? getCommand.options['fail-on']?.default : failOn,
  };
}

/** Undefined: not asked for. */
function viewOf({ view, events, expectations }: Arguments): string | undefined {
  if (expectations !== undefined && view !== 'check') {
    throw new Failure(EXIT.usage, `${expectations}: only check takes another file`);
  }
  if (events === true && view !== undefined && view !== 'watch') {
    throw new Failure(EXIT.usage, `--events takes the place of a view: give it or ${view}`);
  }
  if (events === true) return 'watch';
  if (view === undefined) return undefined;
  if (!Object.hasOwn(VIEWS, view as string)) {
    throw new Failure(EXIT.usage, `replay shows ${Object.keys(VIEWS).join(', ')}, not "${view}"`);
  }
  return view as string;
}

/** A recording of `get` has no targets, and others have nothing that `get` could show. */
function mustFit(
  view: string | undefined,
  changes: Changes | undefined,
  { fetch }: RecordingHeader,
  args: Arguments,
): void {
  if (fetch === undefined) {
    if (view !== 'get') return;
    throw new Failure(EXIT.usage, 'this recording follows targets: get shows what get has recorded; try status');
  }
  if (changes !== undefined) {
    throw new Failure(
      EXIT.usage,
      'this recording was made by get, which follows no target: there is no "what if" of it',
    );
  }
  if (view !== undefined && view !== 'get') {
    const instead = 'leave out what is to be shown; -o ndjson has its events, -v the wire';
    throw new Failure(EXIT.usage, `this recording was made by get, which follows no target: ${instead}`);
  }
  const filter = ['type', 'name', 'status'].find((flag) => args[flag] !== undefined);
  if (filter !== undefined) {
    throw new Failure(
      EXIT.usage,
      `--${filter} chooses among the resources of targets, and get has recorded all of this`,
    );
  }
}

function outputOf({ output }: Arguments, command: Command): string {
  const { choices = [], default: usual } = command.options.output as { choices?: string[]; default?: string };
  // A table that redraws has nothing to redraw.
  if (command === watchCommand && (output === undefined || output === 'table')) return 'lines';
  return checkedOutput(output, choices, usual as string);
}

function checkedOutput(output: unknown, choices: readonly string[], usual: string): string {
  const chosen = (output as string | undefined) ?? usual;
  if (!choices.includes(chosen)) {
    throw new Failure(EXIT.usage, `--output takes ${choices.join(', ')} here, not "${chosen}"`);
  }
  return chosen;
}

const RFC_3339 = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/;

function readTime(text: string | undefined, { start }: RecordingHeader): number | undefined {
  if (text === undefined) return undefined;
  const offset = parseMillis(text);
  const at = offset !== undefined ? start + offset : RFC_3339.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(at)) {
    throw new Failure(EXIT.usage, `--at takes a time since the start such as 12.5s, or one in RFC 3339, not "${text}"`);
  }
  if (at < start) throw new Failure(EXIT.usage, `--at ${text} is before the recording begins, at ${timestamp(start)}`);
  return at;
}

async function compare(
  path: string,
  header: RecordingHeader,
  until: number | undefined,
  changes: Changes,
  args: Arguments,
  env: CliEnvironment,
): Promise<ExitCode> {
  const output = checkedOutput(args.output, COMPARISON_FORMATS, 'text');
  const partings = new Partings(header.start);
  const runs = new WhatIf(
    recordedSetting(header).options,
    recordedSetting(header, changes).options,
    (event) => partings.add('recorded', event),
    (event) => partings.add('changed', event),
  );
  const { end, remark } = await play(path, header, until, runs);
  if (remark !== undefined) env.stderr.write(`${remark}\n`);
  const scopes = whatIfView(runs.recorded.snapshot(), runs.engine.snapshot(), partings);
  const document = {
    schema: 'xds-inspect/what-if/v1',
    changes: changesText(changes),
    start: timestamp(header.start),
    end: timestamp(end),
    unplacedMessages: runs.unplaced,
    scopes,
  };
  if (output === 'json') env.stdout.write(`${JSON.stringify(document, null, 2)}\n`);
  else if (output === 'yaml') env.stdout.write((await import('../../view/render/yaml.js')).yamlText(document));
  else await printComparison(scopes, runs.unplaced, args, env);
  const isSame = scopes.every(({ parts, outcomes }) => parts === null && outcomes.length === 0);
  return isSame || args.failOn === 'none' ? EXIT.ok : EXIT.findings;
}

async function printComparison(
  scopes: readonly ScopeWhatIf[],
  unplaced: number,
  args: Arguments,
  env: CliEnvironment,
): Promise<void> {
  const paint = await paintFor(useColor(args.color as ColorChoice, env, env.stdout));
  env.stdout.write(scopes.map((scope) => whatIfText(scope, paint)).join('\n'));
  if (unplaced === 0) return;
  env.stderr.write(`${unplaced} messages answer what only the recorded client had asked for; they are left out\n`);
}
