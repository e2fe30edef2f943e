import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { didYouMean } from '../../base/nearest.js';
import { Engine } from '../../engine/engine.js';
import { GrpcTransport } from '../../io/grpc-transport.js';
import { PlaneHost } from '../../io/plane-host.js';
import { systemDns } from '../../io/system-dns.js';
import { LineRenderer } from '../../render/line.js';
import { ControlPlane } from '../../scenario/control-plane.js';
import { sentName } from '../../scenario/encode-response.js';
import type { Scenario } from '../../scenario/scenario.js';
import { Session } from '../../session/session.js';
import { eventLine } from '../../view/event-line.js';
import { planeLine } from '../../view/plane-line.js';
import { visible } from '../../view/visible-text.js';
import { type ColorChoice, useColor } from '../color.js';
import type { Arguments } from '../command.js';
import type { CliEnvironment } from '../environment.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import { Failure } from '../failure.js';
import { loadScenario } from './load-scenario.js';

const SCOPE = 'demo';
const DEFAULT_STORY = 'first-look';

/** Long enough for every built-in story; one that has not ended by then is cut short. */
const LONGEST_MS = 9000;

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
    onFailure: (error) => env.stderr.write(`${error.message}\n`),
  });
  await host.reserve();
  env.stdout.write(introduction(scenario, host.addresses));
  await host.start();
  const engine = new Engine({
    server: { uri: [...host.addresses.values()][0] as string },
    node: { id: scenario.nodeId, userAgentName: 'xds-inspect', userAgentVersion: env.version },
    seed: 1,
  });
  const session = new Session(engine, {
    clock: env.clock,
    transport: new GrpcTransport(),
    dns: systemDns,
    log: { append: (event) => env.stdout.write(renderer.render(eventLine(event))) },
  });
  for (const { typeUrl, name } of watched(scenario)) session.dispatch({ kind: 'watch', scope: SCOPE, typeUrl, name });
  const ending = await firstOf(done, env);
  session.close();
  host.close();
  if (ending === 'interrupted') return EXIT.interrupted;
  env.stdout.write(closing(path));
  return ending === 0 ? EXIT.ok : EXIT.findings;
}

function storyPath(story: string, env: CliEnvironment): string {
  if (/\.ya?ml$/.test(story)) return story;
  const folder = join(env.packageRoot, 'fixtures/scenarios/demo');
  const stories = readdirSync(folder).map((file) => basename(file, '.yaml'));
  if (stories.includes(story)) return join(folder, `${story}.yaml`);
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

/** The number of expectations that were not met, or what ended the story before that. */
function firstOf(done: Promise<number>, env: CliEnvironment): Promise<number | 'interrupted' | 'cut short'> {
  return new Promise((resolve) => {
    const stopListening = env.onInterrupt(() => settle('interrupted'));
    const cancel = env.clock.wakeAt(env.clock.now() + LONGEST_MS, () => settle('cut short'));
    const settle = (ending: number | 'interrupted' | 'cut short'): void => {
      stopListening();
      cancel();
      resolve(ending);
    };
    void done.then(settle);
  });
}

function introduction(scenario: Scenario, addresses: ReadonlyMap<string, string>): string {
  const servers = [...addresses].map(([name, address]) => `${name} on ${address}`).join(', ');
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

function closing(path: string): string {
  return `\nNext:\n  xds-inspect serve ${path}   this control plane, for a client of yours\n  xds-inspect --help\n`;
}
