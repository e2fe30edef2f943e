import { setTimeout as sleep } from 'node:timers/promises';
import { bootstrap } from '../client/bootstrap.ts';
import { cli } from '../client/process-client.ts';
import { libraryProcess } from '../clients.ts';
import { checkConverged } from '../converged.ts';
import { between, type Lane, type LaneResult, runLanes } from '../lanes.ts';
import { LineProcess } from '../line-process.ts';
import { PlaneProcess } from '../plane/plane-process.ts';
import { type Programs, programs } from '../programs.ts';
import type { Suite, SuiteContext } from '../suite.ts';
import { CLOCK_CASES, type ClockCase, EXPECTATIONS } from './cases.ts';
import { FakeClock, fakeTimeLibrary } from './fake-clock.ts';

const HOUR = 3600;

/** Far more than the durations of the cases, and far less than the steps of the clock. */
const PATIENCE_MS = 90_000;

/** Steps of the wall clock while commands and the library run. */
export const clockSuite: Suite = {
  name: 'clock',
  summary: 'steps of the wall clock by an hour while commands wait and clients reconnect',
  quick: true,
  run: async (context) => {
    const library = fakeTimeLibrary();
    if (library === undefined)
      return { counts: {}, failures: [], skipped: ['libfaketime is not installed (Debian package libfaketime)'] };
    const built = await programs(context.root);
    const lanes = CLOCK_CASES.map(
      (one, i): Lane => ({
        name: one.name,
        run: () => runCase(context, built, new FakeClock(library, context.folder, `case-${i}`), one),
      }),
    );
    const client: Lane = {
      name: 'library',
      run: (random) => runLibrary(context, built, new FakeClock(library, context.folder, 'library'), random),
    };
    return await runLanes(context, [...lanes, client]);
  },
};

async function runCase(
  { root }: SuiteContext,
  built: Programs,
  clock: FakeClock,
  { args, exit, isPlaneStopped = false, run }: ClockCase,
): Promise<LaneResult> {
  const plane = await PlaneProcess.start(built.plane);
  if (isPlaneStopped) plane.signal('SIGSTOP');
  const lines: string[] = [];
  const env = { ...clock.env, GRPC_XDS_BOOTSTRAP_CONFIG: bootstrap(plane.address) };
  const command = new LineProcess(cli(root, ...args), (line) => lines.push(line), env);
  if (args.includes('-')) command.write(EXPECTATIONS);
  command.end();
  const failures: string[] = [];
  try {
    await run({
      plane,
      lines,
      stderr: () => command.stderr,
      step: (seconds) => clock.step(seconds),
      interrupt: () => command.signal('SIGINT'),
    });
    const ended = await command.ended(`${args.join(' ')} after the step`, PATIENCE_MS);
    if (ended !== exit) failures.push(`it ended with ${ended} instead of ${exit}: ${command.stderr}`);
  } catch (error) {
    failures.push((error as Error).message);
  } finally {
    await command.kill();
    await plane.kill();
    clock.remove();
  }
  return { failures, events: 0, streams: 0, transitions: 0, counts: { commands: 1, steps: 1 } };
}

/** The clock of a client steps back and forth while versions change and the control plane restarts. */
async function runLibrary(
  context: SuiteContext,
  built: Programs,
  clock: FakeClock,
  random: () => number,
): Promise<LaneResult> {
  const rounds = context.quick ? 4 : 40;
  const plane = await PlaneProcess.start(built.plane);
  const client = libraryProcess(built.client, bootstrap(plane.address), { env: clock.env });
  try {
    for (let round = 1; round <= rounds; round++) {
      clock.step(between(random, -HOUR, HOUR));
      plane.serve(plane.revision + between(random, 1, 3));
      await sleep(between(random, 0, 100));
      if (round % 4 !== 0) continue;
      const before = plane.log.length;
      await plane.restart();
      await plane.streamAfter(before, PATIENCE_MS);
    }
    const checked = await checkConverged(plane, [client]);
    return { ...checked, failures: [...checked.failures, ...(await client.stop())], counts: { steps: rounds } };
  } finally {
    await client.client.kill();
    await plane.kill();
    clock.remove();
  }
}
