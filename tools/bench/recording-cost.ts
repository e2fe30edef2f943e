import { bundled } from './bundle.ts';
import { arrive, inTurns, medians } from './client/run.ts';
import type { Figure } from './measure.ts';

/** Clusters, each with a load assignment. */
const CLUSTERS = 5000;
const RUNS = 15;

/** The CPU time that recording adds to a client. */
export async function recordingCost(root: string): Promise<Figure[]> {
  const [server, client] = await Promise.all([bundled(root, 'client/server'), bundled(root, 'client/recording')]);
  const commands = ['none', 'xdsrec', 'xdsrec.gz'].map((ending) => [client, ending] as const);
  const runs = await inTurns(server, CLUSTERS, commands, RUNS, arrive);
  const [without = 1, plain = 0, compressed = 0] = runs.map((all) => medians(all).cpuMs);
  const figure = (what: string, cpuMs: number, goal: number): Figure => ({
    what: `client of ${(2 * CLUSTERS).toLocaleString('en')} resources with ${what}`,
    value: { unit: 'ms', median: cpuMs },
    ratio: cpuMs / without,
    peer: 'without a recording',
    peerValue: { unit: 'ms', median: without },
    goal,
    runs: RUNS,
  });
  return [figure('a recording', plain, 1.1), figure('a compressed recording', compressed, 1.1)];
}
