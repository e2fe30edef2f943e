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
import { settlingText } from '../../view/progress-text.js';
import type { Printer } from '../printer.js';

/** What a command shows of an inspection. */
export interface View {
  condition: Condition;
  /** Milliseconds. */
  limit: number;
  onEvent?: EventListener;
  /** Shows what is waited for; undefined where nothing is. */
  progress?: (line: Progress) => void;
  /** Runs from time to time instead of a progress line. */
  tick?: { everyMs: number; run: () => void };
  /** Asks which listeners exist where that of a target does not. */
  probes?: boolean;
  /** Prints what was seen, after the inspection was closed. */
  print(result: InspectionResult): Promise<Conclusion>;
}

/** The end of a command: its outcome, and its last words on stderr. */
export interface Conclusion extends Outcome {
  sentences?: readonly string[];
  /** Why the exit code is not 0. */
  reason?: (code: ExitCode) => string | undefined;
}

/** A view whose options have been read; those that cannot be used are found before anything is connected. */
export type ViewOf = (inspection: ClientInspection) => View;

/** Longer than anyone waits. */
export const FOREVER_MS = 2 ** 31 - 1;

/** Waits until nothing changes any more. */
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

/** Watches an inspection as a view wants it, and prints what was seen however it ends. */
export async function show(
  inspection: ClientInspection,
  viewOf: ViewOf,
  input: ProgressInput,
  out: Printer,
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
  const { sentences = [], reason, ...outcome } = await view.print(end);
  const code = exitCode({ isInterrupted: ending === 'interrupted', ...outcome });
  for (const sentence of sentences) out.fail(sentence);
  const why = reason?.(code);
  if (why !== undefined && (sentences.length === 0 || code !== EXIT.unavailable)) out.remark(`exit ${code}: ${why}`);
  return code;
}

const WIRE: ReadonlySet<Event['kind']> = new Set(['channel', 'stream', 'request', 'response', 'timer', 'fallback']);

/** Prints the wire, message by message, on stderr. */
export async function wireOn(out: Printer): Promise<EventListener> {
  const print = await out.stream('lines', 'lines', out.env.stderr);
  return (event, isRepeated) => {
    if (!isRepeated && WIRE.has(event.kind)) print(event);
  };
}
