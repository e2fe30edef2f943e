import type { ExitCode } from '../../base/exit-codes.js';
import { UsageError } from '../../base/failure.js';
import { kubeText, kubeUri } from '../../bootstrap/kube-target.js';
import type { ProcessAddress } from '../../csds/process-address.js';
import { statusRequest } from '../../csds/status-request.js';
import type { CsdsInspection } from '../../inspect/csds.js';
import type { FleetSource } from '../../inspect/fleet/fleet-inspection.js';
import { open } from '../../inspect/inspection.js';
import { exitCode, firstExitCode } from '../../inspect/outcome.js';
import type { RemoteAnswer } from '../../inspect/remote-answer.js';
import { never, until } from '../../inspect/until.js';
import { type CsdsClientOptions, csdsClients } from '../../io/csds-client.js';
import type { CliEnvironment } from '../../io/environment.js';
import type { KubeServer } from '../../io/kube/kube-dial.js';
import { processAddresses } from '../../io/process-addresses.js';
import { systemDns } from '../../io/system-dns.js';
import { isForPeople } from '../../view/formats.js';
import { problemSentences } from '../../view/remote-status.js';
import type { CsdsInput } from '../commands/csds.js';
import { Printer } from '../printer.js';
import { type CsdsView, csdsView } from './csds-views.js';
import { watchProcesses } from './csds-watch.js';
import { type RequestedPage, requestedPage } from './page.js';
import { FOREVER_MS } from './show.js';

/** `csds`: prints the state of the xDS clients in other processes. */
export async function csds(input: CsdsInput, env: CliEnvironment): Promise<ExitCode> {
  const out = new Printer(input, env);
  const typed = [...input.addresses, ...input.kube.map(kubeUri)];
  const { addresses, remarks } = await processAddresses(typed, env, systemDns);
  const kind = input.view ?? defaultView(input, addresses);
  const view = kind === 'fleet' ? undefined : await csdsView({ ...input, view: kind }, out);
  checkUse(input, view);
  for (const remark of remarks) out.remark(remark);
  if (input.insecure) out.remark('warning: certificates are not verified (--insecure)');
  const source: FleetSource = {
    clients: csdsClients(addresses, {
      ...input,
      connectTimeoutMs: input.connectTimeout,
      timeoutMs: input.timeout,
      openTunnel: await tunnelOpener(input, addresses, out),
    }),
    request: statusRequest(input.nodeMatch),
    as: input.as,
    defaultAuthority: input.defaultAuthority,
    dnsTimeoutMs: input.connectTimeout,
    pollEveryMs: input.watch ? input.interval : undefined,
    plaintext: input.plaintext,
    hasNodeMatchers: input.nodeMatch.length > 0,
    ports: { clock: env.clock, dns: systemDns },
  };
  if (view === undefined) {
    const names = new Map(addresses.flatMap(({ address, name }) => (name === undefined ? [] : [[address, name]])));
    return await (await import('./csds-fleet.js')).csdsFleet(source, names, input, out);
  }
  const page = await requestedPage(input, typed.join(', '), out, view.page);
  const inspection = await open({ kind: 'csds', ...source });
  try {
    const code = input.watch
      ? await watchProcesses(inspection, view, input, out)
      : await readOnce(inspection, view, out);
    await writePage(page, inspection, view, input);
    return code;
  } finally {
    inspection.close();
  }
}

/** Opens tunnels to processes in Kubernetes; undefined if there are none. */
export async function tunnelOpener(
  input: TunnelInput,
  addresses: readonly ProcessAddress[],
  out: Printer,
): Promise<CsdsClientOptions['openTunnel']> {
  const { kubeContext, kubeconfig, plaintext, authority, connectTimeout: timeout } = input;
  if (!addresses.some(({ target }) => kubeText(target) !== undefined)) {
    const useless = kubeContext === undefined ? kubeconfig && 'kubeconfig' : 'kube-context';
    if (useless !== undefined) throw new UsageError(`--${useless} requires --kube or an address kube:…`);
    return undefined;
  }
  const { kubeDial, kubeTarget } = await import('../../io/kube/kube-dial.js');
  const serverOf = (kube: string): KubeServer => ({ kube, kubeContext, kubeconfig });
  // Invalid flags are reported before the first call.
  for (const { target } of addresses) {
    const text = kubeText(target);
    if (text !== undefined) kubeTarget(serverOf(text));
  }
  const onRemark = (sentence: string): void => out.remark(sentence);
  return (kube) => kubeDial(serverOf(kube), { plaintext, authority, timeout, env: out.env, onRemark });
}

type TunnelInput = Pick<CsdsInput, 'kubeContext' | 'kubeconfig' | 'plaintext' | 'authority' | 'connectTimeout'>;

/** Writes the last response of each process as a report page, if one is requested. */
async function writePage(
  page: RequestedPage | undefined,
  inspection: CsdsInspection,
  view: CsdsView,
  { as, defaultAuthority }: CsdsInput,
): Promise<void> {
  if (page === undefined) return;
  const answers = inspection.answers();
  const { check } = view.kind === 'check' ? await view.show(answers) : {};
  await page.write({ check, processes: { as, defaultAuthority, now: inspection.now(), answers } });
}

/** Formats in which the output of several processes can be concatenated. */
const PIECEMEAL: ReadonlySet<string> = new Set(['name', 'dot', 'mermaid']);

/** Prints each process when its response arrives. Documents such as JSON are printed after all responses. */
async function readOnce(inspection: CsdsInspection, view: CsdsView, out: Printer): Promise<ExitCode> {
  const { stdout, onInterrupt } = out.env;
  const isWhole = view.kind === 'check' || !(isForPeople(view.format) || PIECEMEAL.has(view.format));
  const codes: ExitCode[] = [];
  const print = async (answers: readonly RemoteAnswer[]): Promise<void> => {
    const { text, sentences = [], outcome } = await view.show(answers);
    // An empty line separates the processes.
    stdout.write(codes.length > 0 && isForPeople(view.format) ? `\n${text}` : text);
    for (const sentence of sentences) out.fail(sentence);
    codes.push(exitCode(outcome));
  };
  inspection.onAnswer(async (answer) => {
    for (const sentence of problemSentences(answer)) out.fail(sentence);
    if (!isWhole && !answer.isDead) await print([answer]);
  });
  const ending = await until(inspection, never, { limit: FOREVER_MS, onInterrupt });
  const answers = inspection.answers();
  if (isWhole) await print(answers);
  const isLost = answers.some(({ problems }) => problems.length > 0);
  return firstExitCode([exitCode({ isInterrupted: ending === 'interrupted', isLost }), ...codes]);
}

/** From this number of addresses on, text compares clients instead of listing the resources of each. */
const FLEET_ADDRESSES = 9;

/** Other formats have the same schema for any number of addresses. */
function defaultView({ output, html }: CsdsInput, addresses: readonly ProcessAddress[]): 'status' | 'fleet' {
  const isText = (output === undefined || output === 'table' || output === 'wide') && html === undefined;
  const isFleet = addresses.length >= FLEET_ADDRESSES || addresses.some(({ kind }) => kind === 'istio');
  return isText && isFleet ? 'fleet' : 'status';
}

function checkUse({ watch, for: limit }: CsdsInput, { format }: Partial<CsdsView> = {}): void {
  if (!watch && format === 'ndjson') throw new UsageError('-o ndjson requires --watch');
  if (watch && (format === 'name' || format === 'html')) throw new UsageError(`-o ${format} excludes --watch`);
  if (!watch && limit !== undefined) throw new UsageError('--for requires --watch');
}
