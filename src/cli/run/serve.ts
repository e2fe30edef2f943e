import { existsSync, statSync } from 'node:fs';
import { EXIT, type ExitCode } from '../../base/exit-codes.js';
import { Failure } from '../../base/failure.js';
import { InputProblem } from '../../base/input-problem.js';
import { nearest } from '../../base/nearest.js';
import { reason } from '../../io/file-problem.js';
import { BindFailure } from '../../io/listening-socket.js';
import { loadScenario } from '../../io/load-scenario.js';
import { PlaneHost } from '../../io/plane-host.js';
import { readDirectory, watchDirectory } from '../../io/resource-directory.js';
import { builtInPath, builtInStories } from '../../io/stories.js';
import { bootstrapFor } from '../../scenario/bootstrap.js';
import { ControlPlane } from '../../scenario/control-plane.js';
import { holdingsOf, readResourceFiles } from '../../scenario/read-resource-files.js';
import type { Holding, Scenario } from '../../scenario/scenario.js';
import { problemLines, problemText } from '../../view/problem-text.js';
import { jsonText } from '../../view/render/json.js';
import { visible } from '../../view/visible-text.js';
import type { ServeInput } from '../commands/serve.js';
import type { CliEnvironment } from '../environment.js';
import { Printer } from '../printer.js';

/** `serve`: runs until interrupted; what happens goes to stdout, how to connect to stderr. */
export async function serve(input: ServeInput, env: CliEnvironment): Promise<ExitCode> {
  const source = sourceOf(input.source, env);
  const folder = isFolder(source) ? source : undefined;
  const initial = folder === undefined ? undefined : await loadFolder(folder, []);
  if (initial !== undefined && initial.problems.length > 0) throw new InputProblem(problemLines(initial.problems));
  const scenario = initial === undefined ? loadScenario(source) : folderScenario(initial.holdings);
  const out = new Printer(input, env);
  const print = await out.stream('plane', input.output);
  const host = new PlaneHost(scenario, new ControlPlane(scenario), {
    host: input.host,
    port: input.port,
    clock: env.clock,
    onEvent: print,
    onFailure: (error) => out.say(error.message),
  });
  await start(host);
  tellHowToConnect(scenario, host, env);
  const stopWatching = folder === undefined ? () => {} : follow(folder, initial?.holdings ?? [], host, env);
  await new Promise<void>((stop) => env.onInterrupt(stop));
  stopWatching();
  host.close();
  return EXIT.interrupted;
}

/** What is there by that name, else the built-in story of that name. */
function sourceOf(typed: string, env: CliEnvironment): string {
  if (existsSync(typed)) return typed;
  const stories = builtInStories(env);
  if (stories.includes(typed)) return builtInPath(typed, env);
  const near = nearest(typed, stories);
  if (near === undefined) return typed;
  throw new InputProblem(`${typed}: no such file (did you mean the built-in story "${near}"?)`);
}

async function start(host: PlaneHost): Promise<void> {
  try {
    await host.reserve();
    await host.start();
  } catch (error) {
    host.close();
    if (error instanceof BindFailure) throw new Failure(EXIT.unavailable, error.message);
    throw error;
  }
}

function tellHowToConnect(scenario: Scenario, host: PlaneHost, env: CliEnvironment): void {
  for (const [name, address] of host.addresses) env.stderr.write(`${visible(name)} on ${address}\n`);
  const reachable = new Map([...host.addresses].map(([name, address]) => [name, fromHere(address)]));
  const bootstrap = jsonText(bootstrapFor(scenario, reachable), true).trimEnd().replaceAll("'", "'\\''");
  env.stderr.write(`GRPC_XDS_BOOTSTRAP_CONFIG='${visible(bootstrap)}'\nStop with Ctrl-C.\n`);
}

/** An address that listens everywhere is reached from this machine over loopback. */
function fromHere(address: string): string {
  return address.replace(/^0\.0\.0\.0:/, '127.0.0.1:').replace(/^\[::\]:/, '[::1]:');
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch (error) {
    throw new InputProblem(`${path}: cannot be read: ${reason(error)}`);
  }
}

function folderScenario(holdings: Holding[]): Scenario {
  return {
    title: '',
    nodeId: 'xds-inspect',
    authorities: new Map(),
    steps: [],
    servers: [{ name: 'primary', state: 'listening', holdings, triggers: [] }],
  };
}

async function loadFolder(folder: string, before: Holding[]): Promise<{ holdings: Holding[]; problems: string[] }> {
  try {
    const { resources, problems } = readResourceFiles(await readDirectory(folder));
    return {
      holdings: holdingsOf(resources, before),
      problems: problems.map((problem) => problemText(problem.file, problem)),
    };
  } catch (error) {
    const { path = folder } = error as NodeJS.ErrnoException;
    throw new InputProblem(`${path}: cannot be read: ${reason(error)}`);
  }
}

/** Serves a folder's new contents whenever they change; while a file is broken, the last good state stays. */
function follow(folder: string, initial: Holding[], host: PlaneHost, env: CliEnvironment): () => void {
  let held = initial;
  const reload = async (): Promise<void> => {
    const { holdings, problems } = await loadFolder(folder, held);
    for (const problem of problems) env.stderr.write(`${problem}\n`);
    if (problems.length > 0) return;
    const changed = holdings.filter((holding) => !held.includes(holding));
    held = holdings;
    if (changed.length > 0) host.tell({ kind: 'holdings', server: 'primary', holdings: changed });
  };
  // One after the other, so that an older reading never replaces a newer one.
  let reading = Promise.resolve();
  const queue = (): void => {
    reading = reading
      .then(reload)
      .catch((error: Error) => env.stderr.write(`${visible(error.message)}\n`)) as Promise<void>;
  };
  const stop = watchDirectory(folder, queue);
  // What changed between the first reading and the start of the watch.
  queue();
  return stop;
}
