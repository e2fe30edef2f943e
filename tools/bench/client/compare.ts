import { join } from 'node:path';
import { bundled } from '../bundle.ts';
import { type Figure, median } from '../measure.ts';
import type { Unit } from '../page/value.ts';
import type { Update } from './messages.ts';
import { arrive, type Command, inTurns, type Measured, medians, updateCpu } from './run.ts';

const PEER = '@grpc/grpc-js-xds';

/** The number of clusters, and the largest allowed share of the peer's CPU time. */
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
/** With ten times the clusters, CPU time may grow by 10 to the power of 1.1. */
const GROWTH_GOAL = 10 ** 0.1;

interface Files {
  server: string;
  ours: Command;
  /** The peer as a program uses it, and only the part of it that corresponds to our client. */
  channel: Command;
  manager: Command;
}

/** CPU time of one update of each type. */
type Updates = Record<Update['type'], number>;

/** Measures our client and the peer's, each in its own process, on one server with a listener and all its dependencies. */
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

const figure = (what: string, unit: Unit, mine: number, theirs: number, goal: number, runs: number): Figure => ({
  what,
  value: { unit, median: mine },
  ratio: mine / theirs,
  peer: `\`${PEER}\``,
  peerValue: { unit, median: theirs },
  goal,
  runs,
});

/** Measures from the start of a process until it has acknowledged every resource. */
async function arrival(
  { server, ours, channel }: Files,
  { count, runs, goal }: (typeof SIZES)[number],
): Promise<Figure[]> {
  const all = await inTurns(server, count, [ours, channel], runs, arrive);
  const [mine, theirs] = all.map(medians) as [Measured, Measured];
  console.log(`client of ${count} clusters: ours ${summary(mine)}; ${PEER} ${summary(theirs)}`);
  const what = `${count.toLocaleString('en')} clusters: `;
  return [
    figure(`${what}CPU until all resources are ACKed`, 'ms', mine.cpuMs, theirs.cpuMs, goal, runs),
    figure(`${what}peak memory`, 'MiB', mine.peakMiB, theirs.peakMiB, MEMORY_GOAL, runs),
  ];
}

function summary({ wallMs, cpuMs, peakMiB }: Measured): string {
  return `${wallMs.toFixed(0)} ms, CPU ${cpuMs.toFixed(0)} ms, ${peakMiB.toFixed(0)} MiB`;
}

/** Measures the change of one resource. The server then sends all clusters, but only one load assignment. */
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
    const title = `${UPDATED.toLocaleString('en')} clusters: CPU when one ${what} changes`;
    const row = figure(title, 'ms', one, other, goal, UPDATED_RUNS);
    return { ...row, peer: `${row.peer}${which}` };
  };
  return [
    compare('load assignment', 'EDS', asChannel, '', UPDATE_GOAL),
    compare('cluster', 'CDS', asChannel, '', UPDATE_GOAL),
    compare('load assignment', 'EDS', alone, ', dependency manager alone', 1),
    compare('cluster', 'CDS', alone, ', dependency manager alone', 1),
  ];
}

/**
 * Measures the CPU time in addition to that of a client of a single cluster, which has also started, loaded all code,
 * connected, and acknowledged each type.
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
    what: '10,000 clusters: CPU without start-up',
    value: { unit: 'ms', median: big - start },
    ratio: (big - start) / (10 * (small - start)),
    peer: 'ten times 1,000 clusters',
    peerValue: { unit: 'ms', median: 10 * (small - start) },
    goal: GROWTH_GOAL,
    runs: GROWTH_RUNS,
  };
}
