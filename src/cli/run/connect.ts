import { EXIT, type ExitCode } from '../../base/exit-codes.js';
import { Failure, UsageError } from '../../base/failure.js';
import { foreignTarget, isEmptyTarget } from '../../bootstrap/foreign-target.js';
import { readSwitches } from '../../bootstrap/switches.js';
import type { CsdsClientState } from '../../csds/client-status.js';
import { type ClientInspection, open } from '../../inspect/inspection.js';
import { followTarget, resolverOf } from '../../inspect/resolve-targets.js';
import type { ClientSetup, Recorder } from '../../inspect/source.js';
import { type BootstrapInput, connectBootstrap } from '../../io/connect-bootstrap.js';
import type { CliEnvironment } from '../../io/environment.js';
import { livePorts, localEnvironment } from '../../io/live-client.js';
import type { ProgressInput } from '../../io/progress.js';
import { joinRecorders, startRecorder } from '../../io/recorder.js';
import { serveState } from '../../io/serve-state.js';
import type { Values } from '../option.js';
import type { connectingOptions } from '../options/connecting.js';
import { Printer, type PrinterOptions } from '../printer.js';
import { type PageInput, type RequestedPage, requestedPage } from './page.js';
import { show, type ViewOf } from './show.js';

/** The settings of a client. */
export type ClientInput = BootstrapInput & Pick<Values<typeof connectingOptions>, 'as' | 'userAgent'>;

/** The settings of a session. */
export interface ConnectInput extends ClientInput {
  targets: readonly string[];
  defaultAuthority: string | undefined;
  record: string | undefined;
  showSecrets: boolean;
  csdsPort?: string | undefined;
  metricsPort?: string | undefined;
  suppress?: ReadonlySet<string>;
  tearGrace?: number | undefined;
}

/** The settings of a session and of its outputs. */
export type LiveInput = ConnectInput & ProgressInput & PrinterOptions & PageInput;

/** Creates a view from its options. */
export type ViewFor<I> = (input: I, out: Printer) => ViewOf | Promise<ViewOf>;

/** Connects as a gRPC program would and prints a view. Invalid options are reported before connecting. */
export async function showLive<I extends LiveInput>(
  input: I,
  env: CliEnvironment,
  viewFor: ViewFor<I>,
  page?: SessionPage,
): Promise<ExitCode> {
  const out = new Printer(input, env);
  const viewOf = await viewFor(input, out);
  const report = await livePage(input, out);
  return await show(await connect(input, out, report, page), viewOf, input, out, report);
}

/** A page that shows the session of a client. */
export interface SessionPage {
  record(name: string, client: ClientSetup, tearGrace: number | undefined): Promise<Recorder>;
}

/** The report page of these targets, if it is requested. */
export async function livePage(input: PageInput & ConnectInput, out: Printer): Promise<RequestedPage | undefined> {
  return await requestedPage(input, input.targets.join(', '), out);
}

/** Creates a client from the bootstrap as a gRPC program would. It follows the targets when it starts. */
export async function connect(
  input: ConnectInput,
  out: Printer,
  ...pages: (SessionPage | undefined)[]
): Promise<ClientInspection> {
  checkTargets(input.targets);
  return await connectAs(await clientFor(input, out), input, out, ...pages);
}

/** Like `connect`, with a client whose bootstrap has been read. */
export async function connectAs(
  client: ClientSetup,
  input: ConnectInput,
  out: Printer,
  ...pages: (SessionPage | undefined)[]
): Promise<ClientInspection> {
  const resolver = resolverOf(client);
  // All targets are resolved before the first connection: one invalid target fails the command.
  const problems: string[] = [];
  const inputs = input.targets.flatMap((target) => {
    const resolved = followTarget(target, resolver, input.defaultAuthority);
    if (resolved.kind === 'follow') return [resolved];
    problems.push(`${target}: ${resolved.message}`);
    return [];
  });
  if (problems.length > 0) throw new Failure(EXIT.findings, problems.join('\n'));
  const { record, suppress = new Set(), tearGrace: tearGraceMs } = input;
  const recorder = joinRecorders([
    record === undefined ? undefined : await startRecorder(client, { ...input, record }, out.env),
    ...(await Promise.all(pages.map((page) => page?.record(input.targets.join(', '), client, tearGraceMs)))),
  ]);
  const ports = await livePorts(client, out.env);
  const inspection = await open({ kind: 'live', client, ports, inputs, recorder }, { suppress, tearGraceMs });
  const close = await serveState({ csds: () => csdsStates(inspection), metrics: [inspection] }, input, out, () =>
    inspection.close(),
  );
  return { ...inspection, close };
}

/** Rejects words that cannot be targets of a gRPC program. */
export function checkTargets(targets: readonly string[]): void {
  const empty = targets.find(isEmptyTarget);
  if (empty !== undefined) {
    throw new UsageError(`empty target "${empty}": use the target that a program dials, such as xds:///greeter`);
  }
  const foreign = targets.flatMap((target) => {
    const problem = foreignTarget(target);
    return problem === undefined ? [] : [`${target}: ${problem}`];
  });
  if (foreign.length > 0) throw new UsageError(foreign.join('\n'));
}

/** The state of the clients as CSDS reports it. */
export function csdsStates({ node, snapshot }: ClientInspection): CsdsClientState[] {
  return snapshot().map(({ scope, entries }) => ({ scope, node, entries }));
}

/** Reads the bootstrap and the other settings of a client. */
export async function clientFor(input: ClientInput, out: Printer): Promise<ClientSetup> {
  const { variables, version, clock, resourceTimerMs } = out.env;
  const found = await connectBootstrap(input, input.as, readSwitches(variables, input.as), out, out.env);
  const userAgent = { name: input.userAgent, version };
  return { ...found, environment: { ...localEnvironment(input.as, variables, userAgent, clock), resourceTimerMs } };
}
