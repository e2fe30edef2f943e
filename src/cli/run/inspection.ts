import type { Bootstrap } from '../../bootstrap/bootstrap.js';
import { type Preset, readSwitches, type Switches } from '../../bootstrap/switches.js';
import { resolveTarget } from '../../bootstrap/target.js';
import type { Event } from '../../core/event.js';
import type { Input } from '../../core/input.js';
import { POLICIES } from '../../core/policies.js';
import { Engine } from '../../engine/engine.js';
import { engineOptions } from '../../engine/options.js';
import type { ScopeSnapshot } from '../../engine/scope.js';
import type { Finding } from '../../findings/finding.js';
import { GrpcTransport } from '../../io/grpc-transport.js';
import { interfacesByName } from '../../io/network-interfaces.js';
import { systemDns } from '../../io/system-dns.js';
import { LineRenderer } from '../../render/line.js';
import { Session } from '../../session/session.js';
import { eventLine } from '../../view/event-line.js';
import { type ColorChoice, useColor } from '../color.js';
import type { Arguments } from '../command.js';
import type { CliEnvironment } from '../environment.js';
import { EXIT } from '../exit-codes.js';
import { Failure } from '../failure.js';
import { connectBootstrap } from './connect-bootstrap.js';
import { startRecorder } from './recorder.js';

type Follow = Extract<Input, { kind: 'follow' }>;

/** A running inspection of some targets: what is known, and whatever happens. */
export interface Inspection {
  bootstrap: Bootstrap;
  /** Where the bootstrap came from. */
  source: string;
  /** The longest time that a resource is waited for. */
  longestTimerMs: number;
  snapshot(): ScopeSnapshot[];
  /** What the control planes have done wrong on the wire. */
  findings(): Finding[];
  /** When something last happened. */
  changedAt(): number;
  close(): void;
}

/** gRPC's own word for what makes the wire. */
const WIRE: ReadonlySet<Event['kind']> = new Set(['channel', 'stream', 'request', 'response', 'timer', 'fallback']);

/** Gets every event, with whether it is one of very many that say the same, and that a finding counts. */
export type OnEvent = (event: Event, isStorm: boolean) => void;

/** Takes the place of a connection where a recording is shown. */
export type OpenRecording = (onEvent: OnEvent) => Promise<Inspection>;

/** Connects with the bootstrap as a gRPC program would, and follows the targets. */
export async function inspect(args: Arguments, env: CliEnvironment, onEvent: OnEvent = () => {}): Promise<Inspection> {
  const showWire = args.verbose === true ? wireOn(args, env) : undefined;
  if (args.recording !== undefined) {
    return await (args.recording as OpenRecording)((event, isStorm) => {
      if (!isStorm) showWire?.(event);
      onEvent(event, isStorm);
    });
  }
  const preset = args.as as Preset;
  const switches = readSwitches(env.variables, preset);
  const { source, bootstrap } = await connectBootstrap(args, switches, env);
  const follows = resolveTargets(args, bootstrap, preset, switches);
  const surroundings = {
    preset,
    variables: env.variables,
    userAgentName: (args.userAgent as string | undefined) ?? 'xds-inspect',
    userAgentVersion: env.version,
    interfaces: interfacesByName(),
    seed: env.clock.now(),
  };
  const options = engineOptions(bootstrap, surroundings);
  const grace = args.tearGrace as number | undefined;
  const recorder = await startRecorder(args, env, { bootstrap, source, surroundings, tearGraceMs: grace });
  const engine = new Engine(grace === undefined ? options : { ...options, tearGraceMs: grace });
  let changedAt = env.clock.now();
  const append = (event: Event): void => {
    const isStorm = engine.isStorm(event);
    if (!isStorm) changedAt = env.clock.now();
    if (!isStorm) showWire?.(event);
    onEvent(event, isStorm);
  };
  const session = new Session(engine, {
    clock: env.clock,
    transport: new GrpcTransport({ maxResponseBytes: POLICIES[preset].maxResponseBytes }),
    dns: systemDns,
    log: { append },
    ...(recorder && { record: recorder.record }),
  });
  for (const follow of follows) session.dispatch(follow);
  return {
    bootstrap,
    source,
    longestTimerMs: longestTimer(bootstrap, switches, preset),
    snapshot: () => engine.snapshot(),
    findings: () => engine.findings(),
    changedAt: () => changedAt,
    close: () => {
      session.close();
      recorder?.close();
    },
  };
}

/** Before anything is connected: what is wrong with any target is wrong with the whole command. */
function resolveTargets(args: Arguments, bootstrap: Bootstrap, preset: Preset, switches: Switches): Follow[] {
  const options = { preset, switches, defaultAuthority: args.defaultAuthority as string | undefined };
  const follows: Follow[] = [];
  const problems: string[] = [];
  for (const target of args.targets as string[]) {
    const resolved = resolveTarget(target, bootstrap, options);
    if (!resolved.ok) {
      problems.push(`${target}: gRPC cannot use this target: ${resolved.message}`);
      continue;
    }
    const { scope, listener, dataPlaneAuthority } = resolved.resolution;
    const authority = target.startsWith('#server:') ? undefined : dataPlaneAuthority;
    // Two spellings of one target are one channel (D17).
    const key = authority === undefined ? target : scope;
    follows.push({ kind: 'follow', scope, target: key, listener, authority });
  }
  if (problems.length > 0) throw new Failure(EXIT.findings, problems.join('\n'));
  return follows;
}

function wireOn(args: Arguments, env: CliEnvironment): (event: Event) => void {
  const renderer = new LineRenderer(useColor(args.color as ColorChoice, env, env.stderr));
  return (event) => {
    if (WIRE.has(event.kind)) env.stderr.write(renderer.render(eventLine(event)));
  };
}

export function longestTimer(
  { servers, authorities }: Bootstrap,
  { dataErrorHandling }: Switches,
  preset: Preset,
): number {
  const all = [...servers, ...[...authorities.values()].flatMap((authority) => authority.servers)];
  const isSlow = dataErrorHandling && all.some(({ features }) => features.has('resource_timer_is_transient_error'));
  return isSlow ? POLICIES[preset].transientTimerMs : POLICIES[preset].resourceTimerMs;
}
