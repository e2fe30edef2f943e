import { UsageError } from '../../base/failure.js';
import type { ClientInspection } from '../../inspect/inspection.js';
import { type InspectionResult, inspectionResult } from '../../inspect/inspection-result.js';
import { settled } from '../../inspect/settled.js';
import { delayed, never } from '../../inspect/until.js';
import { observed, WorstVerdicts } from '../../inspect/verdict-history.js';
import { LivePicture } from '../../io/live-picture.js';
import { failRules } from '../../view/exit-reason.js';
import { isForPeople } from '../../view/formats.js';
import type { RerunCommand } from '../../view/next-commands.js';
import { type ReportDocument, reportDocument } from '../../view/report.js';
import type { ReportInput } from '../commands/report.js';
import type { Printer } from '../printer.js';
import { rerunCommand } from './rerun-command.js';
import { conclusionOf, filterFor, type ResourceFilterInput, shownTo } from './resource-filter.js';
import { FOREVER_MS, type View, type ViewOf, waitUntilSettled } from './show.js';

/** `xds-inspect <target>…`: prints the report. */
export async function reportView(input: ReportInput, out: Printer): Promise<ViewOf> {
  const { output, timeout, for: observeMs, noProbe } = input;
  const { stdout, variables } = out.env;
  if (input.watch && (!stdout.isTerminal || variables.TERM === 'dumb' || !isForPeople(output))) {
    throw new UsageError('-w requires a terminal and text output; otherwise use --for 10s, or the command watch');
  }
  const documentOf = documentBuilder(input, rerunCommand(input, out.env.program));
  return (inspection) => {
    const worst = new WorstVerdicts();
    const print: View['print'] = async (result) => {
      const document = await documentOf(result, worst);
      if (output !== 'html') await out.print('report', output, document, shownTo(result, output));
      return {
        ...conclusionOf(document.scopes, result, failRules(input), output),
        report: { document, now: result.now },
      };
    };
    if (input.watch) return liveView(inspection, worst, documentOf, print, input, out);
    const { condition, limit, ...view } = waitUntilSettled(inspection, timeout);
    if (observeMs === undefined) return { ...view, condition, limit, probes: !noProbe, print };
    return {
      ...view,
      condition: observed(inspection, worst, delayed(condition, observeMs)),
      limit: limit + observeMs,
      probes: !noProbe,
      print,
    };
  };
}

/** The report on a recorded session, with its worst verdict. */
export function recordedReportView(input: ReportedInput & Pick<ReportInput, 'output'>, out: Printer): ViewOf {
  const documentOf = documentBuilder(input, undefined);
  return (inspection) => {
    const worst = new WorstVerdicts();
    return {
      condition: observed(inspection, worst, settled(inspection)),
      limit: 0,
      print: async (result) => {
        const document = await documentOf(result, worst);
        if (input.output !== 'html') await out.print('report', input.output, document, shownTo(result, input.output));
        return conclusionOf(document.scopes, result, failRules(input), input.output);
      },
    };
  };
}

type ReportedInput = ResourceFilterInput & Pick<ReportInput, 'failureThreshold'>;
type BuildDocument = (result: InspectionResult, worst: WorstVerdicts) => Promise<ReportDocument>;

/** Without `rerun`, the report suggests no commands: a recording has no control plane to connect to. */
function documentBuilder(input: ReportedInput, rerun: RerunCommand | undefined): BuildDocument {
  const filter = filterFor(input);
  return async (result, worst) => {
    const isRejected = result.snapshot.some(({ entries }) => entries.some(({ status }) => status === 'NACKED'));
    // The notes need the descriptors of the whole xDS API, which load several times slower than the rest of the tool.
    const notes = isRejected
      ? (await import('../../inspect/report/rejected-notes.js')).rejectedNotes(result.snapshot, result.context)
      : [];
    return reportDocument(result, { filter, rerun, notes, worseThan: (verdict) => worst.worseThan(verdict) });
  };
}

/** Redraws the report until the user interrupts it or `--for` ends. The last report stays on the terminal. */
function liveView(
  inspection: ClientInspection,
  worst: WorstVerdicts,
  documentOf: BuildDocument,
  print: View['print'],
  { for: observeMs }: Pick<ReportInput, 'for'>,
  out: Printer,
): View {
  let lines: string[] = [];
  const frame = (rows: number): string[] =>
    lines.length <= rows ? lines : [...lines.slice(0, rows - 1), `… ${lines.length - rows + 1} more lines`];
  const picture = new LivePicture({ frame, changedAt: inspection.changedAt, last: () => '' }, out.env);
  const draw = async (): Promise<void> => {
    const text = await out.text('report', 'text', await documentOf(inspectionResult(inspection, 'met'), worst));
    lines = text.trimEnd().split('\n');
  };
  return {
    condition: observed(inspection, worst, never),
    limit: observeMs ?? FOREVER_MS,
    tick: {
      everyMs: LivePicture.FASTEST_MS,
      run: () => {
        void draw().then(() => picture.refresh());
      },
    },
    print: async (result) => {
      picture.close();
      return await print(result);
    },
  };
}
