import type { ExitCode } from '../../base/exit-codes.js';
import type { Event } from '../../core/event.js';
import type { EventListener } from '../../inspect/event-feed.js';
import type { ClientInspection } from '../../inspect/inspection.js';
import { type Condition, type Ending, until } from '../../inspect/until.js';
import type { CliEnvironment } from '../environment.js';
import type { Printer } from '../printer.js';
import { Progress, type ProgressInput } from './progress.js';

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
  /** Takes what there is to see; the function returned prints it, after the inspection was closed. */
  finish(ending: Ending): () => Promise<ExitCode>;
}

/** Longer than anyone waits. */
export const FOREVER_MS = 2 ** 31 - 1;

const WIRE: ReadonlySet<Event['kind']> = new Set(['channel', 'stream', 'request', 'response', 'timer', 'fallback']);

/** Watches an inspection as a view wants it, and prints what was seen however it ends. */
export async function show(
  inspection: ClientInspection,
  view: View,
  input: ProgressInput,
  out: Printer,
  env: CliEnvironment,
): Promise<ExitCode> {
  if (input.verbose) inspection.events.subscribe(await wireOn(out));
  if (view.onEvent !== undefined) inspection.events.subscribe(view.onEvent);
  const progress = new Progress(input, env, view.limit);
  const { progress: say } = view;
  const tick = view.tick ?? (say && progress.isShown ? { everyMs: 250, run: () => say(progress) } : undefined);
  const ending = await until(inspection, view.condition, { limit: view.limit, onInterrupt: env.onInterrupt, tick });
  progress.clear();
  const print = view.finish(ending);
  inspection.close();
  return await print();
}

/** Prints the wire, message by message, on stderr. */
export async function wireOn(out: Printer): Promise<EventListener> {
  const print = await out.talk();
  return (event, isRepeated) => {
    if (!isRepeated && WIRE.has(event.kind)) print(event);
  };
}
