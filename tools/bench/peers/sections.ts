import { table } from '../markdown.ts';
import { type Figure, median, spread } from '../measure.ts';
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

/** The ratio of our value to that of a peer: below 1, ours is smaller. */
function share(ours: number, theirs: number): string {
  return `${(ours / theirs).toPrecision(2)} ×`;
}

function starts(measured: readonly Samples[], builds: Builds): Outcome {
  const all = measured.filter(({ samples }) => samples.length > 0);
  const rows = all.map((row) => {
    const ours = rowOf(all, row.clusters, OURS);
    const values = (value: (sample: Sample) => number): string => spread(row.samples.map(value));
    const ratio = share(
      medianOf(ours, ({ cpuMs }) => cpuMs),
      medianOf(row, ({ cpuMs }) => cpuMs),
    );
    return [
      count(row.clusters),
      row.contender,
      values(({ ackMs }) => ackMs),
      values(({ cpuMs }) => cpuMs),
      row === ours ? '' : ratio,
      values(({ peakMiB }) => peakMiB),
      count(medianOf(row, ({ requests }) => requests)),
      String(row.samples.length),
    ];
  });
  const head = ['clusters', 'client', 'last ACK, ms', 'CPU, ms', 'xds-inspect takes', 'peak, MiB', 'requests', 'runs'];
  const missing = [...skippedLines(builds), ...failureLines(measured)];
  return { markdown: [table(head, rows), ...missing].join('\n\n'), figures: startFigures(all) };
}

function startFigures(all: readonly Samples[]): Figure[] {
  return [...START_GOALS].flatMap(([clusters, goal]) => {
    const peer = rowOf(all, clusters, ALONE);
    if (peer === undefined) return [];
    const theirs = medianOf(peer, ({ cpuMs }) => cpuMs);
    return [OURS, COMMAND].map((who): Figure => {
      const ours = medianOf(rowOf(all, clusters, who), ({ cpuMs }) => cpuMs);
      return {
        what: `${who}, ${count(clusters)} clusters with 10 endpoints each, CPU time until settled (${seconds(ours)})`,
        ratio: ours / theirs,
        peer: `${ALONE} (${seconds(theirs)})`,
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

function headline(ours: number, theirs: number): string {
  return `${count(HEADLINE_CLUSTERS)} clusters with 10 endpoints each: ${seconds(ours)} of CPU time until settled; ${ALONE}: ${seconds(theirs)}.`;
}

const seconds = (ms: number): string => `${(ms / 1000).toPrecision(3)} s`;

const TYPES: [type: UpdateType, what: string][] = [
  ['CDS', 'cluster'],
  ['EDS', 'load assignment'],
];

function updates(all: readonly Samples[]): Outcome {
  const updated = all.filter(({ samples }) => samples.some((sample) => sample.updates.EDS.length > 0));
  const spent = (row: Samples | undefined, type: UpdateType): number[] =>
    (row?.samples ?? []).flatMap((sample) => sample.updates[type]);
  const rows = updated.map((row) => {
    const ours = rowOf(updated, row.clusters, OURS);
    const cells = TYPES.flatMap(([type]) => [
      spread(spent(row, type), 1),
      row === ours ? '' : share(median(spent(ours, type)), median(spent(row, type))),
    ]);
    return [count(row.clusters), row.contender, ...cells, String(spent(row, 'CDS').length)];
  });
  const figures = updated
    .filter(({ contender }) => contender !== OURS && contender !== COMMAND)
    .flatMap((row) =>
      TYPES.map(([type, what]): Figure => {
        const [ours, theirs] = [rowOf(updated, row.clusters, OURS), row].map((one) => median(spent(one, type)));
        return {
          what: `one ${what} of ${count(row.clusters)} changes, CPU time (${ours?.toPrecision(2)} ms)`,
          ratio: (ours as number) / (theirs as number),
          peer: `${row.contender} (${theirs?.toPrecision(2)} ms)`,
          goal: 1,
          runs: row.samples.length,
        };
      }),
    );
  const head = TYPES.flatMap(([type]) => [`1 ${type}, CPU ms`, 'xds-inspect takes']);
  return { markdown: table(['clusters', 'client', ...head, 'updates'], rows), figures };
}
