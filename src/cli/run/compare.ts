import type { ExitCode } from '../../base/exit-codes.js';
import { UsageError } from '../../base/failure.js';
import { PRESET_NAMES, type Preset } from '../../bootstrap/preset-names.js';
import { compareImplementations } from '../../inspect/compare/compare-implementations.js';
import { comparisonOutcome } from '../../inspect/compare/implementation-outcome.js';
import type { ImplementationRun } from '../../inspect/compare/implementation-run.js';
import { recordedImplementations } from '../../inspect/compare/recorded-implementations.js';
import { readHeader } from '../../inspect/feed-recording.js';
import { exitCode } from '../../inspect/outcome.js';
import type { CliEnvironment } from '../../io/environment.js';
import { recordingFile } from '../../io/recording-lines.js';
import { compareData } from '../../view/compare.js';
import { compareReason } from '../../view/compare-text.js';
import { unreachableSentences } from '../../view/unreachable.js';
import type { CompareInput } from '../commands/compare.js';
import { Printer } from '../printer.js';
import { requestedPage } from './page.js';

/** A compared session: the runs of its clients, and where its bootstrap came from. */
export interface ComparedSession {
  source: string;
  recordedAs: Preset | null;
  runs: readonly ImplementationRun[];
  isInterrupted: boolean;
}

/** `compare`: runs the client of every implementation, live or on a recording, and prints the differences. */
export async function compare(input: CompareInput, env: CliEnvironment): Promise<ExitCode> {
  const out = new Printer(input, env);
  const recording = recordingIn(input.targets);
  const page = await requestedPage(input, input.targets.join(', '), out);
  const session =
    recording === undefined
      ? await (await import('./compare-live.js')).liveSession(input, out, page)
      : await recordedSession(recording, out, page?.add.bind(page));
  const comparison = compareImplementations(session.runs, input.require);
  const document = { source: session.source, recordedAs: session.recordedAs, comparison };
  if (input.output !== 'html') await out.print('compare', input.output, document);
  await page?.write({ initial: { tab: 'compare' }, compare: compareData(document) });
  const code = exitCode({ ...comparisonOutcome(comparison), isInterrupted: session.isInterrupted });
  const [lost] = session.runs.filter((run) => 'result' in run);
  if (lost !== undefined && !session.isInterrupted) {
    for (const text of unreachableSentences(lost.result, input.output)) out.fail(text);
  }
  const why = compareReason(code, comparison);
  if (why !== undefined) out.remark(`exit ${env.codeOf?.(code) ?? code}: ${why}`);
  return code;
}

/** Recordings and support bundles. */
const RECORDING = /\.(xdsrec|xdsrec\.gz|tgz|tar|tar\.gz)$/i;

function recordingIn(targets: readonly string[]): string | undefined {
  const recording = targets.find((target) => RECORDING.test(target));
  if (recording !== undefined && targets.length > 1) {
    throw new UsageError(`compare takes targets, or one recording: ${recording} is a recording`);
  }
  return recording;
}

async function recordedSession(
  path: string,
  out: Printer,
  addToPage: ((path: string, header: Awaited<ReturnType<typeof readHeader>>) => void) | undefined,
): Promise<ComparedSession> {
  const file = recordingFile(path, () => out.env.stdout.ready());
  const header = await readHeader(file);
  if (header.fetch !== undefined) {
    throw new UsageError('this recording was made by get and has no targets: there is nothing to compare');
  }
  addToPage?.(path, header);
  const onRemark = (sentence: string): void => out.printLine(sentence);
  const source = { kind: 'recording', file, header, until: undefined, onRemark } as const;
  const runs = await recordedImplementations(source, PRESET_NAMES);
  return { source: path, recordedAs: header.as, runs, isInterrupted: false };
}
