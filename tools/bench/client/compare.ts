import { join } from 'node:path';
import { bundled } from '../bundle.ts';
import { type Figure, median } from '../measure.ts';
import type { Update } from './messages.ts';
import { arrive, type Command, inTurns, type Measured, medians, updateCpu } from './run.ts';

const PEER = '@grpc/grpc-js-xds';

/** So many clusters, and the share of the peer's CPU time that ours may take. */
const SIZES: { count: number; runs: number; goal: number }[] = [
  { count: 10, runs: 5, goal: 1 / 6 },
  { count: 100, runs: 5, goal: 1 / 6 },
  { count: 1000, runs: 5, goal: 1 / 6 },
  { count: 5000, runs: 3, goal: 1 / 25 },
];
const MEMORY_GOAL = 0.5;
const UPDATED = 1000;
const UPDATED_RUNS = 3;
const UPDATE_GOAL = 1 / 20;
const GROWTH_RUNS = 5;
/** Ten times the clusters: CPU time may grow with the power of 1.1. */
const GROWTH_GOAL = 10 ** 0.1;

interface Files {
  server: string;
  ours: Command;
  /** The peer as a program uses it, and only the part of it that does what ours does. */
  channel: Command;
  manager: Command;
}

/** CPU time of one update of each type. */
type Updates = Record<Update['type'], number>;

/** Our client and the peer's, each in a process of its own, against the same server: a listener and all that it leads to. */
export async function clients(root: string): Promise<Figure[]> {
  const [server, ours, peer] = await Promise.all([
    bundled(root, 'client/server'),
    bundled(root, 'client/ours'),
    bundled(root, 'client/peer'),
  ]);
  const files: Files = {
    server,
    ours: [ours, join(root, 'dist')],
    channel: [peer, 'channel'],
    manager: [peer, 'manager'],
  };
  const figures: Figure[] = [];
  for (const size of SIZES) figures.push(...(await arrival(files, size)));
  return [...figures, ...(await updates(files)), await growth(files)];
}

const figure = (what: string, unit: string, mine: number, theirs: number, goal: number, runs: number): Figure => ({
  what: `${what} (${mine.toPrecision(3)} ${unit})`,
  ratio: mine / theirs,
  peer: `\`${PEER}\` (${theirs.toPrecision(3)} ${unit})`,
  goal,
  runs,
});

/** From the start of a process until it has acknowledged everything. */
async function arrival(
  { server, ours, channel }: Files,
  { count, runs, goal }: (typeof SIZES)[number],
): Promise<Figure[]> {
  const all = await inTurns(server, count, [ours, channel], runs, arrive);
  const [mine, theirs] = all.map(medians) as [Measured, Measured];
  console.log(`client of ${count} clusters: ours ${summary(mine)}; ${PEER} ${summary(theirs)}`);
  const what = `client of ${count} clusters, `;
  return [
    figure(`${what}CPU time until all is acknowledged`, 's', mine.cpuMs / 1000, theirs.cpuMs / 1000, goal, runs),
    figure(`${what}peak memory`, 'MiB', mine.peakMiB, theirs.peakMiB, MEMORY_GOAL, runs),
  ];
}

function summary({ wallMs, cpuMs, peakMiB }: Measured): string {
  return `${wallMs.toFixed(0)} ms, CPU ${cpuMs.toFixed(0)} ms, ${peakMiB.toFixed(0)} MiB`;
}

/** One of many resources changes. All clusters are sent for that, but only one load assignment. */
async function updates({ server, ours, channel, manager }: Files): Promise<Figure[]> {
  const measure = (command: Command, times: number): Promise<Updates[][]> =>
    inTurns(server, UPDATED, [command], UPDATED_RUNS, async (client, plane): Promise<Updates> => {
      await arrive(client, plane);
      return { EDS: await updateCpu('EDS', client, plane, times), CDS: await updateCpu('CDS', client, plane, times) };
    });
  const [[mine = []], [asChannel = []], [alone = []]] = [
    await measure(ours, 30),
    await measure(channel, 3),
    await measure(manager, 30),
  ] as [Updates[][], Updates[][], Updates[][]];
  const compare = (what: string, type: Update['type'], peer: Updates[], which: string, goal: number): Figure => {
    const [one, other] = [mine, peer].map((runs) => median(runs.map((run) => run[type]))) as [number, number];
    const title = `client of ${UPDATED} clusters, CPU time when one ${what} changes${which}`;
    return figure(title, 'ms', one, other, goal, UPDATED_RUNS);
  };
  return [
    compare('load assignment', 'EDS', asChannel, '', UPDATE_GOAL),
    compare('cluster', 'CDS', asChannel, '', UPDATE_GOAL),
    compare('load assignment', 'EDS', alone, ', beside its dependency manager alone', 1),
    compare('cluster', 'CDS', alone, ', beside its dependency manager alone', 1),
  ];
}

/**
 * What a client takes beyond what a client of a single cluster takes: that one has started, loaded all code, connected,
 * and acknowledged each type.
 */
async function growth({ server, ours }: Files): Promise<Figure> {
  const cpu: number[] = [];
  for (const count of [1, 1000, 10_000]) {
    const [runs = []] = await inTurns(server, count, [ours], GROWTH_RUNS, arrive);
    console.log(`client of ${count} clusters: ours ${summary(medians(runs))}`);
    cpu.push(medians(runs).cpuMs);
  }
  const [start = 0, small = 0, big = 0] = cpu;
  return {
    what: `client of 10000 clusters, CPU time beyond start (${((big - start) / 1000).toPrecision(3)} s)`,
    ratio: (big - start) / (10 * (small - start)),
    peer: 'ten of 1000',
    goal: GROWTH_GOAL,
    runs: GROWTH_RUNS,
  };
}
