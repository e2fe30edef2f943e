import { cutEnd, displayWidth } from '../../base/display-width.js';
import type { ExitCode } from '../../base/exit-codes.js';
import type { CsdsInspection } from '../../inspect/csds.js';
import { exitCode } from '../../inspect/outcome.js';
import type { RemoteAnswer } from '../../inspect/remote-answer.js';
import { never, until } from '../../inspect/until.js';
import type { CliEnvironment } from '../../io/environment.js';
import { LivePicture } from '../../io/live-picture.js';
import { failRules, statusOutcome } from '../../view/exit-reason.js';
import { isForPeople } from '../../view/formats.js';
import { remoteChanges } from '../../view/remote-changes.js';
import { problemSentences, remoteStatuses } from '../../view/remote-status.js';
import { gapText } from '../../view/render/gap.js';
import type { ScopeStatus } from '../../view/status.js';
import type { CsdsInput } from '../commands/csds.js';
import type { Printer } from '../printer.js';
import type { CsdsView } from './csds-views.js';
import { filterFor } from './resource-filter.js';
import { FOREVER_MS } from './show.js';

/** Polls the processes independently and prints changes as they arrive. */
export async function watchProcesses(
  inspection: CsdsInspection,
  view: CsdsView,
  input: CsdsInput,
  out: Printer,
): Promise<ExitCode> {
  const display = await displayFor(inspection, view, input, out);
  inspection.onAnswer(async (answer, before) => {
    const isNew =
      before?.problems.join() !== answer.problems.join() || before?.clients.length !== answer.clients.length;
    for (const sentence of isNew ? problemSentences(answer) : []) out.fail(sentence);
    await display.update(answer);
  });
  const ending = await until(inspection, never, {
    limit: input.for ?? FOREVER_MS,
    onInterrupt: out.env.onInterrupt,
    tick: display.draw && { everyMs: LivePicture.FASTEST_MS, run: display.draw },
  });
  display.close?.();
  const answers = inspection.answers();
  const scopes = remoteStatuses(answers, filterFor(input).isShown);
  return exitCode({
    ...statusOutcome(scopes, failRules(input)),
    isInterrupted: ending === 'interrupted',
    isLost: answers.length < inspection.addresses.length || answers.some(({ problems }) => problems.length > 0),
  });
}

export interface Display<A> {
  update(answer: A): Promise<void> | void;
  draw?: () => void;
  close?(): void;
}

/** A live table on a terminal. Otherwise one line per change, or the whole document after each change. */
async function displayFor(
  inspection: CsdsInspection,
  { format, kind, show }: CsdsView,
  input: CsdsInput,
  out: Printer,
): Promise<Display<RemoteAnswer>> {
  const { env } = out;
  const whole = async (): Promise<string> => (await show(inspection.answers())).text;
  if (isForPeople(format) && env.stdout.isTerminal && env.variables.TERM !== 'dumb') return pictures(whole, env);
  if (kind === 'status' && (format === 'ndjson' || isForPeople(format))) {
    return await lines(format === 'ndjson' ? 'ndjson' : 'table', input, out);
  }
  return documents(whole, format, env);
}

export function pictures(whole: () => Promise<string>, env: CliEnvironment): Display<unknown> {
  let text = '';
  let changedAt = env.clock.now();
  const frame = (rows: number): string[] => {
    const { columns } = env.stdout;
    const all = text.trimEnd().split('\n');
    const more = all.length - rows;
    const shown = more <= 0 ? all : [...all.slice(0, rows - 1), `… ${more + 1} more lines`];
    return shown.map((line) => (displayWidth(line) <= columns ? line : cutEnd(line, columns)));
  };
  const picture = new LivePicture({ frame, changedAt: () => changedAt, last: () => text }, env);
  return {
    update: async () => {
      text = await whole();
      changedAt = env.clock.now();
    },
    draw: () => picture.refresh(),
    close: () => picture.close(),
  };
}

async function lines(format: 'ndjson' | 'table', input: CsdsInput, out: Printer): Promise<Display<RemoteAnswer>> {
  const { isShown } = filterFor(input);
  const print = await out.stream('changes', format);
  const statusesByAddress = new Map<string, ScopeStatus[]>();
  return {
    update: (answer) => {
      // A process that cannot be read keeps its last known state.
      if (answer.isDead) return;
      const at = out.env.clock.now();
      const before = statusesByAddress.get(answer.address) ?? [];
      const after = remoteStatuses([answer], isShown);
      statusesByAddress.set(answer.address, after);
      for (const change of remoteChanges(before, after)) print({ at, change });
    },
  };
}

export function documents(whole: () => Promise<string>, format: string, env: CliEnvironment): Display<unknown> {
  let shown = '';
  return {
    update: async () => {
      const text = await whole();
      if (text === shown) return;
      const isFirst = shown === '';
      shown = text;
      env.stdout.offer(
        () => (format === 'yaml' && !isFirst ? `---\n${text}` : text.replace(/[^\n]$/, '$&\n')),
        (dropped) => gapText(format, dropped, env.clock.now()),
      );
    },
  };
}
