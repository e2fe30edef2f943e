import { writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { ControlPlaneHost } from '../../../src/io/control-plane-host.ts';
import { systemClock } from '../../../src/io/system-clock.ts';
import { ControlPlane } from '../../../src/scenario/control-plane.ts';
import type { Scenario } from '../../../src/scenario/scenario.ts';
import { servedTypes } from '../model.ts';
import { LoggedPlane } from './logged-plane.ts';

/**
 * A control plane in its own process: `main.mjs <host> <port> <first stream> <revision> [dns]`. It logs every event on
 * standard output, and serves the revision that it reads from standard input.
 */
const [host = '127.0.0.1', port, firstStream, start, dns] = process.argv.slice(2);
const hasDns = dns === 'dns';
const SERVER = 'primary';
let revision = Number(start);

const scenario: Scenario = {
  title: '',
  nodeId: 'faults',
  authorities: new Map(),
  steps: [],
  servers: [{ name: SERVER, state: 'listening', servedTypes: servedTypes(revision, hasDns), triggers: [] }],
};
/** Synchronous: an event is in the log even if the process is killed at the next instruction. */
const log = (record: object): void => void writeSync(1, `${JSON.stringify(record)}\n`);

const plane = new LoggedPlane(new ControlPlane(scenario), Number(firstStream), log);
const server = new ControlPlaneHost(scenario, plane, {
  host,
  port: Number(port),
  clock: systemClock,
  onEvent: () => {},
  onFailure: (error) => log({ kind: 'failure', message: error.message }),
});
await server.reserve();
await server.start();
log({ kind: 'listening', address: server.addresses.get(SERVER) });

createInterface({ input: process.stdin })
  .on('line', (line) => {
    const next = Number(line);
    const changed = servedTypes(next, hasDns, revision);
    revision = next;
    server.enqueue({ kind: 'served-types', server: SERVER, servedTypes: changed });
  })
  // The end of the parent, however it ended.
  .on('close', () => process.exit());
