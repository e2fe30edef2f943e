import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readBootstrap } from '../../../src/bootstrap/read-bootstrap.ts';
import { readSwitches } from '../../../src/bootstrap/switches.ts';
import { Engine } from '../../../src/engine/engine.ts';
import { type ClientEnvironment, engineOptions } from '../../../src/engine/options.ts';
import { Session } from '../../../src/engine/session.ts';
import type { CliEnvironment } from '../../../src/io/environment.ts';
import { GrpcTransport } from '../../../src/io/grpc-transport.ts';
import { startRecorder } from '../../../src/io/recorder.ts';
import { systemClock } from '../../../src/io/system-clock.ts';
import { systemDns } from '../../../src/io/system-dns.ts';
import { LISTENER } from './listener.ts';
import { reportUsage } from './usage.ts';

/** A client with or without a recording: `none`, or the file extension of the recording. */
const [, , address, ending = 'none'] = process.argv;
const folder = mkdtempSync(join(tmpdir(), 'xds-inspect-bench-'));
process.on('disconnect', () => rmSync(folder, { recursive: true }));

reportUsage();
const config = { xds_servers: [{ server_uri: address, channel_creds: [{ type: 'insecure' }] }] };
const read = readBootstrap(new TextEncoder().encode(JSON.stringify(config)), readSwitches({}, 'spec'));
if (!read.ok) throw new Error(read.message);
const environment: ClientEnvironment = {
  preset: 'spec',
  variables: {},
  userAgentName: 'bench',
  userAgentVersion: '0',
  interfaces: new Map(),
  seed: 1,
};
const client = { bootstrap: read.bootstrap, origin: 'bench', environment };
const env = {
  clock: systemClock,
  version: '0',
  stderr: process.stderr,
  atExit: () => () => {},
} as unknown as CliEnvironment;
const settings = { record: join(folder, `r.${ending}`), showSecrets: false };
const recorder = ending === 'none' ? undefined : await startRecorder(client, settings, env);
const session = new Session(new Engine(engineOptions(read.bootstrap, environment)), {
  clock: systemClock,
  transport: new GrpcTransport(),
  dns: systemDns,
  log: { append: () => {} },
  ...(recorder && { record: recorder.record }),
});
const target = `xds:///${LISTENER}`;
session.dispatch({ kind: 'follow', scope: target, target, listener: LISTENER, authority: LISTENER });
