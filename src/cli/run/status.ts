import type { Bootstrap } from '../../bootstrap/bootstrap.js';
import { readBootstrap } from '../../bootstrap/read-bootstrap.js';
import { type Preset, readSwitches, type Switches } from '../../bootstrap/switches.js';
import { resolveTarget } from '../../bootstrap/target.js';
import type { ClientSnapshot } from '../../core/client.js';
import type { Input } from '../../core/input.js';
import { Engine } from '../../engine/engine.js';
import { engineOptions } from '../../engine/options.js';
import { GrpcTransport } from '../../io/grpc-transport.js';
import { interfacesByName } from '../../io/network-interfaces.js';
import { systemDns } from '../../io/system-dns.js';
import { paintFor } from '../../render/paint.js';
import { statusText } from '../../render/status.js';
import { Session } from '../../session/session.js';
import { type ScopeStatus, scopeStatus } from '../../view/status.js';
import { type ColorChoice, useColor } from '../color.js';
import type { Arguments } from '../command.js';
import type { CliEnvironment } from '../environment.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import { Failure } from '../failure.js';
import { findBootstrap } from './bootstrap-source.js';

/** Nothing has changed for this long: what was wanted is there, or will not come. */
const QUIET_MS = 200;
const LONGEST_TIMER_MS = 30_000;
const TIMER_MS = 15_000;
const GRACE_MS = 10_000;

type Follow = Extract<Input, { kind: 'follow' }>;

/** `status`: what was seen is printed however it ends. */
export async function status(args: Arguments, env: CliEnvironment): Promise<ExitCode> {
  const preset = args.as as Preset;
  const switches = readSwitches(env.variables, preset);
  const bootstrap = await loadBootstrap(args, switches, env);
  const follows = resolveTargets(args, bootstrap, preset, switches);
  const engine = new Engine(
    engineOptions(bootstrap, {
      preset,
      variables: env.variables,
      userAgentName: 'xds-inspect',
      userAgentVersion: env.version,
      interfaces: interfacesByName(),
      seed: env.clock.now(),
    }),
  );
  let changedAt = env.clock.now();
  const session = new Session(engine, {
    clock: env.clock,
    transport: new GrpcTransport(),
    dns: systemDns,
    log: {
      append: () => {
        changedAt = env.clock.now();
      },
    },
  });
  for (const follow of follows) session.dispatch(follow);
  const limit = (args.timeout as number | undefined) ?? defaultTimeout(bootstrap, switches);
  const end = await settled(
    () => engine.snapshot(),
    () => changedAt,
    limit,
    env,
  );
  const scopes = engine.snapshot().map((snapshot) => scopeStatus(snapshot, end === 'settled'));
  session.close();
  await print(scopes, args, env);
  return exitCode(scopes, end);
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
    const authority = dataPlaneAuthority === '' ? undefined : dataPlaneAuthority;
    follows.push({ kind: 'follow', scope, target, listener, authority });
  }
  if (problems.length > 0) throw new Failure(EXIT.findings, problems.join('\n'));
  return follows;
}

async function loadBootstrap(args: Arguments, switches: Switches, env: CliEnvironment): Promise<Bootstrap> {
  const source = await findBootstrap(args.bootstrap as string | undefined, env);
  if (source.kind === 'unreadable') throw new Failure(EXIT.badInput, source.explanation);
  const read = readBootstrap(source.bytes, switches);
  if (read.ok) return read.bootstrap;
  const hint = `see: ${env.program} bootstrap validate ${(args.bootstrap as string | undefined) ?? ''}`.trimEnd();
  throw new Failure(EXIT.badInput, `${source.name}: gRPC rejects this bootstrap: ${read.message}\n${hint}`);
}

function defaultTimeout({ servers }: Bootstrap, { dataErrorHandling }: Switches): number {
  const isSlow = dataErrorHandling && servers.some(({ features }) => features.has('resource_timer_is_transient_error'));
  return (isSlow ? LONGEST_TIMER_MS : TIMER_MS) + GRACE_MS;
}

type Ending = 'settled' | 'timed out' | 'interrupted';

/** Waits until nothing is asked for any more and nothing has changed for a while, or all servers have failed. */
async function settled(
  snapshot: () => ClientSnapshot[],
  changedAt: () => number,
  limit: number,
  env: CliEnvironment,
): Promise<Ending> {
  const { clock } = env;
  const endAt = clock.now() + limit;
  let isInterrupted = false;
  const stopListening = env.onInterrupt(() => {
    isInterrupted = true;
  });
  try {
    for (;;) {
      if (isInterrupted) return 'interrupted';
      const now = clock.now();
      if (snapshot().every(isDone) && now - changedAt() >= QUIET_MS) return 'settled';
      if (now >= endAt) return 'timed out';
      await new Promise<void>((wake) => clock.wakeAt(Math.min(now + QUIET_MS / 4, endAt), wake));
    }
  } finally {
    stopListening();
  }
}

function isDone({ authorities, entries }: ClientSnapshot): boolean {
  const isLost = (name: string): boolean =>
    authorities.find((authority) => authority.name === name)?.servers.every(({ failure }) => failure !== undefined) ??
    false;
  return entries.every(({ status: state, authority }) => state !== 'REQUESTED' || isLost(authority));
}

async function print(scopes: ScopeStatus[], args: Arguments, env: CliEnvironment): Promise<void> {
  if (args.output === 'json') {
    env.stdout.write(`${JSON.stringify({ schema: 'xds-inspect/status/v1', as: args.as, scopes }, null, 2)}\n`);
    return;
  }
  const paint = await paintFor(useColor(args.color as ColorChoice, env, env.stdout));
  const now = env.clock.now();
  const texts = scopes.map((scope) =>
    statusText(
      scope,
      ({ lastUpdated }) => (lastUpdated === null ? undefined : Math.max(0, now - Date.parse(lastUpdated))),
      paint,
    ),
  );
  env.stdout.write(texts.join('\n'));
}

const FAILING = new Set(['NACKED', 'RECEIVED_ERROR', 'DOES_NOT_EXIST', 'TIMEOUT']);

function exitCode(scopes: ScopeStatus[], end: Ending): ExitCode {
  if (end === 'interrupted') return EXIT.interrupted;
  const waiting = scopes.filter(({ resources }) => resources.some(({ status: state }) => state === 'REQUESTED'));
  if (end === 'settled' && waiting.length > 0) return EXIT.unavailable;
  if (end === 'timed out') return EXIT.timedOut;
  return scopes.some(({ resources }) => resources.some(({ status: state }) => FAILING.has(state)))
    ? EXIT.findings
    : EXIT.ok;
}
