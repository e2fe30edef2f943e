import { setTimeout as sleep } from 'node:timers/promises';
import { bootstrap } from './client/bootstrap.ts';
import { library, type Running, watchCommand } from './clients.ts';
import { checkConverged } from './converged.ts';
import { between, type Lane, type LaneResult, runLanes } from './lanes.ts';
import { PlaneProcess } from './plane/plane-process.ts';
import { programs } from './programs.ts';
import type { Suite, SuiteContext } from './suite.ts';

const LANES = 4;
const ROUNDS = { quick: 12, full: 1000 };

/** In one of so many rounds, the control plane is killed before a client has connected. */
const EARLY = 5;

/** SIGKILL of the control plane at random moments, while versions change. */
export const restarts: Suite = {
  name: 'restarts',
  summary: 'SIGKILL and restart of the control plane while versions change',
  quick: true,
  run: async (context) => {
    const { plane } = await programs(context.root);
    const rounds = (context.quick ? ROUNDS.quick : ROUNDS.full) / LANES;
    const lanes = Array.from({ length: LANES }, (_, i): Lane => {
      // Every lane has a client of the library; the first one a command as well.
      const start = (uri: string): Running[] => [
        library(bootstrap(uri)),
        ...(i === 0 ? [watchCommand(context.root, bootstrap(uri))] : []),
      ];
      return { name: `lane ${i + 1}`, run: (random) => lane(context, plane, start, rounds, random) };
    });
    return await runLanes(context, lanes);
  },
};

async function lane(
  context: SuiteContext,
  program: string,
  start: (uri: string) => Running[],
  rounds: number,
  random: () => number,
): Promise<LaneResult> {
  const plane = await PlaneProcess.start(program);
  const clients = start(plane.address);
  try {
    for (let round = 1; round <= rounds; round++) {
      const before = plane.log.length;
      await plane.restart();
      if (between(random, 1, EARLY) > 1) await plane.streamAfter(before);
      for (let left = between(random, 0, 6); left > 0; left--) {
        plane.serve(plane.revision + between(random, 1, 3));
        await sleep(between(random, 0, 30));
      }
      // The next restart kills the process, often while requests and responses are on their way.
      if (round % 50 === 0) context.progress(`restarts: ${round} of ${rounds} in this lane`);
    }
    const checked = await checkConverged(plane, clients);
    const stopped = await Promise.all(clients.map((client) => client.stop()));
    return { ...checked, failures: [...checked.failures, ...stopped.flat()], counts: { rounds, kills: rounds } };
  } finally {
    await Promise.allSettled(clients.map((client) => client.stop()));
    await plane.kill();
  }
}
