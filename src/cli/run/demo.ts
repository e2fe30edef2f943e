import { EXIT, type ExitCode } from '../../base/exit-codes.js';
import { Misuse } from '../../base/failure.js';
import { didYouMean } from '../../base/nearest.js';
import { readBootstrap } from '../../bootstrap/read-bootstrap.js';
import { readSwitches } from '../../bootstrap/switches.js';
import { open } from '../../inspect/inspection.js';
import type { ClientSetup } from '../../inspect/source.js';
import { loadScenario } from '../../io/load-scenario.js';
import { PlaneHost } from '../../io/plane-host.js';
import { builtInPath, builtInStories } from '../../io/stories.js';
import { ControlPlane } from '../../scenario/control-plane.js';
import { sentName } from '../../scenario/encode-response.js';
import type { Scenario } from '../../scenario/scenario.js';
import { visible } from '../../view/visible-text.js';
import type { DemoInput } from '../commands/demo.js';
import type { CliEnvironment } from '../environment.js';
import { Printer } from '../printer.js';
import { livePorts } from './connect.js';

const SCOPE = 'demo';
const DEFAULT_STORY = 'first-look';

/** How long a scenario without a script is watched. */
const WITHOUT_SCRIPT_MS = 3000;

/** How long the client may take to answer the last step. */
const QUIET_MS = 150;

/** `demo`: plays a scenario over real connections and prints what the client sees. */
export async function demo(input: DemoInput, env: CliEnvironment): Promise<ExitCode> {
  const out = new Printer(input, env);
  const path = storyPath(input.scenario ?? DEFAULT_STORY, env);
  const scenario = loadScenario(path);
  const printPlane = await out.stream('plane', 'text');
  const printEvent = await out.stream('lines', 'lines');
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
      if (event.kind === 'unmet') printPlane(event);
      if (event.kind === 'script-done') onDone(event.unmet);
    },
    onFailure: (error) => out.say(error.message),
  });
  await host.reserve();
  env.stdout.write(introduction(scenario, host.addresses));
  await host.start();
  const [address = ''] = host.addresses.values();
  const ports = await livePorts('spec', env);
  const inputs = watched(scenario).map((one, watcher) => ({ kind: 'watch' as const, scope: SCOPE, watcher, ...one }));
  const inspection = await open({ kind: 'live', client: clientOf(scenario, address, env), ports, inputs });
  inspection.events.subscribe(printEvent);
  inspection.start();
  const unmet = await untilDone(done, scenario.steps.length > 0, env);
  inspection.close();
  host.close();
  if (unmet === undefined) return EXIT.interrupted;
  env.stdout.write(closing(path, env.program));
  return unmet === 0 ? EXIT.ok : EXIT.findings;
}

/** A client of the first server. */
function clientOf({ nodeId }: Scenario, address: string, { version }: CliEnvironment): ClientSetup {
  const xds_servers = [{ server_uri: address, channel_creds: [{ type: 'insecure' }] }];
  const text = JSON.stringify({ xds_servers, node: { id: nodeId } });
  const read = readBootstrap(new TextEncoder().encode(text), readSwitches({}, 'spec'));
  if (!read.ok) throw new Error(read.message);
  const surroundings = {
    preset: 'spec' as const,
    variables: {},
    userAgentName: 'xds-inspect',
    userAgentVersion: version,
    interfaces: new Map<string, number>(),
    seed: 1,
  };
  return { bootstrap: read.bootstrap, origin: 'demo', surroundings };
}

function storyPath(story: string, env: CliEnvironment): string {
  if (/\.ya?ml$/.test(story)) return story;
  const stories = builtInStories(env);
  if (stories.includes(story)) return builtInPath(story, env);
  throw new Misuse(
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
