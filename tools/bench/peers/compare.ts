import type { Command } from '../../peers/peers.ts';
import type { Contender } from './contenders.ts';
import { Plane, type UpdateType } from './plane.ts';
import { ProcessMeter } from './process-meter.ts';
import { waitUntilIdle } from './wait-until-idle.ts';

/** The measurements of one client in one process. */
export interface Sample {
  /** From the start of the process until the control plane has the last ACK. */
  ackMs: number;
  cpuMs: number;
  peakMiB: number;
  requests: number;
  /** CPU time of each update. */
  updates: Record<UpdateType, number[]>;
}

export interface Samples {
  contender: string;
  clusters: number;
  samples: Sample[];
  /** Error messages of runs that failed. */
  failures: string[];
}

export interface Size {
  clusters: number;
  runs: number;
  updates: number;
}

const START_WINDOW_MS = 400;
const UPDATE_WINDOW_MS = 100;
const PATIENCE_MS = 150_000;

/** Runs the clients in turns, each in a new process, against one control plane per size. */
export async function compare(
  plane: Command,
  contenders: readonly Contender[],
  sizes: readonly Size[],
): Promise<Samples[]> {
  const all: Samples[] = [];
  for (const size of sizes) {
    const { clusters } = size;
    const eligible = contenders.filter(({ upTo }) => clusters <= upTo);
    const rows = eligible.map(({ name }): Samples => ({ contender: name, clusters, samples: [], failures: [] }));
    const server = await Plane.start(plane, clusters);
    try {
      for (let run = 0; run < size.runs; run++) {
        for (const [i, contender] of eligible.entries()) {
          await measureInto(rows[i] as Samples, contender, server, size.updates);
        }
      }
    } finally {
      server.end();
    }
    all.push(...rows);
  }
  return all;
}

/** Adds one run to a row. A failure of one client does not affect the rows of the others. */
async function measureInto(row: Samples, contender: Contender, plane: Plane, updates: number): Promise<void> {
  try {
    const sample = await measure(contender, plane, updates, (failure) => row.failures.push(failure));
    row.samples.push(sample);
    console.log(line(contender.name, row.clusters, sample));
  } catch (error) {
    row.failures.push((error as Error).message);
  }
  for (const failure of row.failures) console.log(`${row.clusters} clusters, ${contender.name}: ${failure}`);
}

async function measure(
  contender: Contender,
  plane: Plane,
  updates: number,
  failed: (message: string) => void,
): Promise<Sample> {
  const startedAt = performance.timeOrigin + performance.now();
  const client = await contender.start(plane);
  try {
    const meter = new ProcessMeter(client.pid);
    const { state, cpuMs } = await waitUntilIdle(plane, meter, START_WINDOW_MS, PATIENCE_MS);
    if (state.nacks > 0) throw new Error(`${contender.name} rejects a response`);
    const sample: Sample = {
      ackMs: state.doneAt - startedAt,
      cpuMs,
      peakMiB: meter.peakMiB(),
      requests: state.requests,
      updates: { CDS: [], EDS: [] },
    };
    try {
      for (const type of ['CDS', 'EDS'] as const) await update(plane, meter, type, updates, sample.updates[type]);
    } catch (error) {
      failed((error as Error).message);
    }
    return sample;
  } finally {
    await client.end();
  }
}

/** Sends updates one by one: the client is idle before the next, so it never processes two at once. */
async function update(
  plane: Plane,
  meter: ProcessMeter,
  type: UpdateType,
  times: number,
  spent: number[],
): Promise<void> {
  for (let i = 0; i < times; i++) {
    const before = meter.cpuMs();
    await plane.update(type);
    const { cpuMs } = await waitUntilIdle(plane, meter, UPDATE_WINDOW_MS, PATIENCE_MS);
    spent.push(cpuMs - before);
  }
}

function line(name: string, clusters: number, { ackMs, cpuMs, peakMiB, requests, updates }: Sample): string {
  const list = (type: UpdateType): string => updates[type].map((ms) => ms.toFixed(1)).join(' ');
  const start = `last ACK ${ackMs.toFixed(0)} ms, CPU ${cpuMs.toFixed(0)} ms, ${peakMiB.toFixed(0)} MiB, ${requests} requests`;
  return `${clusters} clusters, ${name}: ${start}; CDS ${list('CDS')}; EDS ${list('EDS')} ms`;
}
