import { dirname, resolve } from 'node:path';
import type { LocatedProblem } from '../../base/document.js';
import { UsageError } from '../../base/failure.js';
import { InputProblem } from '../../base/input-problem.js';
import { checkedTargets, checksByClient } from '../../inspect/expect/check-clients.js';
import { type CheckClient, type CheckRun, checkLimits, drillsOf, liveRun } from '../../inspect/expect/check-run.js';
import type { FilePosition } from '../../inspect/expect/expectations.js';
import { observeTargets } from '../../inspect/expect/observe-targets.js';
import { drillLimit, runDrills } from '../../inspect/expect/run-drills.js';
import { type CheckedTarget, TargetWatch } from '../../inspect/expect/target-watch.js';
import { open } from '../../inspect/inspection.js';
import { resolverOf } from '../../inspect/resolve-targets.js';
import type { ClientSetup, LiveSource, Recorder } from '../../inspect/source.js';
import { livePorts } from '../../io/live-client.js';
import { withProgress } from '../../io/progress.js';
import { joinRecorders } from '../../io/recorder.js';
import { startRecorders } from '../../io/recorders.js';
import { serveState } from '../../io/serve-state.js';
import { settlingText } from '../../view/progress-text.js';
import { visibleShort } from '../../view/visible-text.js';
import type { CheckInput } from '../commands/check.js';
import type { Printer } from '../printer.js';
import { badFile, type ExpectationsFile } from './check-file.js';
import { clientFor, csdsStates } from './connect.js';
import type { RequestedPage } from './page.js';
import { wireOn } from './show.js';

/** Connects, observes all targets of a file until they can be evaluated, and then runs the fallback drills. */
export async function observeLive(
  source: ExpectationsFile,
  input: CheckInput,
  out: Printer,
  page?: RequestedPage,
): Promise<CheckRun> {
  const { env } = out;
  const wire = input.verbose ? await wireOn(out) : undefined;
  const clients = await openClients(source, input, out, page);
  const watches = clients.map(({ watch }) => watch);
  const inspections = watches.map(({ inspection }) => inspection);
  if (wire !== undefined) for (const { events } of inspections) events.subscribe(wire);
  const close = await serveState(
    { csds: () => inspections.flatMap(csdsStates), metrics: inspections },
    input,
    out,
    () => {
      for (const inspection of inspections) inspection.close();
    },
  );
  const { limit, observeMs } = checkLimits(source.file, clients, input.timeout);
  const observed = await withProgress(
    { ...input, limit: limit + observeMs },
    env,
    (line) => line.show((left) => settlingText(inspections, left)),
    (wait) => observeTargets(watches, observeMs, env.clock, { ...wait, limit }),
  );
  close();
  const drilled = drillsOf(clients, observed);
  const names = drilled.map(({ check }) => visibleShort(check.target)).join(', ');
  const drills = await withProgress(
    { ...input, limit: drillLimit(drilled) },
    env,
    (line) => line.showText(`fallback drill of ${names}`),
    (wait) => runDrills(drilled, env.clock, wait, wire),
  );
  return liveRun(source.file, observed, drills, limit);
}

/** Reads all bootstraps and resolves all targets before the first connection. */
async function openClients(
  source: ExpectationsFile,
  input: CheckInput,
  out: Printer,
  page: RequestedPage | undefined,
): Promise<CheckClient[]> {
  const problems: LocatedProblem[] = [];
  const groups: { client: ClientSetup; targets: CheckedTarget[] }[] = [];
  const below = (name: string): string => resolve(dirname(source.path), name);
  for (const { settings, checks, at } of checksByClient(source.file, input, below)) {
    const client = await clientOf(settings, at, problems, out);
    if (client === undefined) continue;
    const targets = checkedTargets(checks, resolverOf(client), settings.defaultAuthority, problems);
    groups.push({ client, targets });
  }
  if (problems.length > 0) throw await badFile(source, problems, out);
  const files = await startRecorders(groups, input, out);
  const recorders: (Recorder | undefined)[] = [];
  for (const [i, { client, targets }] of groups.entries()) {
    const names = targets.map(({ check }) => check.target).join(', ');
    recorders.push(joinRecorders([files[i], await page?.record(names, client, undefined)]));
  }
  return await Promise.all(
    groups.map(async ({ client, targets }, i) => {
      const inputs = targets.map(({ follow }) => follow);
      const live: LiveSource = { kind: 'live', client, ports: await livePorts(client, out.env), inputs };
      const inspection = await open({ ...live, recorder: recorders[i] });
      return { watch: new TargetWatch(targets, inspection), source: live };
    }),
  );
}

const OTHER_SERVERS =
  'this file names a control plane, and only that of the command line may be used: remove the setting, or run xds-inspect check';

/** An invalid bootstrap that the file names is a problem of the file. One from the command line is not. */
async function clientOf(
  input: CheckInput,
  at: FilePosition | undefined,
  problems: LocatedProblem[],
  out: Printer,
): Promise<ClientSetup | undefined> {
  if (at !== undefined && out.env.onlyGivenServers === true) {
    problems.push({ path: [], message: OTHER_SERVERS, ...at });
    return undefined;
  }
  try {
    return await clientFor(input, out);
  } catch (error) {
    if (at === undefined || !(error instanceof InputProblem || error instanceof UsageError)) throw error;
    problems.push({ path: [], message: error.message.replaceAll('\n', '; '), ...at });
    return undefined;
  }
}
