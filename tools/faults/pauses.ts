import { setTimeout as sleep } from 'node:timers/promises';
import { bootstrap } from './client/bootstrap.ts';
import { libraryProcess, type Running, watchCommand } from './clients.ts';
import { checkConverged } from './converged.ts';
import { between, type Lane, type LaneResult, runLanes } from './lanes.ts';
import { PlaneProcess } from './plane/plane-process.ts';
import { programs } from './programs.ts';
import type { Suite, SuiteContext } from './suite.ts';

/** Longer than the resource timer (15 s) and the connection timeout (20 s). */
const LONG_MS = 22_000;

type Stoppable = Running & { client: { signal(signal: NodeJS.Signals): void } };

interface PauseLane {
  name: string;
  /** Who is stopped, or both in turns. */
  stopped: 'client' | 'plane' | 'both';
  start(context: SuiteContext, program: string, uri: string): Stoppable;
  /** Stops begin when the client starts, so that the timers of its first requests run meanwhile. */
  isEarly?: boolean;
}

const startLibrary: PauseLane['start'] = (_context, program, uri) => libraryProcess(program, bootstrap(uri));
const startWatch: PauseLane['start'] = (context, _program, uri) => watchCommand(context.root, bootstrap(uri));

const LANES: readonly PauseLane[] = [
  { name: 'stopped control plane', stopped: 'plane', start: startWatch },
  { name: 'stopped watch', stopped: 'client', start: startWatch },
  { name: 'stopped library, from its start', stopped: 'client', start: startLibrary, isEarly: true },
  { name: 'both in turns', stopped: 'both', start: startLibrary },
];

/** SIGSTOP and SIGCONT of the control plane and of the client, while versions change. */
export const pauses: Suite = {
  name: 'pauses',
  summary: 'SIGSTOP and SIGCONT of the control plane and of the client while versions change',
  quick: true,
  run: async (context) => {
    const built = await programs(context.root);
    const lanes = LANES.map(
      (lane): Lane => ({ name: lane.name, run: (random) => run(context, built.plane, built.client, lane, random) }),
    );
    return await runLanes(context, lanes);
  },
};

async function run(
  context: SuiteContext,
  program: string,
  clientProgram: string,
  lane: PauseLane,
  random: () => number,
): Promise<LaneResult> {
  const rounds = context.quick ? 3 : 20;
  const plane = await PlaneProcess.start(program);
  const client = lane.start(context, clientProgram, plane.address);
  try {
    if (!lane.isEarly) await plane.streamAfter(0);
    for (let round = 1; round <= rounds; round++) {
      const isPlane = lane.stopped === 'plane' || (lane.stopped === 'both' && round % 2 === 0);
      const signal = (name: NodeJS.Signals): void => (isPlane ? plane.signal(name) : client.client.signal(name));
      signal('SIGSTOP');
      for (let left = between(random, 1, 5); left > 0; left--) {
        plane.serve(plane.revision + between(random, 1, 3));
        await sleep(between(random, 0, 50));
      }
      // A stopped client also misses the end of its connection.
      if (!isPlane && random() < 0.3) await plane.restart();
      await sleep(!context.quick && round % 5 === 0 ? LONG_MS : between(random, 100, 600));
      signal('SIGCONT');
      await sleep(between(random, 0, 200));
    }
    const checked = await checkConverged(plane, [client]);
    const failures = [...checked.failures, ...(await client.stop())];
    return { ...checked, failures, counts: { rounds, stops: rounds } };
  } finally {
    client.client.signal('SIGCONT');
    await client.stop();
    await plane.kill();
  }
}
