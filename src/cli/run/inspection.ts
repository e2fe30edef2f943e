import type { Bootstrap } from '../../bootstrap/bootstrap.js';
import { PRESETS } from '../../bootstrap/presets.js';
import { serverRules } from '../../bootstrap/server-rules.js';
import { type Preset, readSwitches, type Switches } from '../../bootstrap/switches.js';
import { channelOf, resolveTarget } from '../../bootstrap/target.js';
import type { Event } from '../../core/event.js';
import type { Input } from '../../core/input.js';
import type { NodeIdentity } from '../../core/node.js';
import type { CacheEntry } from '../../core/resource-cache.js';
import type { ShownClient } from '../../csds/client-status.js';
import { Engine } from '../../engine/engine.js';
import { engineOptions, type Surroundings } from '../../engine/options.js';
import type { Transport } from '../../engine/ports.js';
import type { ScopeSnapshot } from '../../engine/scope.js';
import { Session } from '../../engine/session.js';
import type { Finding } from '../../findings/finding.js';
import { GrpcTransport } from '../../io/grpc-transport.js';
import { systemDns } from '../../io/system-dns.js';
import { eventLine } from '../../view/event-line.js';
import { LineRenderer } from '../../view/render/line.js';
import { type ColorChoice, useColor } from '../color.js';
import type { Arguments } from '../command.js';
import type { CliEnvironment } from '../environment.js';
import { EXIT } from '../exit-codes.js';
import { Failure } from '../failure.js';
import { connectBootstrap, type FoundBootstrap } from './connect-bootstrap.js';
import type { Recording } from './recorded-session.js';
import { type Recorder, startRecorder } from './recorder.js';
import { serveState } from './serve-state.js';
import { readSuppressed } from './suppressed.js';
import { surroundingsOf } from './surroundings.js';
import { TimerEnds } from './timer-ends.js';

type Follow = Extract<Input, { kind: 'follow' }>;

/** A running inspection of some targets: what is known, and whatever happens. */
export interface Inspection {
  bootstrap: Bootstrap;
  /** Where the bootstrap came from. */
  source: string;
  /** The scope and the channel of each target, in the order in which they were given. */
  followed: readonly Follow[];
  /** The longest time that a resource is waited for. */
  longestTimerMs: number;
  snapshot(): ScopeSnapshot[];
  /** Who the client says it is. */
  node: NodeIdentity;
  /** When the wait for one of these ends next; undefined where no timer runs, as before a request has left. */
  nextTimerEnd(open: readonly Pick<CacheEntry, 'typeUrl' | 'name'>[]): number | undefined;
  /** What the control planes have done wrong on the wire, but for what `--suppress` names. */
  findings(): Finding[];
  /** When something last happened. */
  changedAt(): number;
  close(): void;
}

/** gRPC's own word for what makes the wire. */
const WIRE: ReadonlySet<Event['kind']> = new Set(['channel', 'stream', 'request', 'response', 'timer', 'fallback']);

/** Gets every event, with whether it is one of very many that say the same, and that a finding counts. */
export type OnEvent = (event: Event, isStorm: boolean) => void;

/** What an inspection begins with: nothing is connected yet. */
export interface Prepared extends FoundBootstrap {
  /** Codes of findings that nobody is told of. */
  suppressed: ReadonlySet<string>;
  /** Whom each target leads to, or why gRPC cannot use it. */
  targets: (Follow | { kind: 'unusable'; message: string })[];
  surroundings: Surroundings;
  /** Where what happens is kept, if anywhere. */
  recorder?: Recorder | undefined;
}

/**
 * Connects with the bootstrap as a gRPC program would, and follows the targets. Where a recording takes the place of
 * that, all of it happens here; `onMoment` is called before and after time goes on.
 */
export async function inspect(
  args: Arguments,
  env: CliEnvironment,
  onEvent: OnEvent = () => {},
  onMoment: (inspection: Inspection) => void = () => {},
): Promise<Inspection> {
  const recording = args.recording as Recording | undefined;
  if (recording !== undefined) {
    const { inspection, replaying } = recording.open(args, env, onEvent);
    await recording.play(replaying, () => onMoment(inspection));
    return inspection;
  }
  mustNameSomething(args.targets as string[]);
  const prepared = await prepare(args, env);
  // Before anything is connected: what is wrong with any target is wrong with the whole command.
  const problems = prepared.targets.flatMap((target, i) =>
    target.kind === 'unusable' ? [`${(args.targets as string[])[i]}: ${target.message}`] : [],
  );
  if (problems.length > 0) throw new Failure(EXIT.findings, problems.join('\n'));
  const recorder = await startRecorder(prepared, args, env);
  return withState(start({ ...prepared, recorder }, args, env, onEvent), args, env);
}

