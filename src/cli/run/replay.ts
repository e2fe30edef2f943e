import type { LocatedProblem } from '../../base/document.js';
import { EXIT, type ExitCode } from '../../base/exit-codes.js';
import { UsageError } from '../../base/failure.js';
import type { WhatIfChanges } from '../../engine/recording/engine-setup.js';
import type { RecordingHeader } from '../../engine/recording/header.js';
import { readHeader } from '../../inspect/feed-recording.js';
import { open } from '../../inspect/inspection.js';
import type { RecordingSource } from '../../inspect/source.js';
import type { CliEnvironment } from '../../io/environment.js';
import { recordingFile } from '../../io/recording-lines.js';
import { formatsOf } from '../../view/formats.js';
import { areSame, whatIfDocument } from '../../view/what-if.js';
import { checkCommand } from '../commands/check.js';
import { configCommand } from '../commands/config.js';
import { explainCommand } from '../commands/explain.js';
import { getCommand } from '../commands/get.js';
import type { ReplayInput } from '../commands/replay.js';
import { reportCommand } from '../commands/report.js';
import { statusCommand } from '../commands/status.js';
import { tearsCommand } from '../commands/tears.js';
import { waitCommand } from '../commands/wait.js';
import type { Option } from '../option.js';
import { formatNamed, JSONPATH } from '../options/output.js';
import { resourceFilterOptions } from '../options/resource-filter.js';
import { Printer } from '../printer.js';
import type { RequestedPage } from './page.js';
import { recordingTime } from './recording-time.js';
import { replayPage } from './replay-page.js';
import { show, type ViewOf, wireOn } from './show.js';

const VIEWS = ['report', 'status', 'watch', 'config', 'tears', 'explain', 'wait', 'check', 'get'] as const;
type ViewName = (typeof VIEWS)[number];

/** The formats of the whole session, without a view. */
const TIMELINE = formatsOf('timeline');

/** `replay`: prints a view of a recorded session, or compares the recorded and the what-if run. */
export async function replay(input: ReplayInput, env: CliEnvironment): Promise<ExitCode> {
  const out = new Printer({ ...input, keepsAll: true }, env);
  const changes = changesOf(input);
  const view = viewOf(input);
  const file = recordingFile(input.file, () => env.stdout.ready());
  const header = await readHeader(file);
  const until = input.at === undefined ? undefined : recordingTime(input.at, header, '--at');
  checkRecordingKind(view, changes, header, input);
  const page = await replayPage(input, header, { until, changes }, out);
  const onRemark = (sentence: string): void => out.printLine(sentence);
  const source: RecordingSource = { kind: 'recording', file, header, until, changes: changes ?? {}, onRemark };
  const isTrace = input.output === 'trace' && view === undefined && header.fetch === undefined;
  if (view === undefined && changes !== undefined && !isTrace) return await compare(source, input, out, page);
  if (header.fetch !== undefined || view === 'get') return await replayGet(source, input, out);
  if (view === 'check') return await replayCheck(source, input, out, page);
  const inspection = await open(source, { suppress: input.suppress });
  if (isTrace) {
    const { traceView } = await import('./replay-trace.js');
    return await show(inspection, traceView(out), { verbose: input.verbose }, out, page);
  }
  if (view === undefined && until === undefined) {
    const { sessionView } = await import('./replay-session.js');
    const viewed = await sessionView({ ...input, output: outputFor(input, statusCommand, TIMELINE) }, file.path, out);
    return await show(inspection, viewed, { verbose: input.verbose }, out, page);
  }
  // The watch view prints these events already.
  const verbose = input.verbose && view !== 'watch';
  return await show(inspection, await LIVE_VIEWS[view ?? 'status'](input, out), { verbose }, out, page);
}

/** Views that the live commands share. A recording is complete, so they do not wait. */
const LIVE_VIEWS: Record<Exclude<ViewName, 'check' | 'get'>, (input: ReplayInput, out: Printer) => Promise<ViewOf>> = {
  report: async (input, out) =>
    (await import('./report.js')).recordedReportView({ ...input, output: outputFor(input, reportCommand) }, out),
  status: async (input, out) =>
    (await import('./status.js')).statusView(
      { ...input, output: outputFor(input, statusCommand, input.view === undefined ? TIMELINE : []) },
      out,
    ),
  watch: async (input, out) => {
    // A recording has no live table.
    const output = input.output === 'table' ? 'lines' : chosen(input.output, formatsOf('lines', 'events'));
    return (await import('./watch.js')).watchView({ ...input, output, for: 0 }, out);
  },
  config: async (input, out) =>
    (await import('./config.js')).configView({ output: outputFor(input, configCommand) }, out),
  tears: async (input, out) =>
    (await import('./tears.js')).tearsView({ ...input, output: outputFor(input, tearsCommand), for: 0 }, out),
  explain: async (input, out) =>
    (await import('./explain.js')).explainView({ ...input, output: outputFor(input, explainCommand) }, out),
  wait: async (input, out) =>
    (await import('./wait.js')).waitView({ ...input, output: outputFor(input, waitCommand) }, out),
};

