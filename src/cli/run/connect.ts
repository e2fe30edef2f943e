import { EXIT, type ExitCode } from '../../base/exit-codes.js';
import { Failure, UsageError } from '../../base/failure.js';
import { foreignTarget } from '../../bootstrap/foreign-target.js';
import { readSwitches } from '../../bootstrap/switches.js';
import type { CsdsClientState } from '../../csds/client-status.js';
import { type ClientInspection, open } from '../../inspect/inspection.js';
import { followTarget, isEmptyTarget, resolverOf } from '../../inspect/resolve-targets.js';
import type { ClientSetup } from '../../inspect/source.js';
import { type BootstrapInput, connectBootstrap } from '../../io/connect-bootstrap.js';
import type { CliEnvironment } from '../../io/environment.js';
import { livePorts, localEnvironment } from '../../io/live-client.js';
import type { ProgressInput } from '../../io/progress.js';
import { startRecorder } from '../../io/recorder.js';
import { serveState } from '../../io/serve-state.js';
import type { Values } from '../option.js';
import type { connectingOptions } from '../options/connecting.js';
import { Printer, type PrinterOptions } from '../printer.js';
import { show, type ViewOf } from './show.js';

/** What decides about a client. */
export type ClientInput = BootstrapInput & Pick<Values<typeof connectingOptions>, 'as' | 'userAgent'>;

/** What decides about a session, besides its targets. */
export interface ConnectInput extends ClientInput {
  targets: readonly string[];
  defaultAuthority: string | undefined;
  record: string | undefined;
  showSecrets: boolean;
  csdsPort?: string | undefined;
  suppress?: ReadonlySet<string>;
  tearGrace?: number | undefined;
}

/** What decides about a session, and how it is shown. */
export type LiveInput = ConnectInput & ProgressInput & PrinterOptions;

/** Reads the options of a view. */
export type ViewFor<I> = (input: I, out: Printer) => ViewOf | Promise<ViewOf>;

/** Connects as a gRPC program would, and shows a view of that; options that cannot be used are found first. */
export async function showLive<I extends LiveInput>(
  input: I,
  env: CliEnvironment,
  viewFor: ViewFor<I>,
): Promise<ExitCode> {
  const out = new Printer(input, env);
  const viewOf = await viewFor(input, out);
  return await show(await connect(input, out), viewOf, input, out);
}

/** Connects with the bootstrap as a gRPC program would, and follows the targets when it starts. */
export async function connect(input: ConnectInput, out: Printer): Promise<ClientInspection> {
  const empty = input.targets.find(isEmptyTarget);
  if (empty !== undefined) {
    throw new UsageError(`empty target "${empty}": give what a program dials, such as xds:///greeter`);
  }
  const foreign = input.targets.flatMap((target) => {
    const problem = foreignTarget(target);
    return problem === undefined ? [] : [`${target}: ${problem}`];
  });
  if (foreign.length > 0) throw new UsageError(foreign.join('\n'));
  const client = await clientFor(input, out);
  const resolver = resolverOf(client);
  // Before anything is connected: what is wrong with any target is wrong with the whole command.
  const problems: string[] = [];
  const inputs = input.targets.flatMap((target) => {
    const resolved = followTarget(target, resolver, input.defaultAuthority);
    if (resolved.kind === 'follow') return [resolved];
    problems.push(`${target}: ${resolved.message}`);
    return [];
  });
  if (problems.length > 0) throw new Failure(EXIT.findings, problems.join('\n'));
  const { record, suppress = new Set(), tearGrace: tearGraceMs } = input;
  const recorder = record === undefined ? undefined : await startRecorder(client, { ...input, record }, out.env);
  const ports = await livePorts(input.as, out.env);
  const inspection = await open({ kind: 'live', client, ports, inputs, recorder }, { suppress, tearGraceMs });
  const close = await serveState(
    () => csdsStates(inspection),
    input,
    out,
    () => inspection.close(),
  );
  return { ...inspection, close };
}

/** As CSDS shows them. */
export function csdsStates({ node, snapshot }: ClientInspection): CsdsClientState[] {
  return snapshot().map(({ scope, entries }) => ({ scope, node, entries }));
}

/** Reads the bootstrap, and what else decides how its client behaves. */
export async function clientFor(input: ClientInput, out: Printer): Promise<ClientSetup> {
  const { variables, version, clock, resourceTimerMs } = out.env;
  const found = await connectBootstrap(input, readSwitches(variables, input.as), out, out.env);
  const userAgent = { name: input.userAgent, version };
  return { ...found, environment: { ...localEnvironment(input.as, variables, userAgent, clock), resourceTimerMs } };
}
