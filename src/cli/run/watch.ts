import type { ExitCode } from '../../base/exit-codes.js';
import type { ClientInspection } from '../../inspect/inspection.js';
import type { ResourceFilter } from '../../inspect/resource-filter.js';
import { never } from '../../inspect/until.js';
import type { CliEnvironment } from '../../io/environment.js';
import { LivePicture } from '../../io/live-picture.js';
import { failRules } from '../../view/exit-reason.js';
import { liveFrame } from '../../view/render/watch-frame.js';
import { scopeStatuses } from '../../view/status.js';
import type { WatchInput } from '../commands/watch.js';
import { Printer } from '../printer.js';
import { connect, showLive } from './connect.js';
import { conclusionOf, filterFor, type ListingInput } from './listing.js';
import { FOREVER_MS, show, type View } from './show.js';

type WatchViewInput = ListingInput & Pick<WatchInput, 'for' | 'failureThreshold'>;

/** `watch`: what happens, as it happens. */
export async function watch(input: WatchInput, env: CliEnvironment): Promise<ExitCode> {
  if (input.output !== 'table' || !env.stdout.isTerminal || env.variables.TERM === 'dumb') {
    const output: 'lines' | 'ndjson' = input.output === 'ndjson' ? 'ndjson' : 'lines';
    // Events that are printed need not be shown as the wire as well.
    return await showLive({ ...input, output, verbose: false }, env, watchView);
  }
  const out = new Printer(input, env);
  const filter = filterFor(input);
  const inspection = await connect(input, out);
  const table = await liveTable(inspection, filter, out);
  const report = reportView(input, filter);
  const view: View = {
    ...report,
    tick: { everyMs: LivePicture.FASTEST_MS, run: () => table.refresh() },
    print: (seen) => {
      table.close();
      return report.print(seen);
    },
  };
  try {
    return await show(inspection, () => view, input, out);
  } finally {
    table.close();
  }
}

/** For the line that says how it ended, and the prompt. */
const LINES_BELOW = 2;

async function liveTable(inspection: ClientInspection, filter: ResourceFilter, out: Printer): Promise<LivePicture> {
  const { stdout, clock } = out.env;
  const page = await out.page(stdout, clock.now());
  const frame = (rows: number): string[] => {
    const now = clock.now();
    const ageOf = (time: string): number => now - Date.parse(time);
    return liveFrame(inspection, filter, { ...page, ageOf, width: stdout.columns }, rows);
  };
  const last = (): string => `${frame(stdout.rows - LINES_BELOW).join('\n')}\n`;
  return new LivePicture({ frame, last, changedAt: inspection.changedAt }, out.env);
}

/** Events as lines, then how it ended. */
export async function watchView(
  input: WatchViewInput & { output: 'lines' | 'ndjson' },
  out: Printer,
): Promise<() => View> {
  const { output } = input;
  const filter = filterFor(input);
  const print = output === 'ndjson' ? await out.stream('events', output) : await out.stream('lines', output);
  return () => ({
    ...reportView(input, filter),
    onEvent: (event, isRepeated) => {
      // A person sees a repeated event as one finding; a script gets every event.
      if (filter.isShownEvent(event) && (!isRepeated || output === 'ndjson')) print(event);
    },
  });
}

function reportView(input: WatchViewInput, filter: ResourceFilter): View {
  return {
    condition: never,
    limit: input.for ?? FOREVER_MS,
    print: async (seen) => {
      return conclusionOf(scopeStatuses(seen, true, filter), seen, failRules(input), 'lines');
    },
  };
}
