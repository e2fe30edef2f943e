import { Misuse } from '../../base/failure.js';
import type { RemoteAnswer } from '../../inspect/csds.js';
import { explainView, isGood } from '../../inspect/explain/explain.js';
import { configView } from '../../view/config.js';
import { isForPeople } from '../../view/formats.js';
import { remoteStatuses, unfollowedSentences } from '../../view/remote-status.js';
import { serviceConfigs } from '../../view/service-config.js';
import { stateOf } from '../../view/status.js';
import type { CsdsInput } from '../commands/csds.js';
import type { CliEnvironment } from '../environment.js';
import { CSDS_FORMATS } from '../options/csds-formats.js';
import type { Printer } from '../printer.js';
import { explainOptions } from './explain.js';
import { failRules, filterFor } from './listing.js';

/** What is shown of other processes. */
export interface CsdsView {
  kind: CsdsInput['view'];
  format: string;
  /** Prints it; returns whether there are findings. */
  print(answers: readonly RemoteAnswer[]): Promise<boolean>;
}

type Formats = typeof CSDS_FORMATS;
type FormatOf<K extends keyof Formats> = Formats[K][number];

export async function csdsView(input: CsdsInput, out: Printer, env: CliEnvironment): Promise<CsdsView> {
  const { view: kind, expectations: path } = input;
  if (kind !== 'check' && path !== undefined) throw new Misuse('--expectations requires --view check');
  switch (kind) {
    case 'status':
      return statusView(input, formatFor(kind, input), out);
    case 'config':
      return configurationView(input, formatFor(kind, input), out);
    case 'explain':
      return explanationView(input, formatFor(kind, input), out);
    case 'check': {
      if (path === undefined) throw new Misuse('--view check requires --expectations FILE');
      return (await import('./csds-check.js')).checkView(path, formatFor(kind, input), out, env);
    }
  }
}

function formatFor<K extends keyof Formats>(kind: K, { output }: CsdsInput): FormatOf<K> {
  const formats: readonly FormatOf<K>[] = CSDS_FORMATS[kind];
  const format = output === undefined ? formats[0] : formats.find((one) => one === output);
  if (format === undefined) throw new Misuse(`--view ${kind} is printed as ${formats.join(', ')}, not ${output}`);
  return format;
}

function statusView(input: CsdsInput, format: FormatOf<'status'>, out: Printer): CsdsView {
  const { as, showSecrets } = input;
  const { isShown } = filterFor(input);
  const { statuses } = failRules(input);
  const print = async (answers: readonly RemoteAnswer[]): Promise<boolean> => {
    const contents = format === 'json' || format === 'yaml' ? await contentsPrinter(showSecrets) : undefined;
    const scopes = remoteStatuses(answers, isShown, contents);
    if (format === 'csds') {
      const { remoteClientStatus } = await import('../../view/remote-client-status.js');
      await out.print('client-status', format, remoteClientStatus(answers, isShown, showSecrets));
    } else if (format !== 'ndjson') {
      const unread = answers.flatMap(({ address, problems }) => problems.map((error) => ({ address, error })));
      await out.print('status', format, { schema: 'xds-inspect/status/v1', as, scopes, unread });
    }
    return scopes.some(({ resources }) => resources.some((one) => statuses.has(stateOf(one))));
  };
  return { kind: 'status', format, print };
}

async function contentsPrinter(showSecrets: boolean): Promise<(typeUrl: string, bytes: Uint8Array) => unknown> {
  const { printAny } = await import('../../proto/json/print.js');
  const { xdsCatalogue } = await import('../../proto/json/catalogue.js');
  return (typeUrl, bytes) => printAny(xdsCatalogue, typeUrl, bytes, { showSecrets });
}

function configurationView({ as }: CsdsInput, format: FormatOf<'config'>, out: Printer): CsdsView {
  const print = async (answers: readonly RemoteAnswer[]): Promise<boolean> => {
    const views = answers.flatMap(({ address, clients }) =>
      clients.flatMap(({ judged, snapshot }) =>
        snapshot.channels.map((channel) => ({ address, ...configView(snapshot, channel, judged.dump.node?.id) })),
      ),
    );
    if (format === 'service-config') {
      const snapshots = answers.flatMap(({ clients }) => clients.map(({ snapshot }) => snapshot));
      await out.print(format, format, serviceConfigs(snapshots));
    } else {
      const configs = isForPeople(format) ? views.map(withAddress) : views;
      await out.print('config', format, { schema: 'xds-inspect/config/v1', as, configs, findings: [] });
    }
    const isLacking = sayUnfollowed(answers, out) || views.length === 0;
    return isLacking || views.some(({ config }) => config !== 'published');
  };
  return { kind: 'config', format, print };
}

function explanationView(input: CsdsInput, format: FormatOf<'explain'>, out: Printer): CsdsView {
  const print = async (answers: readonly RemoteAnswer[]): Promise<boolean> => {
    const views = answers.flatMap(({ address, clients }) =>
      clients.flatMap(({ judged, snapshot }) => {
        const options = explainOptions(input, judged.dump.node?.id);
        return snapshot.channels.map((channel) => ({ address, ...explainView(snapshot, channel, options) }));
      }),
    );
    const explanations = isForPeople(format) ? views.map(withAddress) : views;
    await out.print('explain', format, { as: input.as, explanations, findings: [] });
    const isLacking = sayUnfollowed(answers, out) || views.length === 0;
    return isLacking || !views.every(isGood);
  };
  return { kind: 'explain', format, print };
}

/** For people, who see no more of it than its target. */
function withAddress<View extends { address: string; target: string }>(view: View): View {
  return { ...view, target: `${view.address} / ${view.target}` };
}

/** Targets whose configuration cannot be resolved, and why; returns whether there are any. */
function sayUnfollowed(answers: readonly RemoteAnswer[], out: Printer): boolean {
  const sentences = answers.flatMap(unfollowedSentences);
  for (const sentence of sentences) out.say(sentence);
  return sentences.length > 0;
}

/** Why something is missing, or why there is nothing to see. */
export function sayProblems({ address, problems, clients, isDead }: RemoteAnswer, out: Printer): void {
  for (const problem of problems) out.say(`${address}: ${problem}`);
  if (!isDead && clients.length === 0) out.say(`${address}: no xDS client runs in this process`);
}
