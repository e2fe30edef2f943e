import { parseMillis } from '../../base/duration.js';
import type { Event } from '../../core/event.js';
import { paintFor } from '../../render/paint.js';
import { whatIfText } from '../../render/what-if.js';
import type { RecordingHeader } from '../../session/recording/header.js';
import { type Changes, type Setting, settingOf } from '../../session/recording/setting.js';
import { Replay, type Replaying } from '../../session/replay.js';
import { WhatIf } from '../../session/what-if/what-if.js';
import { timestamp } from '../../view/timestamp.js';
import { Partings, type ScopeWhatIf, whatIfView } from '../../view/what-if.js';
import { type ColorChoice, useColor } from '../color.js';
import type { Arguments, Command } from '../command.js';
import { configCommand } from '../commands/config.js';
import { explainCommand } from '../commands/explain.js';
import { statusCommand } from '../commands/status.js';
import { tearsCommand } from '../commands/tears.js';
import { watchCommand } from '../commands/watch.js';
import type { CliEnvironment } from '../environment.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import { Failure } from '../failure.js';
import { type Inspection, longestTimer, type OnEvent, type OpenRecording } from './inspection.js';
import { play, readHeader } from './play.js';
import { changesText, readChanges } from './what-if-changes.js';

const VIEWS: Record<string, Command> = {
  status: statusCommand,
  watch: watchCommand,
  config: configCommand,
  tears: tearsCommand,
  explain: explainCommand,
};
const COMPARISON_FORMATS = ['text', 'json', 'yaml'];

/** `replay`: the command that prints a view, on a session that is over; or two runs of it side by side. */
export async function replay(args: Arguments, env: CliEnvironment): Promise<ExitCode> {
  const changes = readChanges(args);
  const view = viewOf(args);
  const path = args.file as string;
  const header = await readHeader(path);
  const until = readTime(args.at as string | undefined, header);
  if (view === undefined && changes !== undefined) return await compare(path, header, until, changes, args, env);
  const command = VIEWS[view ?? 'status'] as Command;
  const clock = { now: header.start };
  const open: OpenRecording = async (onEvent, suppressed) => {
    const { inspection, replaying } = opened(header, changes ?? {}, onEvent, suppressed);
    const { end, remark } = await play(path, header, until, replaying);
    clock.now = end;
    if (remark !== undefined) env.stderr.write(`${remark}\n`);
    return inspection;
  };
  return await command.run(
    {
      ...args,
      as: changes?.as ?? header.as,
      output: outputOf(args, command),
      // Nothing is waited for: it has happened.
      timeout: 0,
      for: 0,
      recording: open,
    },
    { ...env, clock: { now: () => clock.now, wakeAt: env.clock.wakeAt } },
  );
}

/** Undefined: not asked for. */
function viewOf({ view, events }: Arguments): string | undefined {
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

function mustWork(setting: Setting | { failure: string }): Setting {
  if ('failure' in setting) {
    throw new Failure(EXIT.badInput, `the bootstrap in the recording cannot be used: ${setting.failure}`);
  }
  return setting;
}

function opened(
  header: RecordingHeader,
  changes: Changes,
  onEvent: OnEvent,
  suppressed: ReadonlySet<string>,
): { inspection: Inspection; replaying: Replaying } {
  const { options, bootstrap, switches, preset } = mustWork(settingOf(header, changes));
  const append = (event: Event): void => {
    if (event.kind !== 'finding' || !suppressed.has(event.code)) onEvent(event, replaying.engine.isStorm(event));
  };
  const isChanged = Object.keys(changes).length > 0;
  const replaying: Replaying = isChanged
    ? new WhatIf(mustWork(settingOf(header)).options, options, () => {}, append)
    : new Replay(options, append);
  const { engine } = replaying;
  const inspection: Inspection = {
    bootstrap,
    source: header.source,
    node: options.node,
    longestTimerMs: longestTimer(bootstrap, switches, preset),
    snapshot: () => engine.snapshot(),
    // Which targets there are, the recording says, and nobody waits for their timers.
    followed: [],
    nextTimerEnd: () => undefined,
    findings: () => engine.findings().filter(({ code }) => !suppressed.has(code)),
    changedAt: () => Number.NEGATIVE_INFINITY,
    close: () => {},
  };
  return { inspection, replaying };
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
    mustWork(settingOf(header)).options,
    mustWork(settingOf(header, changes)).options,
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
  else if (output === 'yaml') env.stdout.write((await import('../../render/yaml.js')).yamlText(document));
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
