import { EXIT, type ExitCode } from '../../base/exit-codes.js';
import { Failure, Misuse } from '../../base/failure.js';
import { PRESETS } from '../../bootstrap/presets.js';
import { type Preset, readSwitches } from '../../bootstrap/switches.js';
import type { ShownClient } from '../../csds/client-status.js';
import { type ClientInspection, open } from '../../inspect/inspection.js';
import { followTarget, resolverOf } from '../../inspect/resolve-targets.js';
import type { ClientSetup, Ports } from '../../inspect/source.js';
import { type BootstrapInput, connectBootstrap } from '../../io/connect-bootstrap.js';
import { interfacesByName } from '../../io/network-interfaces.js';
import { startRecorder } from '../../io/recorder.js';
import { serveState } from '../../io/serve-state.js';
import type { CliEnvironment } from '../environment.js';
import type { Values } from '../option.js';
import type { connectingOptions } from '../options/connecting.js';
import { Printer, type PrinterOptions } from '../printer.js';
import type { ProgressInput } from './progress.js';
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

/** Connects as a gRPC program would, and shows a view of that; options that cannot be used are found first. */
export async function showLive<I extends ConnectInput & ProgressInput & PrinterOptions>(
  input: I,
  env: CliEnvironment,
  viewFor: (input: I, out: Printer) => ViewOf | Promise<ViewOf>,
): Promise<ExitCode> {
  const out = new Printer(input, env);
  const viewOf = await viewFor(input, out);
  return await show(await connect(input, out), viewOf, input, out);
}

/** Connects with the bootstrap as a gRPC program would, and follows the targets when it starts. */
export async function connect(input: ConnectInput, out: Printer): Promise<ClientInspection> {
  mustNameSomething(input.targets);
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
    () => clientsOf(inspection),
    input,
    out,
    () => inspection.close(),
  );
  return { ...inspection, close };
}

/** As CSDS shows them. */
export function clientsOf({ node, snapshot }: ClientInspection): ShownClient[] {
  return snapshot().map(({ scope, entries }) => ({ scope, node, entries }));
}

/** Reads the bootstrap, and what else decides how its client behaves. */
export async function clientFor(input: ClientInput, out: Printer): Promise<ClientSetup> {
  const { env } = out;
  const { bootstrap, origin } = await connectBootstrap(input, readSwitches(env.variables, input.as), out, env);
  const surroundings = {
    preset: input.as,
    variables: env.variables,
    userAgentName: input.userAgent ?? 'xds-inspect',
    userAgentVersion: env.version,
    interfaces: interfacesByName(),
    seed: env.clock.now(),
  };
  return { bootstrap, origin, surroundings };
}

/** Real connections, unless a test brings its own. */
export async function livePorts(as: Preset, { clock, network }: CliEnvironment): Promise<Ports> {
  const { maxResponseBytes } = PRESETS[as].policies;
  if (network !== undefined) return { clock, ...network };
  const [{ GrpcTransport }, { systemDns }] = await Promise.all([
    import('../../io/grpc-transport.js'),
    import('../../io/system-dns.js'),
  ]);
  return { clock, transport: new GrpcTransport({ maxResponseBytes }), dns: systemDns };
}

/** A variable of a shell that was not set, most likely. */
const EMPTY_TARGET = /^(xds:(\/\/[^/]*)?\/?|#server:)?$/i;

function mustNameSomething(targets: readonly string[]): void {
  const empty = targets.find((target) => EMPTY_TARGET.test(target));
  if (empty === undefined) return;
  throw new Misuse(`empty target "${empty}": give what a program dials, such as xds:///greeter`);
}
