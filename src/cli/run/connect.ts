import { EXIT } from '../../base/exit-codes.js';
import { Failure, Misuse } from '../../base/failure.js';
import type { Bootstrap } from '../../bootstrap/bootstrap.js';
import { PRESETS } from '../../bootstrap/presets.js';
import { readSwitches, type Switches } from '../../bootstrap/switches.js';
import { channelOf, resolveTarget } from '../../bootstrap/target.js';
import type { ShownClient } from '../../csds/client-status.js';
import { type ClientInspection, open } from '../../inspect/inspection.js';
import type { ClientSetup, Follow, LiveSource, Ports, Recorder } from '../../inspect/source.js';
import { type BootstrapInput, connectBootstrap } from '../../io/connect-bootstrap.js';
import { interfacesByName } from '../../io/network-interfaces.js';
import { startRecorder } from '../../io/recorder.js';
import { serveState } from '../../io/serve-state.js';
import type { CliEnvironment } from '../environment.js';
import type { Values } from '../option.js';
import type { asOption, connectingOptions } from '../options/connecting.js';
import type { Printer } from '../printer.js';

type Preset = Values<typeof asOption>['as'];

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

/** Whom a target leads to, or why gRPC cannot use it. */
export type ResolvedTarget = Follow | { kind: 'unusable'; message: string };

/** Connects with the bootstrap as a gRPC program would, and follows the targets when it starts. */
export async function connect(input: ConnectInput, out: Printer, env: CliEnvironment): Promise<ClientInspection> {
  mustNameSomething(input.targets);
  const client = await clientFor(input, out, env);
  const targets = resolveTargets(input.targets, input, client.bootstrap, readSwitches(env.variables, input.as));
  // Before anything is connected: what is wrong with any target is wrong with the whole command.
  const problems = targets.flatMap((target, i) =>
    target.kind === 'unusable' ? [`${input.targets[i]}: ${target.message}`] : [],
  );
  if (problems.length > 0) throw new Failure(EXIT.findings, problems.join('\n'));
  const { record } = input;
  const recorder = record === undefined ? undefined : await startRecorder(client, { ...input, record }, env);
  const inspection = await openClient(client, targets.filter(isUsable), input, env, recorder);
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

export async function openClient(
  client: ClientSetup,
  inputs: LiveSource['inputs'],
  { suppress = new Set(), tearGrace: tearGraceMs }: Pick<ConnectInput, 'suppress' | 'tearGrace'>,
  env: CliEnvironment,
  recorder?: Recorder,
): Promise<ClientInspection> {
  const ports = await livePorts(client.surroundings.preset, env);
  return await open({ kind: 'live', client, ports, inputs, recorder }, { suppress, tearGraceMs });
}

function isUsable(target: ResolvedTarget): target is Follow {
  return target.kind === 'follow';
}

/** Reads the bootstrap, and what else decides how its client behaves. */
export async function clientFor(input: ClientInput, out: Printer, env: CliEnvironment): Promise<ClientSetup> {
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

export function resolveTargets(
  targets: readonly string[],
  { as: preset, defaultAuthority }: { as: Preset; defaultAuthority: string | undefined },
  bootstrap: Bootstrap,
  switches: Switches,
): ResolvedTarget[] {
  return targets.map((target) => {
    const resolved = resolveTarget(target, bootstrap, { preset, switches, defaultAuthority });
    if (!resolved.ok) return { kind: 'unusable', message: `gRPC cannot use this target: ${resolved.message}` };
    return { kind: 'follow', ...channelOf(target, resolved.resolution) };
  });
}
