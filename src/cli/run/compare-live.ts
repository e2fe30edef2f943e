import { EXIT } from '../../base/exit-codes.js';
import { Failure } from '../../base/failure.js';
import { InputProblem } from '../../base/input-problem.js';
import { PRESET_NAMES, type Preset } from '../../bootstrap/preset-names.js';
import { type ImplementationRun, observedRun } from '../../inspect/compare/implementation-run.js';
import { commonTimeLimit, untilAllSettled } from '../../inspect/compare/live-implementations.js';
import { type ClientInspection, open } from '../../inspect/inspection.js';
import { followTarget, resolverOf } from '../../inspect/resolve-targets.js';
import type { ClientSetup, Follow } from '../../inspect/source.js';
import { livePorts } from '../../io/live-client.js';
import { withProgress } from '../../io/progress.js';
import { settlingText } from '../../view/progress-text.js';
import type { CompareInput } from '../commands/compare.js';
import { Printer } from '../printer.js';
import type { ComparedSession } from './compare.js';
import { checkTargets, clientFor } from './connect.js';
import type { RequestedPage } from './page.js';

/** The client of an implementation, and the targets that it follows. */
interface Client {
  preset: Preset;
  setup: ClientSetup;
  follows: Follow[];
  /** By the target as typed. */
  unusable: Map<string, string>;
  /** The names of its targets, by the target as typed. */
  names: Map<string, string>;
}

/** A control plane may treat clients differently, so each implementation has a client of its own, at the same time. */
export async function liveSession(
  input: CompareInput,
  out: Printer,
  page: RequestedPage | undefined,
): Promise<ComparedSession> {
  checkTargets(input.targets);
  const { clients, rejected } = await clientsFor(input, out);
  const names = rowNames(input.targets, clients);
  const inspections = await Promise.all(clients.map((client) => openClient(client, input, out, page)));
  const limit = input.timeout ?? commonTimeLimit(inspections);
  const ending = await withProgress(
    { ...input, limit },
    out.env,
    (line) => line.show((left) => settlingText(inspections, left)),
    (wait) => untilAllSettled(inspections, out.env.clock, { ...wait, limit }),
  );
  const runs: ImplementationRun[] = inspections.map((inspection, i) =>
    observedRun(inspection, ending, namesIn(clients[i] as Client, names)),
  );
  for (const inspection of inspections) inspection.close();
  const all = [...runs, ...rejected];
  return {
    source: (clients[0] as Client).setup.origin,
    recordedAs: null,
    runs: PRESET_NAMES.flatMap((preset) => all.find((run) => run.preset === preset) ?? []),
    isInterrupted: ending === 'interrupted',
  };
}

/** An implementation that rejects the bootstrap has no client. Fails if all of them do. */
async function clientsFor(
  input: CompareInput,
  out: Printer,
): Promise<{ clients: Client[]; rejected: ImplementationRun[] }> {
  const clients: Client[] = [];
  const rejected: ImplementationRun[] = [];
  let problem: InputProblem | undefined;
  // Remarks about flags are the same for all clients.
  const quiet = new Printer({ ...input, quiet: true }, out.env);
  for (const preset of PRESET_NAMES) {
    try {
      const setup = await clientFor({ ...input, as: preset }, clients.length === 0 ? out : quiet);
      clients.push(clientOf(preset, setup, input));
    } catch (error) {
      if (!(error instanceof InputProblem)) throw error;
      problem ??= error;
      rejected.push({ preset, failure: error.message });
    }
  }
  if (clients.length === 0 && problem !== undefined) throw problem;
  return { clients, rejected };
}

function clientOf(preset: Preset, setup: ClientSetup, { targets, defaultAuthority }: CompareInput): Client {
  const client: Client = { preset, setup, follows: [], unusable: new Map(), names: new Map() };
  for (const typed of targets) {
    const resolved = followTarget(typed, resolverOf(setup), defaultAuthority);
    if (resolved.kind === 'unusable') client.unusable.set(typed, resolved.message);
    else {
      client.follows.push(resolved);
      client.names.set(typed, resolved.target);
    }
  }
  return client;
}

/** The name of each target in the comparison. Fails if no implementation can use a target. */
function rowNames(targets: readonly string[], clients: readonly Client[]): Map<string, string> {
  const names = new Map<string, string>();
  const problems: string[] = [];
  for (const typed of targets) {
    const name = clients.flatMap((client) => client.names.get(typed) ?? [])[0];
    if (name !== undefined) names.set(typed, name);
    else problems.push(`${typed}: ${clients[0]?.unusable.get(typed)}`);
  }
  if (problems.length > 0) throw new Failure(EXIT.findings, problems.join('\n'));
  return names;
}

async function openClient(
  { preset, setup, follows }: Client,
  { targets }: CompareInput,
  out: Printer,
  page: RequestedPage | undefined,
): Promise<ClientInspection> {
  const recorder = await page?.record(`${preset}: ${targets.join(', ')}`, setup, undefined);
  const ports = await livePorts(setup, out.env);
  return await open({ kind: 'live', client: setup, ports, inputs: follows, recorder });
}

function namesIn(client: Client, names: ReadonlyMap<string, string>): Parameters<typeof observedRun>[2] {
  const own = new Map([...client.names].map(([typed, target]) => [target, names.get(typed) ?? target]));
  const unusable = new Map([...client.unusable].map(([typed, why]) => [names.get(typed) ?? typed, why]));
  return { unusable, nameOf: (target) => own.get(target) ?? target };
}
