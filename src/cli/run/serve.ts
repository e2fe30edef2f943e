import { existsSync } from 'node:fs';
import { EXIT, type ExitCode } from '../../base/exit-codes.js';
import { InputProblem } from '../../base/input-problem.js';
import { nearest } from '../../base/nearest.js';
import { builtInPath, builtInScenarios } from '../../io/built-in-scenarios.js';
import { ControlPlaneHost } from '../../io/control-plane-host.js';
import type { CliEnvironment } from '../../io/environment.js';
import { loadScenario } from '../../io/load-scenario.js';
import { ServedFolder } from '../../io/served-folder.js';
import { bootstrapFor } from '../../scenario/bootstrap.js';
import { ControlPlane } from '../../scenario/control-plane.js';
import type { Scenario } from '../../scenario/scenario.js';
import { jsonText } from '../../view/render/json.js';
import type { ServeInput } from '../commands/serve.js';
import { Printer } from '../printer.js';

/** `serve`: runs until interrupted. Events go to stdout, the addresses and the bootstrap to stderr. */
export async function serve(input: ServeInput, env: CliEnvironment): Promise<ExitCode> {
  const source = sourceOf(input.source, env);
  const folder = await ServedFolder.open(source);
  const scenario = folder?.scenario ?? (await loadScenario(source));
  const out = new Printer(input, env);
  const print = await out.stream('plane', input.output);
  const host = new ControlPlaneHost(scenario, new ControlPlane(scenario), {
    host: input.host,
    port: input.port,
    clock: env.clock,
    onEvent: print,
    onFailure: (error) => out.fail(error.message),
  });
  await start(host);
  for (const line of folder?.remarks ?? []) out.printLine(line);
  printConnectionHelp(scenario, host, out);
  const stopWatching = folder?.follow(
    host,
    (problems) => out.fail(problems),
    (line) => out.printLine(line),
  );
  await new Promise<void>((stop) => env.onInterrupt(stop));
  stopWatching?.();
  host.close();
  return EXIT.interrupted;
}

/** The path of a file or folder, or else of the built-in scenario with that name. */
function sourceOf(typed: string, env: CliEnvironment): string {
  if (existsSync(typed)) return typed;
  const stories = builtInScenarios(env);
  if (stories.includes(typed)) return builtInPath(typed, env);
  const near = nearest(typed, stories);
  if (near === undefined) return typed;
  throw new InputProblem(`${typed}: no such file (did you mean the built-in scenario "${near}"?)`);
}

async function start(host: ControlPlaneHost): Promise<void> {
  try {
    await host.reserve();
    await host.start();
  } catch (error) {
    host.close();
    throw error;
  }
}

function printConnectionHelp(scenario: Scenario, host: ControlPlaneHost, out: Printer): void {
  for (const [name, address] of host.addresses) out.printLine(`xDS server ${name} on ${address}`);
  const reachable = new Map([...host.addresses].map(([name, address]) => [name, viaLoopback(address)]));
  const bootstrap = jsonText(bootstrapFor(scenario, reachable), true).trimEnd().replaceAll("'", "'\\''");
  out.printWhole(`GRPC_XDS_BOOTSTRAP_CONFIG='${bootstrap}'`);
  out.printLine('Stop with Ctrl-C.');
}

/** Clients on this machine reach a wildcard address over loopback. */
function viaLoopback(address: string): string {
  return address.replace(/^0\.0\.0\.0:/, '127.0.0.1:').replace(/^\[::\]:/, '[::1]:');
}
