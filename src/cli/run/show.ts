import { EXIT, type ExitCode } from '../../base/exit-codes.js';
import type { Event } from '../../core/event.js';
import type { EventListener } from '../../inspect/event-feed.js';
import type { ClientInspection } from '../../inspect/inspection.js';
import { type InspectionResult, inspectionResult } from '../../inspect/inspection-result.js';
import { exitCode, type Outcome } from '../../inspect/outcome.js';
import { defaultTimeLimit, settled } from '../../inspect/settled.js';
import { type Condition, until } from '../../inspect/until.js';
import { untilProbed } from '../../inspect/until-probed.js';
import { type Progress, type ProgressInput, withProgress } from '../../io/progress.js';
import type { PageState } from '../../view/page-data.js';
import { settlingText } from '../../view/progress-text.js';
import type { Printer } from '../printer.js';
import type { RequestedPage, SessionReport } from './page.js';

/** A view of an inspection: when to stop waiting, and what to print. */
export interface View {
  condition: Condition;
  /** Maximum time to wait, in milliseconds. */
  limit: number;
  onEvent?: EventListener;
  /** Shows what the command waits for; undefined if it does not wait. */
  progress?: (line: Progress) => void;
  /** Runs periodically instead of the progress line. */
  tick?: { everyMs: number; run: () => void };
  /** Whether to request the list of listeners if the listener of a target does not exist. */
  probes?: boolean;
  /** What a report page shows first. */
  page?: PageState;
  /** Prints the result after the inspection has been closed. */
  print(result: InspectionResult): Promise<Conclusion>;
}

/** The outcome of a command and its last messages on stderr. */
export interface Conclusion extends Outcome {
  sentences?: readonly string[];
  /** Why the exit code is not 0. */
  reason?: (code: ExitCode) => string | undefined;
  /** For a support bundle. */
  report?: SessionReport;
}

/** Creates the view of an inspection. The options of the view have been checked before connecting. */
export type ViewOf = (inspection: ClientInspection) => View;

/** No time limit: the longest timer of Node. */
export const FOREVER_MS = 2 ** 31 - 1;

/** The part of a view that waits until the inspection has settled. */
export function waitUntilSettled(
  inspection: ClientInspection,
  timeout: number | undefined,
): Pick<View, 'condition' | 'limit' | 'progress'> {
  return {
    condition: settled(inspection),
    limit: timeout ?? defaultTimeLimit(inspection),
    progress: (line) => line.show((left) => settlingText([inspection], left)),
  };
}

/** Waits as the view requires, and prints the result however the wait ends. */
export async function show(
  inspection: ClientInspection,
  viewOf: ViewOf,
  input: ProgressInput,
  out: Printer,
  page?: RequestedPage | undefined,
): Promise<ExitCode> {
  const view = viewOf(inspection);
  const { limit, tick, condition } = view;
  if (input.verbose) inspection.events.subscribe(await wireOn(out));
  if (view.onEvent !== undefined) inspection.events.subscribe(view.onEvent);
  const ending = await withProgress({ ...input, limit }, out.env, view.progress, async (wait) => {
    const waiting = view.probes === true ? untilProbed : until;
    return await waiting(inspection, condition, { ...wait, ...(tick && { tick }), limit });
  });
  const end = inspectionResult(inspection, ending);
  inspection.close();
  const { sentences = [], reason, report, ...outcome } = await view.print(end);
  await page?.write({ initial: view.page, listed: [inspection.listed()], report });
  const code = exitCode({ isInterrupted: ending === 'interrupted', ...outcome });
  for (const sentence of sentences) out.fail(sentence);
  const why = reason?.(code);
  if (why !== undefined && (sentences.length === 0 || code !== EXIT.unavailable)) {
    out.remark(`exit ${out.env.codeOf?.(code) ?? code}: ${why}`);
  }
  return code;
}

const WIRE: ReadonlySet<Event['kind']> = new Set(['channel', 'stream', 'request', 'response', 'timer', 'fallback']);

/** Returns a listener that prints messages and connection events on stderr (`-v`). */
export async function wireOn(out: Printer): Promise<EventListener> {
  const print = await out.stream('lines', 'lines', out.env.stderr);
  return (event, isRepeated) => {
    if (!isRepeated && WIRE.has(event.kind)) print(event);
  };
}
