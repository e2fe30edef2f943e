import { median } from '../measure.ts';
import { Child } from './child.ts';
import type { FromServer, Update, Usage } from './messages.ts';

/** A client and its arguments after the server's address. */
export type Command = readonly [file: string, ...args: string[]];

export interface Measured extends Usage {
  /** From the start of the process until the server has the last ACK. */
  wallMs: number;
}

interface Client {
  process: Child<Usage>;
  startedAt: number;
}

/** Runs the clients in turns, each in a new process, against one server with `count` clusters. */
export async function inTurns<T>(
  serverFile: string,
  count: number,
  commands: readonly Command[],
  runs: number,
  measure: (client: Client, server: Child<FromServer>) => Promise<T>,
): Promise<T[][]> {
  const server = new Child<FromServer>(serverFile, [String(count)]);
  try {
    const listening = await server.next();
    if (listening.kind !== 'listening') throw new Error('the server does not listen');
    const address = `127.0.0.1:${listening.port}`;
    const all = commands.map((): T[] => []);
    for (let run = 0; run < runs; run++) {
      for (const [i, [file, ...args]] of commands.entries()) {
        const client = { startedAt: performance.now(), process: new Child<Usage>(file, [address, ...args]) };
        try {
          all[i]?.push(await measure(client, server));
        } finally {
          await client.process.end();
        }
      }
    }
    return all;
  } finally {
    await server.end();
  }
}

/**
 * Measures until the client is idle: it reports its usage only then. So the work after the last response counts even if
 * the client sends the ACK first.
 */
export async function arrive({ process: client, startedAt }: Client, server: Child<FromServer>): Promise<Measured> {
  mustBeAcknowledged(await server.next());
  const wallMs = performance.now() - startedAt;
  return { wallMs, ...(await client.ask({})) };
}

/** The CPU time of one update, as the average of `times` updates: one alone may be too short to measure. */
export async function updateCpu(
  type: Update['type'],
  { process: client }: Client,
  server: Child<FromServer>,
  times: number,
): Promise<number> {
  const { cpuMs: before } = await client.ask({});
  mustBeAcknowledged(await server.ask({ type, times } satisfies Update));
  const { cpuMs: after } = await client.ask({});
  return (after - before) / times;
}

function mustBeAcknowledged(message: FromServer): void {
  if (message.kind === 'rejected') throw new Error(`the client rejects a response of type ${message.type}`);
}

export function medians(runs: readonly Measured[]): Measured {
  return {
    wallMs: median(runs.map((run) => run.wallMs)),
    cpuMs: median(runs.map((run) => run.cpuMs)),
    peakMiB: median(runs.map((run) => run.peakMiB)),
  };
}
