import { EXIT, type ExitCode } from '../../base/exit-codes.js';
import { UsageError } from '../../base/failure.js';
import { didYouMean } from '../../base/nearest.js';
import { open } from '../../inspect/inspection.js';
import type { ClientSetup } from '../../inspect/source.js';
import { waitOnClock } from '../../inspect/until.js';
import { builtInPath, builtInScenarios } from '../../io/built-in-scenarios.js';
import { ControlPlaneHost } from '../../io/control-plane-host.js';
import type { CliEnvironment } from '../../io/environment.js';
import { livePorts } from '../../io/live-client.js';
import { loadScenario } from '../../io/load-scenario.js';
import { ControlPlane } from '../../scenario/control-plane.js';
import { sentName } from '../../scenario/encode-response.js';
import type { Scenario } from '../../scenario/scenario.js';
import type { DemoInput } from '../commands/demo.js';
import { Printer } from '../printer.js';
import { clientFor } from './connect.js';
import { FOREVER_MS } from './show.js';

const SCOPE = 'demo';

/** The duration of a scenario without a script. */
const WITHOUT_SCRIPT_MS = 3000;

/** Time for the client to respond to the last step. */
const LAST_RESPONSE_MS = 150;

/** `demo <scenario>`: runs a scenario over real connections and prints the events of a client. */
export async function demoScenario(input: DemoInput & { scenario: string }, env: CliEnvironment): Promise<ExitCode> {
  const out = new Printer(input, env);
  const path = scenarioPath(input.scenario, env);
  const scenario = await loadScenario(path);
  const print = await out.stream('demoScenario', 'text');
  const printPlane = await out.stream('plane', 'text');
  let done: { at: number; unmet: number } | undefined;
  let onDone = (): void => {};
  const host = new ControlPlaneHost(scenario, new ControlPlane(scenario), {
    host: '127.0.0.1',
    port: 0,
    clock: env.clock,
    onEvent: (event) => {
      if (event.kind === 'said') print(event);
      if (event.kind === 'unmet') printPlane(event);
      if (event.kind !== 'script-done') return;
      done = { at: env.clock.now() + LAST_RESPONSE_MS, unmet: event.unmet };
      onDone();
    },
    onFailure: (error) => out.fail(error.message),
  });
  await host.reserve();
  print({ kind: 'title', title: scenario.title, addresses: host.addresses });
  await host.start();
  const [address = ''] = host.addresses.values();
  const client = await clientOf(scenario, address, env);
  const inputs = subscriptions(scenario).map((one, watcher) => ({
    kind: 'watch' as const,
    scope: SCOPE,
    watcher,
    ...one,
  }));
  const inspection = await open({ kind: 'live', client, ports: await livePorts(client, env), inputs });
  inspection.events.subscribe(await out.stream('lines', 'lines'));
  inspection.start();
  const ending = await waitOnClock(
    env.clock,
    (changed) => {
      onDone = changed;
      return () => {};
    },
    (now) => ({ isMet: done !== undefined && now >= done.at, nextCheck: done?.at }),
    { limit: scenario.steps.length > 0 ? FOREVER_MS : WITHOUT_SCRIPT_MS, onInterrupt: env.onInterrupt },
  );
  inspection.close();
  host.close();
  if (ending === 'interrupted') return EXIT.interrupted;
  print({ kind: 'next', path, program: env.program });
  return (done?.unmet ?? 0) === 0 ? EXIT.ok : EXIT.findings;
}

/** A client of the first server. It ignores the environment. */
async function clientOf({ nodeId }: Scenario, server: string, env: CliEnvironment): Promise<ClientSetup> {
  const none = { bootstrap: undefined, cacert: undefined, cert: undefined, key: undefined, userAgent: undefined };
  const input = { ...none, server, plaintext: true, nodeId, nodeMetadata: [], as: 'spec' as const };
  const client = await clientFor(input, new Printer({ color: 'never' }, { ...env, variables: {} }));
  return { ...client, environment: { ...client.environment, seed: 1 } };
}

function scenarioPath(name: string, env: CliEnvironment): string {
  if (/\.ya?ml$/.test(name)) return name;
  const names = builtInScenarios(env);
  if (names.includes(name)) return builtInPath(name, env);
  throw new UsageError(
    `no built-in scenario "${name}"${didYouMean(name, names)}; built-in: ${names.join(', ')}; a scenario file must end in .yaml`,
  );
}

/** Subscriptions to all resources of the first server, by name. */
function subscriptions(scenario: Scenario): { typeUrl: string; name: string }[] {
  const servedTypes = scenario.servers[0]?.servedTypes ?? [];
  return servedTypes.flatMap(({ typeUrl, resources }) =>
    resources.map((resource) => ({ typeUrl, name: sentName(resource) })),
  );
}
