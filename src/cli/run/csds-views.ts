import { UsageError } from '../../base/failure.js';
import { exitCode, type Outcome } from '../../inspect/outcome.js';
import { commonPreset, type RemoteAnswer, recognizedSentences, remoteTargets } from '../../inspect/remote-answer.js';
import { configDocument } from '../../view/config.js';
import { failRules, statusOutcome } from '../../view/exit-reason.js';
import { explanationsOf, predictedOutcome } from '../../view/explain.js';
import { isForPeople } from '../../view/formats.js';
import type { PageState } from '../../view/page-data.js';
import { remoteStatusDocument, unfollowedSentences } from '../../view/remote-status.js';
import { serviceConfigs } from '../../view/service-config.js';
import { withAddress } from '../../view/target-views.js';
import { visible } from '../../view/visible-text.js';
import type { CsdsInput } from '../commands/csds.js';
import { CSDS_FORMATS } from '../options/csds-formats.js';
import type { Printer } from '../printer.js';
import { callOf, callState } from './explain.js';
import { filterFor } from './resource-filter.js';

type Show = (answers: readonly RemoteAnswer[]) => Promise<{
  text: string;
  /** Messages for stderr. */
  sentences?: readonly string[];
  outcome: Outcome;
  /** The report of `check`, in its JSON form. */
  check?: unknown;
}>;

/** A view of other processes. */
export interface CsdsView {
  kind: Kind;
  format: string;
  /** What a report page shows first. */
  page: PageState;
  show: Show;
}

type Formats = Omit<typeof CSDS_FORMATS, 'fleet'>;
type Kind = keyof Formats;
type ShowAs<K extends keyof Formats> = (
  format: Formats[K][number],
  input: CsdsInput,
  out: Printer,
) => Show | Promise<Show>;

const VIEWS: { [K in keyof Formats]: ShowAs<K> } = {
  status: (format, input, out) => {
    const { as, showSecrets } = input;
    const { isShown } = filterFor(input);
    const rules = failRules(input);
    return async (answers) => {
      const contents = format === 'json' || format === 'yaml' ? await contentsPrinter(showSecrets) : undefined;
      const document = remoteStatusDocument(as, answers, isShown, contents);
      const outcome = statusOutcome(document.scopes, rules);
      if (format === 'ndjson' || format === 'html') return { text: '', outcome };
      if (format !== 'csds') return { text: await out.text('status', format, document), outcome };
      const { remoteClientStatus } = await import('../../view/remote-client-status.js');
      const response = remoteClientStatus(answers, isShown, showSecrets);
      return { text: await out.text('client-status', format, response), outcome };
    };
  },

  config:
    (format, { as }, out) =>
    async (answers) => {
      const targets = answers.flatMap(remoteTargets).flat();
      const document = configDocument({ as: commonPreset(answers, as), targets, findings: [] });
      const configs = isForPeople(format) ? document.configs.map(withAddress) : document.configs;
      const text =
        format === 'service-config'
          ? await out.text(format, format, serviceConfigs(targets))
          : format === 'html'
            ? ''
            : await out.text('config', format, { ...document, configs });
      return { text, ...followed(answers, { verdicts: configs.map(({ verdict }) => verdict) }, configs.length) };
    },

  explain: (format, input, out) => async (answers) => {
    const all = answers.flatMap(remoteTargets).flatMap((targets) => explanationsOf(targets, callOf(input)));
    const explanations = isForPeople(format) ? all.map(withAddress) : all;
    const document = { as: commonPreset(answers, input.as), explanations, findings: [] };
    const text = format === 'html' ? '' : await out.text('explain', format, document);
    return { text, ...followed(answers, predictedOutcome(all), all.length) };
  },

  /** Every process must meet all expectations. */
  check: async (format, { expectations: path = '' }, out) => {
    const [{ readCheckFile }, { checkLog }, { evaluateAnswers }, { checkDocument, evaluatedIn }] = await Promise.all([
      import('./check-file.js'),
      import('./check.js'),
      import('../../inspect/expect/remote.js'),
      import('../../inspect/expect/report.js'),
    ]);
    const { file } = await readCheckFile(path, format, out);
    return async (answers) => {
      const report = { file: path, ...evaluateAnswers(file, answers, out.env.clock.now()) };
      const evaluated = evaluatedIn(report);
      const hasFindings = evaluated.length === 0 || evaluated.some(({ ok }) => !ok);
      const text = async (): Promise<string> => {
        if (format === 'html') return '';
        if (format !== 'sarif') return await out.text('check', format, report);
        return await out.text('sarif', format, await checkLog(report, exitCode({ hasFindings }), out.env));
      };
      return {
        text: await text(),
        outcome: { hasFindings },
        check: checkDocument(report),
      };
    };
  },
};

export async function csdsView<K extends keyof Formats>(
  input: CsdsInput & { view: K },
  out: Printer,
): Promise<CsdsView> {
  const { view: kind, expectations: path, output } = input;
  if (kind !== 'check' && path !== undefined) throw new UsageError('--expectations requires --view check');
  if (kind === 'check' && path === undefined) throw new UsageError('--view check requires --expectations FILE');
  const formats: readonly Formats[K][number][] = CSDS_FORMATS[kind];
  const format = output === undefined ? formats[0] : formats.find((one) => one === output);
  if (format === undefined) throw new UsageError(`--view ${kind} takes -o ${formats.join(', ')}, not ${output}`);
  const show = await VIEWS[kind](format, input, out);
  const isTold = input.as === undefined && isForPeople(format);
  return { kind, format, page: pageState(input), show: isTold ? withClients(show) : show };
}

/** Begins the text with the clients that were recognised, because their presets determine the rest. */
function withClients(show: Show): Show {
  return async (answers) => {
    const shown = await show(answers);
    return {
      ...shown,
      text: `${recognizedSentences(answers)
        .map((line) => `${visible(line)}\n`)
        .join('')}${shown.text}`,
    };
  };
}

function pageState(input: CsdsInput & { view: Kind }): PageState {
  const { view } = input;
  if (view === 'explain') return callState(input);
  return view === 'check' ? { tab: 'check' } : view === 'config' ? { tab: 'graph' } : {};
}

/** The outcome of the targets, with a message for each target that cannot be followed. */
function followed(
  answers: readonly RemoteAnswer[],
  outcome: Outcome,
  count: number,
): Omit<Awaited<ReturnType<Show>>, 'text'> {
  const sentences = answers.flatMap(unfollowedSentences);
  const hasFindings = outcome.hasFindings === true || sentences.length > 0 || count === 0;
  return { sentences, outcome: { ...outcome, hasFindings } };
}

async function contentsPrinter(showSecrets: boolean): Promise<(typeUrl: string, bytes: Uint8Array) => unknown> {
  const { printAny } = await import('../../proto/json/print.js');
  const { xdsCatalogue } = await import('../../proto/json/catalogue.js');
  return (typeUrl, bytes) => printAny(xdsCatalogue, typeUrl, bytes, { showSecrets });
}
