import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundled } from './bundle.ts';
import { type Figure, median } from './measure.ts';

const FEW = 10;
const SOME = 500;
const MANY = 1000;
const RUNS = 3;
const DEAD = 50;
const SLOW = 50;
/** The default of `csds`, after which dead processes are reported. */
const CONNECT_TIMEOUT_S = 10;
/** What may be kept for a client beyond what differs. */
const MOST_BYTES = 2000;

const count = (clients: number): string => clients.toLocaleString('en');

interface Usage {
  cpuMs: number;
  /** Kept for each client. */
  bytes: number;
}

/** What `csds --view fleet` costs for each added client, and how long dead and slow ones delay the others. */
export async function fleet(root: string): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'xds-inspect-fleet-'));
  const [servers, reader] = await Promise.all([bundled(root, 'fleet/servers'), bundled(root, 'fleet/reader')]);
  const running = spawn(process.execPath, [servers, String(MANY), String(SLOW)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  try {
    const ports = JSON.parse(await firstLine(running.stdout)) as number[];
    const path = join(folder, 'ports.json');
    writeFileSync(path, JSON.stringify(ports));
    const runs = Array.from({ length: RUNS }, () => [FEW, SOME, MANY].map((count) => usage(reader, path, count)));
    const of = (i: number, field: keyof Usage): number => median(runs.map((one) => one[i]?.[field] ?? 0));
    const early = (of(1, 'cpuMs') - of(0, 'cpuMs')) / (SOME - FEW);
    const late = (of(2, 'cpuMs') - of(1, 'cpuMs')) / (MANY - SOME);
    const kept = of(2, 'bytes');
    const seconds = await firstTable(root, folder, ports);
    return [
      {
        what: `CPU for each added client of 100 resources, ${count(SOME)} to ${count(MANY)} clients`,
        value: { unit: 'ms', median: late },
        ratio: late / early,
        peer: `${FEW} to ${count(SOME)} clients`,
        peerValue: { unit: 'ms', median: early },
        goal: 1.2,
        runs: RUNS,
      },
      {
        what: `memory kept for each of ${count(MANY)} clients, with the time of each resource`,
        value: { unit: 'bytes', median: kept },
        ratio: kept / MOST_BYTES,
        peer: 'the limit',
        peerValue: { unit: 'bytes', median: MOST_BYTES },
        goal: 1,
        runs: RUNS,
      },
      {
        what: `the first table of ${count(MANY)} clients, and ${DEAD} dead and ${SLOW} slow processes`,
        value: { unit: 'ms', median: 1000 * seconds },
        ratio: seconds / CONNECT_TIMEOUT_S,
        peer: 'the default `--connect-timeout`',
        peerValue: { unit: 'ms', median: 1000 * CONNECT_TIMEOUT_S },
        goal: 1,
        runs: 1,
      },
    ];
  } finally {
    running.kill();
    rmSync(folder, { recursive: true });
  }
}

function usage(reader: string, path: string, count: number): Usage {
  const args = ['--expose-gc', reader, path, String(count)];
  const { status, stdout } = spawnSync(process.execPath, args, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (status !== 0) throw new Error(`the reader of ${count} clients ended with ${status}`);
  return JSON.parse(stdout) as Usage;
}

/** Seconds until the first table of a list in which dead and slow processes come first. */
async function firstTable(root: string, folder: string, ports: readonly number[]): Promise<number> {
  // Dead processes accept connections and never send anything; slow ones accept the call.
  const dead = createServer(() => {});
  const deadPort = await new Promise<number>((listening) => {
    dead.listen(0, '127.0.0.1', () => listening((dead.address() as { port: number }).port));
  });
  const list = join(folder, 'addresses.txt');
  const deadOnes = Array.from({ length: DEAD }, (_, i) => `127.1.0.${i + 1}:${deadPort}`);
  dead.close();
  const servers = await Promise.all(
    deadOnes.map(
      (address) =>
        new Promise<ReturnType<typeof createServer>>((listening) => {
          const server = createServer(() => {});
          server.listen(deadPort, address.split(':')[0], () => listening(server));
        }),
    ),
  );
  const others = [...ports.slice(MANY), ...ports.slice(0, MANY)].map((port) => `127.0.0.1:${port}`);
  writeFileSync(list, [...deadOnes, ...others].join('\n'));
  const start = process.hrtime.bigint();
  // Longer limits than by default: on a slow machine, the table is late and still complete.
  const limits = ['--connect-timeout', '10m', '--timeout', '10m'];
  const args = [join(root, 'bin/xds-inspect.js'), 'csds', `@${list}`, '--plaintext', ...limits];
  const run = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] });
  const line = await firstLine(run.stdout);
  const seconds = Number(process.hrtime.bigint() - start) / 1e9;
  run.kill();
  for (const server of servers) server.close();
  if (!line.includes(`${DEAD + SLOW} addresses have not responded yet`)) throw new Error(line);
  return seconds;
}

async function firstLine(stream: NodeJS.ReadableStream): Promise<string> {
  let text = '';
  for await (const chunk of stream) {
    text += chunk;
    if (text.includes('\n')) break;
  }
  return text.slice(0, text.indexOf('\n'));
}
