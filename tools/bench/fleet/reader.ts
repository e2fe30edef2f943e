import { readFileSync } from 'node:fs';
import { statusRequest } from '../../../src/csds/status-request.ts';
import { fleetOf } from '../../../src/inspect/fleet/fleet.ts';
import { FleetInspection } from '../../../src/inspect/fleet/fleet-inspection.ts';
import { never } from '../../../src/inspect/until.ts';
import { csdsClients } from '../../../src/io/csds-client.ts';
import { systemClock } from '../../../src/io/system-clock.ts';
import { systemDns } from '../../../src/io/system-dns.ts';

/**
 * Reads a fleet as `csds --view fleet` does, and prints what that needed: `reader.mjs <file with ports> <count>`. The
 * memory is that of a second reading, because the first one also compiles functions.
 */
const [path = '', count = '0'] = process.argv.slice(2);
const ports = (JSON.parse(readFileSync(path, 'utf8')) as number[]).slice(0, Number(count));
const addresses = ports.map((port) => ({
  address: `127.0.0.1:${port}`,
  target: `127.0.0.1:${port}`,
  kind: 'csds' as const,
}));
const tls = { insecure: false, cacert: undefined, cert: undefined, key: undefined, authority: undefined };

async function readFleet(): Promise<FleetInspection> {
  const inspection = new FleetInspection({
    clients: csdsClients(addresses, { plaintext: true, ...tls, connectTimeoutMs: 60_000, timeoutMs: 60_000 }),
    request: statusRequest([]),
    as: undefined,
    defaultAuthority: undefined,
    dnsTimeoutMs: 60_000,
    pollEveryMs: undefined,
    plaintext: true,
    hasNodeMatchers: false,
    ports: { clock: systemClock, dns: systemDns },
  });
  await inspection.until(never, { limit: 3_600_000 });
  inspection.close();
  const { clients, groups, unread } = fleetOf(inspection.answers(), () => true);
  const agreeing = groups.find(({ standing }) => standing.word === 'agrees')?.clients.length ?? 0;
  if (clients !== ports.length || unread.length > 0 || agreeing < 0.9 * ports.length) {
    throw new Error(`${clients} clients, ${agreeing} agree; ${unread[0]?.error ?? ''}`);
  }
  return inspection;
}

/** Sockets are closed in later turns, and a collection may leave what a second one frees. */
async function memory(): Promise<number> {
  for (let i = 0; i < 5; i++) {
    await new Promise((next) => setTimeout(next, 200));
    (globalThis as { gc?: () => void }).gc?.();
  }
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

await readFleet();
const { user, system } = process.cpuUsage();
const before = await memory();
const kept = await readFleet();
const bytes = (await memory()) - before;
process.stdout.write(JSON.stringify({ cpuMs: (user + system) / 1000, bytes: bytes / kept.answers().length }));
process.exit();