/** `--csds-port`: others may look at it as long as it runs. */
async function withState(inspection: Inspection, args: Arguments, env: CliEnvironment): Promise<Inspection> {
  const close = await serveState(
    () => clientsOf(inspection),
    args,
    env,
    () => inspection.close(),
  );
  return { ...inspection, close };
}

/** As CSDS shows them. */
export function clientsOf({ node, snapshot }: Inspection): ShownClient[] {
  return snapshot().map(({ scope, entries }) => ({ scope, node, entries }));
}

/** Reads the bootstrap, and follows the targets to their listeners in it. */
export async function prepare(args: Arguments, env: CliEnvironment): Promise<Prepared> {
  const preset = args.as as Preset;
  const suppressed = readSuppressed(args, env);
  const switches = readSwitches(env.variables, preset);
  const found = await connectBootstrap(args, switches, env);
  const surroundings = surroundingsOf(args, env);
  return { ...found, suppressed, targets: resolveTargets(args, found.bootstrap, preset, switches), surroundings };
}

/** Connects, and follows all targets that can be used. */
export function start(
  { source, bootstrap, suppressed, targets, surroundings, recorder }: Prepared,
  args: Arguments,
  env: CliEnvironment,
  onEvent: OnEvent,
  through: (transport: Transport) => Transport = (transport) => transport,
): Inspection {
  const preset = args.as as Preset;
  const switches = readSwitches(env.variables, preset);
  const options = engineOptions(bootstrap, surroundings);
  const grace = args.tearGrace as number | undefined;
  const engine = new Engine(grace === undefined ? options : { ...options, tearGraceMs: grace });
  let changedAt = env.clock.now();
  const timers = new TimerEnds();
  const showWire = args.verbose === true ? wireOn(args, env) : undefined;
  const append = (event: Event): void => {
    if (event.kind === 'finding' && suppressed.has(event.code)) return;
    const isStorm = engine.isStorm(event);
    timers.observe(event);
    // What goes on and on changes nothing, once it is known how fast it goes.
    if (!isStorm || engine.findings().some(({ isGoingOn, rate }) => isGoingOn && rate === undefined)) {
      changedAt = env.clock.now();
    }
    if (!isStorm) showWire?.(event);
    onEvent(event, isStorm);
  };
  const session = new Session(engine, {
    clock: env.clock,
    transport: through(new GrpcTransport({ maxResponseBytes: PRESETS[preset].policies.maxResponseBytes })),
    dns: systemDns,
    log: { append },
    ...(recorder && { record: recorder.record }),
  });
  const followed = targets.filter((target) => target.kind === 'follow');
  for (const follow of followed) session.dispatch(follow);
  return {
    node: options.node,
    bootstrap,
    source,
    followed,
    longestTimerMs: longestTimer(bootstrap, switches, preset),
    snapshot: () => engine.snapshot(),
    nextTimerEnd: (open) => timers.next(open, env.clock.now()),
    findings: () => engine.findings().filter(({ code }) => !suppressed.has(code)),
    changedAt: () => changedAt,
    close: () => {
      session.close();
      recorder?.close();
    },
  };
}

/** A variable of a shell that was not set, most likely. */
const EMPTY_TARGET = /^(xds:(\/\/[^/]*)?\/?|#server:)?$/i;

function mustNameSomething(targets: readonly string[]): void {
  const empty = targets.find((target) => EMPTY_TARGET.test(target));
  if (empty === undefined) return;
  const hint = 'give what a program dials, such as xds:///greeter';
  throw new Failure(EXIT.usage, `the target "${empty}" names nothing: ${hint}`);
}

/** Whom each target leads to, or why gRPC cannot use it. */
export function resolveTargets(
  args: Arguments,
  bootstrap: Bootstrap,
  preset: Preset,
  switches: Switches,
): Prepared['targets'] {
  const options = { preset, switches, defaultAuthority: args.defaultAuthority as string | undefined };
  return (args.targets as string[]).map((target) => {
    const resolved = resolveTarget(target, bootstrap, options);
    if (!resolved.ok) return { kind: 'unusable', message: `gRPC cannot use this target: ${resolved.message}` };
    return { kind: 'follow', ...channelOf(target, resolved.resolution) };
  });
}

/** Shows the wire, message by message, on stderr. */
export function wireOn(args: Arguments, env: CliEnvironment): (event: Event) => void {
  const renderer = new LineRenderer(useColor(args.color as ColorChoice, env, env.stderr), args.timestamp === true);
  return (event) => {
    if (WIRE.has(event.kind)) env.stderr.write(renderer.render(eventLine(event)));
  };
}

export function longestTimer({ servers, authorities }: Bootstrap, switches: Switches, preset: Preset): number {
  const all = [...servers, ...[...authorities.values()].flatMap((authority) => authority.servers)];
  const { policies } = PRESETS[preset];
  return Math.max(...all.map(({ features }) => serverRules(features, switches, policies).resourceTimerMs));
}
