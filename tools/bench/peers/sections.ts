import { type Figure, median } from '../measure.ts';
import { type Amount, amount, amountText, type Value } from '../page/value.ts';
import type { BenchSetup, Outcome } from '../section.ts';
import { type Builds, skipped, skippedLines } from './builds.ts';
import { compare, type Sample, type Samples, type Size } from './compare.ts';
import { ALONE, COMMAND, contenders, OURS } from './contenders.ts';
import type { UpdateType } from './plane.ts';

const SIZES: Size[] = [
  { clusters: 100, runs: 5, updates: 0 },
  { clusters: 1000, runs: 3, updates: 10 },
  { clusters: 3000, runs: 1, updates: 6 },
  { clusters: 10_000, runs: 2, updates: 10 },
];

/** The largest allowed share of the XdsClient's CPU time until all resources have arrived. */
const START_GOALS = new Map([
  [1000, 1],
  [10_000, 0.1],
]);

/** Both parts share one run: updates are sent to clients that have started. */
export async function peerParts(
  { root, builds }: BenchSetup,
  parts: ReadonlySet<string>,
): Promise<Map<string, Outcome>> {
  const plane = builds.commands['bench-plane'];
  if (plane === undefined) return new Map([...parts].map((part) => [part, skipped(builds)]));
  const sizes = SIZES.filter(({ updates }) => parts.has('peers') || updates > 0);
  const all = await compare(
    plane,
    await contenders(root, builds),
    sizes.map((size) => ({ ...size, updates: parts.has('updates') ? size.updates : 0 })),
  );
  const outcomes = new Map<string, Outcome>();
  if (parts.has('peers')) outcomes.set('peers', starts(all, builds));
  if (parts.has('updates')) outcomes.set('updates', updates(all));
  return outcomes;
}

const medianOf = (row: Samples | undefined, value: (sample: Sample) => number): number =>
  median((row?.samples ?? []).map(value));

function rowOf(all: readonly Samples[], clusters: number, contender: string): Samples | undefined {
  return all.find((row) => row.clusters === clusters && row.contender === contender);
}

const count = (clusters: number): string => clusters.toLocaleString('en');

function starts(measured: readonly Samples[], builds: Builds): Outcome {
  const all = measured.filter(({ samples }) => samples.length > 0);
  const cpuOf = (row: Samples | undefined): number => medianOf(row, ({ cpuMs }) => cpuMs);
  const rows = all.map((row): Value[] => {
    const ours = rowOf(all, row.clusters, OURS);
    const values = (unit: 'ms' | 'MiB', value: (sample: Sample) => number): Amount =>
      amount(unit, row.samples.map(value));
    return [
      row.clusters,
      row.contender,
      values('ms', ({ cpuMs }) => cpuMs),
      row === ours ? '' : { speed: cpuOf(ours) / cpuOf(row) },
      values('ms', ({ ackMs }) => ackMs),
      values('MiB', ({ peakMiB }) => peakMiB),
      medianOf(row, ({ requests }) => requests),
      row.samples.length,
    ];
  });
  const columns = ['clusters', 'client', 'CPU', 'xds-inspect is', 'last ACK', 'peak memory', 'requests', 'runs'];
  const notes = [...skippedLines(builds), ...failureLines(measured)];
  return { columns, rows, notes, figures: startFigures(all) };
}

function startFigures(all: readonly Samples[]): Figure[] {
  return [...START_GOALS].flatMap(([clusters, goal]) => {
    const peer = rowOf(all, clusters, ALONE);
    if (peer === undefined) return [];
    const cpu = (row: Samples | undefined): Amount => amount('ms', [medianOf(row, ({ cpuMs }) => cpuMs)]);
    const theirs = cpu(peer);
    return [OURS, COMMAND].map((who): Figure => {
      const ours = cpu(rowOf(all, clusters, who));
      return {
        what: `${who}: CPU until ${count(clusters)} clusters have settled`,
        value: ours,
        ratio: ours.median / theirs.median,
        peer: ALONE,
        peerValue: theirs,
        goal,
        runs: peer.samples.length,
        ...(who === OURS && clusters === HEADLINE_CLUSTERS && { headline: headline(ours, theirs) }),
      };
    });
  });
}

function failureLines(measured: readonly Samples[]): string[] {
  return measured.flatMap(({ clusters, contender, failures }) =>
    failures.map((failure) => `Run not completed: ${contender} with ${count(clusters)} clusters: ${failure}.`),
  );
}

/** The size whose figure is in the README. */
const HEADLINE_CLUSTERS = 10_000;

function headline(ours: Amount, theirs: Amount): string {
  return `${count(HEADLINE_CLUSTERS)} clusters with 10 endpoints each: ${amountText(ours)} of CPU time until settled; ${ALONE}: ${amountText(theirs)}.`;
}

const TYPES: [type: UpdateType, what: string][] = [
  ['CDS', 'cluster'],
  ['EDS', 'load assignment'],
];

function updates(all: readonly Samples[]): Outcome {
  const updated = all.filter(({ samples }) => samples.some((sample) => sample.updates.EDS.length > 0));
  const spent = (row: Samples | undefined, type: UpdateType): number[] =>
    (row?.samples ?? []).flatMap((sample) => sample.updates[type]);
  const rows = updated.map((row): Value[] => {
    const ours = rowOf(updated, row.clusters, OURS);
    const cells = TYPES.flatMap(([type]): Value[] => [
      amount('ms', spent(row, type)),
      row === ours ? '' : { speed: median(spent(ours, type)) / median(spent(row, type)) },
    ]);
    return [row.clusters, row.contender, ...cells, spent(row, 'CDS').length];
  });
  const figures = updated
    .filter(({ contender }) => contender !== OURS && contender !== COMMAND)
    .flatMap((row) =>
      TYPES.map(([type, what]): Figure => {
        const [ours, theirs] = [rowOf(updated, row.clusters, OURS), row].map((one) =>
          amount('ms', [median(spent(one, type))]),
        ) as [Amount, Amount];
        return {
          what: `CPU when one ${what} of ${count(row.clusters)} changes`,
          value: ours,
          ratio: ours.median / theirs.median,
          peer: row.contender,
          peerValue: theirs,
          goal: 1,
          runs: row.samples.length,
        };
      }),
    );
  const columns = TYPES.flatMap(([, what]) => [`CPU for a ${what}`, 'xds-inspect is']);
  return { columns: ['clusters', 'client', ...columns, 'updates'], rows, figures };
}
