import { earliestOf } from '../../base/earliest.js';
import type { ExitCode } from '../../base/exit-codes.js';
import { FinishedChanges } from '../../inspect/changes/finished-changes.js';
import type { ResourceFilter } from '../../inspect/resource-filter.js';
import { never } from '../../inspect/until.js';
import { LIVE, VerdictChanges } from '../../inspect/verdict-changes.js';
import type { CliEnvironment } from '../../io/environment.js';
import { LivePicture } from '../../io/live-picture.js';
import { failRules } from '../../view/exit-reason.js';
import { scopeStatuses } from '../../view/status.js';
import type { WatchInput } from '../commands/watch.js';
import { Printer } from '../printer.js';
import { connect, livePage, showLive } from './connect.js';
import type { LiveUi } from './live-ui.js';
import { conclusionOf, filterFor, type ResourceFilterInput } from './resource-filter.js';
import { FOREVER_MS, show, type View, type ViewOf } from './show.js';
import { withUi } from './ui.js';
import { watchTerminal } from './watch-terminal.js';

type WatchViewInput = ResourceFilterInput & Pick<WatchInput, 'for' | 'failureThreshold'>;

/** `watch`: prints events as they occur, and shows them in a browser if that is requested. */
export async function watch(input: WatchInput, env: CliEnvironment): Promise<ExitCode> {
  return await withUi(input, new Printer(input, env), (ui) => watchIn(input, env, ui));
}

async function watchIn(input: WatchInput, env: CliEnvironment, ui: LiveUi | undefined): Promise<ExitCode> {
  if (input.output !== 'table' || !env.stdout.isTerminal || env.variables.TERM === 'dumb') {
    const output: 'lines' | 'ndjson' = input.output === 'ndjson' ? 'ndjson' : 'lines';
    // This view prints these events already.
    return await showLive({ ...input, output, verbose: false }, env, watchView, ui);
  }
  const out = new Printer(input, env);
  const filter = filterFor(input);
  const page = await livePage(input, out);
  const inspection = await connect(input, out, page, ui);
  const terminal = await watchTerminal(inspection, filter, out, ui?.link);
  const report = reportView(input, filter, 'table');
  const view: View = {
    ...report,
    condition: () => ({ isMet: terminal.hasQuit }),
    tick: { everyMs: LivePicture.FASTEST_MS, run: () => terminal.refresh() },
    onEvent: terminal.onEvent,
    print: (result) => {
      terminal.close();
      return report.print(result);
    },
  };
  try {
    return await show(inspection, () => view, input, out, page);
  } finally {
    terminal.close();
  }
}

/** Prints events line by line, in text also each change of a verdict, and finally the exit reason. */
export async function watchView(input: WatchViewInput & { output: 'lines' | 'ndjson' }, out: Printer): Promise<ViewOf> {
  const { output } = input;
  const filter = filterFor(input);
  const print = output === 'ndjson' ? await out.stream('events', output) : await out.stream('lines', output);
  const printVerdict = output === 'lines' ? await out.stream('verdicts', output) : undefined;
  const printFinished = output === 'lines' ? await out.stream('finished-changes', output) : undefined;
  return (inspection) => {
    const verdicts = printVerdict && new VerdictChanges(inspection.verdict, inspection.startedAt(), LIVE);
    const finished =
      printFinished && new FinishedChanges(() => inspection.snapshot().flatMap(({ channels }) => channels));
    const printFinishedAt = (now: number): void => {
      for (const change of finished?.take(now) ?? []) printFinished?.(change);
    };
    const printed = new Set<string>();
    const printChanges = (): void => {
      for (const change of verdicts?.changes.splice(0) ?? []) {
        printed.add(change.target);
        printVerdict?.(change);
      }
    };
    const { print: conclude, ...view } = reportView(input, filter, output);
    return {
      ...view,
      condition: (now) => {
        verdicts?.update(now);
        printChanges();
        printFinishedAt(now);
        return { isMet: false, nextCheck: earliestOf([verdicts?.nextCheck, finished?.nextCheck], (at) => at) };
      },
      onEvent: (event, isRepeated) => {
        verdicts?.observe(event);
        finished?.observe(event);
        // In text, a finding replaces repeated events. NDJSON contains every event.
        if (filter.isShownEvent(event) && (!isRepeated || output === 'ndjson')) print(event);
      },
      print: (result) => {
        verdicts?.finish();
        printChanges();
        printFinishedAt(result.now);
        // The initial verdict `waiting` is not a change, but it may be the only verdict.
        for (const verdict of result.verdicts)
          if (!printed.has(verdict.target)) printVerdict?.({ ...verdict, at: result.now });
        return conclude(result);
      },
    };
  };
}

function reportView(input: WatchViewInput, filter: ResourceFilter, format: 'table' | 'lines' | 'ndjson'): View {
  return {
    condition: never,
    limit: input.for ?? FOREVER_MS,
    page: { tab: 'events' },
    print: async (result) => {
      return conclusionOf(scopeStatuses(result, true, filter), result, failRules(input), format);
    },
  };
}