async function replayCheck(
  source: RecordingSource,
  input: ReplayInput,
  out: Printer,
  page: RequestedPage | undefined,
): Promise<ExitCode> {
  const { expectations: path } = input;
  if (path === undefined) throw new UsageError('missing expectations: xds-inspect replay FILE check expectations.yaml');
  const output = outputFor(input, checkCommand);
  const { reportCheck } = await import('./check.js');
  const { badFile, readCheckFile } = await import('./check-file.js');
  const { recordedRun, recordedTargets } = await import('../../inspect/expect/check-run.js');
  const inspection = await open(source, { suppress: input.suppress });
  const expected = await readCheckFile(path, output, out);
  if (input.verbose) inspection.events.subscribe(await wireOn(out));
  const problems: LocatedProblem[] = [];
  const targets = recordedTargets(expected.file, source, problems);
  if (problems.length > 0) throw await badFile(expected, problems, out);
  return await reportCheck(expected, await recordedRun(expected.file, targets, inspection), out, page);
}

async function replayGet(source: RecordingSource, input: ReplayInput, out: Printer): Promise<ExitCode> {
  const output = outputFor(input, getCommand);
  const option = getCommand.options['fail-on'];
  const typed = input.failOn.join();
  const failOn = option.read(typed === resourceFilterOptions['fail-on'].default ? option.default : typed, 'fail-on');
  return await (await import('./get.js')).replayGet(source, { ...input, output, failOn }, out);
}

async function compare(
  source: RecordingSource,
  input: ReplayInput,
  out: Printer,
  page: RequestedPage | undefined,
): Promise<ExitCode> {
  const output = chosen(input.output, formatsOf('what-if', 'page'), TIMELINE);
  const document = await whatIfDocument(source);
  if (output !== 'html') await out.print('what-if', output, document);
  await page?.write({});
  if (document.unplacedMessages > 0 && output === 'text') {
    out.printLine(
      `omitted ${document.unplacedMessages} messages: they respond to requests that only the recorded run sent`,
    );
  }
  return areSame(document) || input.failOn.join() === 'none' ? EXIT.ok : EXIT.findings;
}

/** The changes of a what-if run; undefined if there are none. */
function changesOf({
  as,
  feature,
  resourceTimer: resourceTimerMs,
  tearGrace: tearGraceMs,
}: ReplayInput): WhatIfChanges | undefined {
  const features = feature.size === 0 ? undefined : feature;
  const given = Object.entries({ as, features, resourceTimerMs, tearGraceMs }).filter(([, one]) => one !== undefined);
  return given.length === 0 ? undefined : Object.fromEntries(given);
}

function viewOf({ view, events, expectations }: ReplayInput): ViewName | undefined {
  if (expectations !== undefined && view !== 'check')
    throw new UsageError(`${expectations}: only the view check takes a second file`);
  if (events && view !== undefined && view !== 'watch') {
    throw new UsageError(`--events excludes the view ${view}`);
  }
  if (events) return 'watch';
  const found = VIEWS.find((one) => one === view);
  if (view !== undefined && found === undefined)
    throw new UsageError(`unknown view "${view}": replay takes ${VIEWS.join(', ')}`);
  return found;
}

/** Rejects views and flags that do not apply: a recording of `get` has no targets, and others have no `get` view. */
function checkRecordingKind(
  view: ViewName | undefined,
  changes: WhatIfChanges | undefined,
  { fetch }: RecordingHeader,
  input: ReplayInput,
): void {
  if (fetch === undefined) {
    if (view !== 'get') return;
    throw new UsageError('the view get requires a recording made by get; use another view, such as status');
  }
  if (changes !== undefined) {
    throw new UsageError('this recording was made by get and has no targets: it has no what-if run');
  }
  if (view !== undefined && view !== 'get') {
    const instead = 'omit the view; -o ndjson prints its events, -v the messages';
    throw new UsageError(`this recording was made by get and has no targets: ${instead}`);
  }
  const filter = (['type', 'name', 'status'] as const).find((flag) => input[flag] !== undefined);
  if (filter !== undefined) {
    throw new UsageError(`--${filter} filters the resources of targets, and this recording was made by get`);
  }
}

/** The output format, read as the command of the view does. */
function outputFor<F extends string>(
  { output }: ReplayInput,
  command: { options: { output: Option<F> } },
  more: readonly string[] = [],
): F {
  const { choices = [], read } = command.options.output;
  const formats = choices.filter((one) => one !== JSONPATH);
  return read(chosen(output, formats, more), 'output');
}

/** Returns the output format; the first is the default. `more`: formats that the caller has handled before. */
function chosen<F extends string>(output: string | undefined, formats: readonly F[], more: readonly string[] = []): F {
  return formatNamed(output ?? (formats[0] as F), formats, (known) => {
    return `--output takes ${[known, ...more].join(', ')} for this view`;
  });
}
