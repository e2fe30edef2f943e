import { didYouMean } from '../../base/nearest.js';
import { Engine } from '../../engine/engine.js';
import { Session } from '../../engine/session.js';
import { GrpcTransport } from '../../io/grpc-transport.js';
import { PlaneHost } from '../../io/plane-host.js';
import { systemDns } from '../../io/system-dns.js';
import { ControlPlane } from '../../scenario/control-plane.js';
import { sentName } from '../../scenario/encode-response.js';
import type { Scenario } from '../../scenario/scenario.js';
import { eventLine } from '../../view/event-line.js';
import { planeLine } from '../../view/plane-line.js';
import { LineRenderer } from '../../view/render/line.js';
import { visible } from '../../view/visible-text.js';
import { type ColorChoice, useColor } from '../color.js';
import type { Arguments } from '../command.js';
import type { CliEnvironment } from '../environment.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import { Failure } from '../failure.js';
import { loadScenario } from './load-scenario.js';
import { builtInPath, builtInStories } from './stories.js';

const SCOPE = 'demo';
const DEFAULT_STORY = 'first-look';

/** How long a scenario without a script is watched. */
const WITHOUT_SCRIPT_MS = 3000;

/** How long the client may take to answer the last step. */
const QUIET_MS = 150;

/** `demo`: plays a scenario over real connections and prints what the client sees. */
export async function demo(args: Arguments, env: CliEnvironment): Promise<ExitCode> {
  const path = storyPath((args.scenario as string | undefined) ?? DEFAULT_STORY, env);
  const scenario = loadScenario(path);
  const renderer = new LineRenderer(useColor(args.color as ColorChoice, env, env.stdout));
  let onDone: (unmet: number) => void = () => {};
  const done = new Promise<number>((resolve) => {
    onDone = resolve;
  });
  const host = new PlaneHost(scenario, new ControlPlane(scenario), {
    host: '127.0.0.1',
    port: 0,
    clock: env.clock,
    onEvent: (event) => {
      if (event.kind === 'said') env.stdout.write(`\n${wrapped(event.text)}\n\n`);
      if (event.kind === 'unmet') env.stdout.write(renderer.render(planeLine(event)));
      if (event.kind === 'script-done') onDone(event.unmet);
    },
    onFailure: (error) => env.stderr.write(`${visible(error.message)}\n`),
  });
  await host.reserve();
  env.stdout.write(introduction(scenario, host.addresses));
  await host.start();
  const engine = new Engine({
    servers: [{ uri: [...host.addresses.values()][0] as string, creds: { type: 'insecure' }, callCreds: [] }],
    node: { id: scenario.nodeId, userAgentName: 'xds-inspect', userAgentVersion: env.version },
    seed: 1,
  });
  const session = new Session(engine, {
    clock: env.clock,
    transport: new GrpcTransport(),
    dns: systemDns,
    log: { append: (event) => env.stdout.write(renderer.render(eventLine(event))) },
  });
  for (const [watcher, one] of watched(scenario).entries()) {
    session.dispatch({ kind: 'watch', scope: SCOPE, watcher, ...one });
  }
  const unmet = await untilDone(done, scenario.steps.length > 0, env);
  session.close();
  host.close();
  if (unmet === undefined) return EXIT.interrupted;
  env.stdout.write(closing(path, env.program));
  return unmet === 0 ? EXIT.ok : EXIT.findings;
}

function storyPath(story: string, env: CliEnvironment): string {
  if (/\.ya?ml$/.test(story)) return story;
  const stories = builtInStories(env);
  if (stories.includes(story)) return builtInPath(story, env);
  throw new Failure(
    EXIT.usage,
    `no built-in story "${story}"${didYouMean(story, stories)}: there ${stories.length === 1 ? 'is' : 'are'} ${stories.join(', ')}; a file needs its ending .yaml`,
  );
}

/** Everything that the first server holds: the client asks for these by name. */
function watched(scenario: Scenario): { typeUrl: string; name: string }[] {
  const holdings = scenario.servers[0]?.holdings ?? [];
  return holdings.flatMap(({ typeUrl, resources }) =>
    resources.map((resource) => ({ typeUrl, name: sentName(resource) })),
  );
}

/** Waits for the script and what follows from its last step; the number of expectations not met, or `undefined` if interrupted. */
function untilDone(done: Promise<number>, hasScript: boolean, env: CliEnvironment): Promise<number | undefined> {
  return new Promise((resolve) => {
    let cancel = (): void => {};
    const stopListening = env.onInterrupt(() => {
      cancel();
      resolve(undefined);
    });
    const end = (unmet: number): void => {
      stopListening();
      resolve(unmet);
    };
    const later = (millis: number, unmet: number): void => {
      cancel = env.clock.wakeAt(env.clock.now() + millis, () => end(unmet));
    };
    if (hasScript) void done.then((unmet) => later(QUIET_MS, unmet));
    else later(WITHOUT_SCRIPT_MS, 0);
  });
}

function introduction(scenario: Scenario, addresses: ReadonlyMap<string, string>): string {
  const servers = [...addresses].map(([name, address]) => `${visible(name)} on ${address}`).join(', ');
  return `${visible(scenario.title)}\n\nThe control plane: ${servers}. Below, → is a request and ← a response; times are UTC.\n`;
}

const WIDTH = 96;

function wrapped(text: string): string {
  const lines = [''];
  for (const word of visible(text).split(' ')) {
    const line = lines.at(-1) as string;
    if (line.length + word.length >= WIDTH) lines.push(word);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  return lines.join('\n');
}

function closing(path: string, program: string): string {
  return `\nNext:\n  ${program} serve ${path}   this control plane, for a client of yours\n  ${program} --help\n`;
}
