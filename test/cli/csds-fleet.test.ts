import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Server, ServerCredentials } from '@grpc/grpc-js';
import { describe, expect, it } from 'vitest';
import { ADS_METHOD } from '../../src/core/sotw.js';
import { asBuffer, same } from '../../src/io/byte-codec.js';
import { serveCsds } from '../../src/io/csds-server.js';
import { Node } from '../../src/proto/generated/envoy.config.core.v3.js';
import { DiscoveryResponse } from '../../src/proto/generated/envoy.service.discovery.v3.js';
import { ClientConfig } from '../../src/proto/generated/envoy.service.status.v3.js';
import { encode } from '../../src/proto/message-type.js';
import { RESOURCE_TYPES } from '../../src/proto/resource-types.js';
import { type Held, responding } from '../inspect/fleet/processes.js';
import { later, temporaryFolder } from '../support/clean-up.js';
import { runCli, startCli, until } from '../support/cli.js';
import { tcpPeer } from '../support/live-server.js';

const CURRENT: Held = { version: '7', contents: 7, at: Date.now() - 60_000 };
const OLD: Held = { version: '6', contents: 6, at: Date.now() - 120_000 };
const REJECTING: Held = {
  ...OLD,
  status: 'NACKED',
  rejected: { version: '7', message: 'type STATIC is not supported' },
};

/** A process whose response can be changed. */
async function processWith(held: Held): Promise<{ address: string; set(next: Held): void }> {
  let current = held;
  const server = await serveCsds('127.0.0.1', 0, () => (responding(current) as { bytes: Uint8Array }).bytes);
  later(() => server.close());
  return {
    address: server.address,
    set: (next) => {
      current = next;
    },
  };
}

async function processes(...all: Held[]): Promise<string[]> {
  return (await Promise.all(all.map(processWith))).map(({ address }) => address);
}

async function silent(): Promise<string> {
  const { uri, close } = await tcpPeer(() => {});
  later(close);
  return uri;
}

const fleet = (...args: string[]) => runCli(['csds', '--plaintext', '--view', 'fleet', ...args]);

describe.concurrent('csds --view fleet', () => {
  it('prints who differs first, and the healthy ones in one line', async () => {
    const all = await processes(CURRENT, CURRENT, CURRENT, OLD, REJECTING);
    const { code, stdout, stderr } = await fleet(...all);
    const lines = stdout.split('\n');
    expect(lines[0]).toBe(
      '5 clients: 3 agree; 1 rejected CDS blue (version 7); 1 has an older CDS blue (version 6, 7 for 3)',
    );
    expect(lines[1]).toBe('  5 addresses read · xds:///greeter');
    expect(lines.slice(3).map((line) => line.split(/ {2,}/).filter((_, i) => i !== 2))).toEqual([
      ['CLIENTS', 'STATE', 'RESOURCE', 'VERSION', 'WHO'],
      ['1', 'REJECTED', 'CDS blue', '6 (7), 7 for 3', `${all[4]} · type STATIC is not supported`],
      ['1', 'OLDER', 'CDS blue', '6, 7 for 3', all[3]],
      ['3', 'AGREE', expect.stringContaining(':')],
      [''],
    ]);
    expect(stderr).toBe('');
    expect(code).toBe(79);
    expect((await fleet(...all, '--fail-on', 'TIMEOUT')).code).toBe(0);
    expect((await fleet(...all, '--name', 'green')).stdout).toContain('5 clients: all 5 agree\n');
  });

  it('is the default for text from nine addresses on, and data keeps its schema', async () => {
    const all = await processes(...Array.from({ length: 9 }, () => CURRENT));
    const path = join(temporaryFolder(), 'addresses.txt');
    writeFileSync(path, all.join('\n'));
    const csds = (...args: string[]) => runCli(['csds', '--plaintext', `@${path}`, ...args]);
    expect((await csds()).stdout).toMatch(/^9 clients: all 9 agree\n/);
    expect((await csds('-o', 'wide')).stdout).toMatch(/^CDS +blue +7 +9 /m);
    expect(JSON.parse((await csds('-o', 'json')).stdout).schema).toBe('xds-inspect/status/v1');
    expect((await csds('--view', 'status')).stdout).toMatch(/^TYPE +NAME/m);
    const document = JSON.parse((await csds('--view', 'fleet', '-o', 'json')).stdout);
    expect(document).toMatchObject({
      schema: 'xds-inspect/fleet/v1',
      summary: '9 clients: all 9 agree',
      counts: { agrees: 9 },
      groups: [{ state: 'agrees', count: 9 }],
      unread: [],
    });
  });

  it('prints those that have responded while one is silent', async () => {
    const all = await processes(CURRENT, OLD);
    const run = startCli([
      'csds',
      '--plaintext',
      '--view',
      'fleet',
      await silent(),
      ...all,
      '--connect-timeout',
      '1h',
      '--timeout',
      '1h',
    ]);
    await until(() => run.stdout.includes('1 address has not responded yet\n'), 'a table of the others');
    expect(run.stdout).toContain(' OLDER ');
    run.interrupt();
    expect(await run.done).toBe(130);
  });

  it('exits with 69 if a process cannot be read, with the reason in the table', async () => {
    const all = await processes(CURRENT, CURRENT);
    const { code, stdout } = await fleet(...all, '127.0.0.1:1');
    expect(code).toBe(69);
    expect(stdout).toMatch(/^2 clients: both agree; 1 address could not be read\n {2}2 of 3 addresses read/);
    expect(stdout).toMatch(/^\? +UNREAD +127\.0\.0\.1:1 · nothing listens there/m);
  });

  it('follows changes as lines and as events', async () => {
    const [a, b] = await Promise.all([processWith(OLD), processWith(OLD)]);
    const run = startCli([
      'csds',
      '--plaintext',
      a.address,
      b.address,
      '--view',
      'fleet',
      '--watch',
      '--interval',
      '50ms',
    ]);
    const events = startCli([
      'csds',
      '--plaintext',
      a.address,
      b.address,
      '--view',
      'fleet',
      '--watch',
      '--interval',
      '50ms',
      '-o',
      'ndjson',
    ]);
    await until(() => run.stdout.includes('2 clients: both agree'), 'both are read');
    await until(() => events.stdout.includes('2 clients: both agree'), 'both are read');
    a.set({ ...CURRENT, at: (OLD.at as number) + 1000 });
    await until(() => run.stdout.includes('1 has an older CDS blue'), 'one has a new version');
    await until(() => events.stdout.includes('1 has an older CDS blue'), 'one has a new version');
    b.set({ ...CURRENT, at: (OLD.at as number) + 3500 });
    await until(
      () => /CDS version 7: 2 of 2 clients; median 1\.3 s, last 2\.5 s after the first/.test(run.stdout),
      'both have it',
    );
    await until(() => events.stdout.includes('"isOver":true'), 'both have it');
    for (const one of [run, events]) {
      one.interrupt();
      expect(await one.done).toBe(130);
    }
    const kinds = new Set(
      events.stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).kind),
    );
    expect([...kinds].sort()).toEqual(['client', 'fleet', 'rollout', 'versions']);
  });

  it.each([
    [['-o', 'csds'], '--view fleet takes -o table, wide, json, yaml, ndjson, not csds'],
    [['-o', 'ndjson'], '-o ndjson requires --watch'],
    [['--html', 'x.html'], '--html excludes --view fleet'],
    [['--expectations', 'x'], '--expectations requires --view check'],
    [['--for', '1s'], '--for requires --watch'],
  ])('exits with 64: %s', async (args, says) => {
    const { code, stderr } = await fleet('a:1', ...args);
    expect(stderr).toContain(says);
    expect(code).toBe(64);
  });
});

/** A server that answers like istiod, or refuses as istiod does without authentication. */
async function istiod(isOpen: boolean): Promise<string> {
  const proxy = (id: string, configStatus: number): { typeUrl: string; value: Uint8Array } => ({
    typeUrl: 'type.googleapis.com/envoy.service.status.v3.ClientConfig',
    value: encode(
      ClientConfig,
      ClientConfig.create({
        node: Node.create({ id }),
        genericXdsConfigs: [
          {
            typeUrl: RESOURCE_TYPES.CDS,
            name: '',
            versionInfo: '',
            xdsConfig: undefined,
            lastUpdated: { seconds: BigInt(Math.floor(Date.now() / 1000)), nanos: 0 },
            configStatus,
            clientStatus: 0,
            errorState: undefined,
            isStaticResource: false,
          },
        ],
      }),
    ),
  });
  const typeUrl = 'istio.io/debug/syncz';
  const resources = [proxy('a.default', 1), proxy('b.default', 3), proxy('c.default', 1)];
  const server = new Server();
  const codec = {
    requestSerialize: asBuffer,
    requestDeserialize: same,
    responseSerialize: asBuffer,
    responseDeserialize: same,
  };
  server.addService(
    { ads: { path: ADS_METHOD, requestStream: true, responseStream: true, ...codec } },
    {
      // biome-ignore lint/suspicious/noExplicitAny: the types of grpc-js need a generated service
      ads: (call: any) => {
        call.on('data', () => {
          if (!isOpen) call.emit('error', { code: 16, details: 'authentication required' });
          else call.write(encode(DiscoveryResponse, DiscoveryResponse.create({ typeUrl, resources })));
        });
        call.on('error', () => {});
      },
    },
  );
  const port = await new Promise<number>((bound, failed) => {
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, found) =>
      error === null ? bound(found) : failed(error),
    );
  });
  later(() => server.forceShutdown());
  return `istio:127.0.0.1:${port}`;
}

describe.concurrent("csds of Istio's view of its proxies", () => {
  it('prints which proxies are not in sync, by node', async () => {
    const { code, stdout } = await runCli(['csds', '--plaintext', await istiod(true)]);
    expect(stdout).toMatch(/^3 clients: 2 agree; 1 has not acknowledged CDS \(STALE\)\n/);
    expect(stdout).toMatch(/^1 +STALE +.* CDS +b\.default · the last response is not acknowledged$/m);
    expect(stdout).toMatch(/^2 +AGREE +1 resource +a\.default, c\.default$/m);
    expect(code).toBe(0);
    const stale = await runCli(['csds', '--plaintext', await istiod(true), '--fail-on', 'STALE']);
    expect(stale.code).toBe(79);
  });

  it('has the other views, one node, and --watch', async () => {
    const address = await istiod(true);
    const one = await runCli(['csds', '--plaintext', address, '--view', 'status', '--node-match', 'b.default']);
    expect(one.stdout).toMatch(/^CDS +STALE/m);
    expect(one.stdout).toContain('node b.default');
    expect(one.stdout).not.toContain('a.default');
    const watched = startCli(['csds', '--plaintext', address, '--watch', '--interval', '50ms']);
    await until(() => watched.stdout.includes('b.default'), 'a stale proxy');
    const lines = startCli(['csds', '--plaintext', address, '--watch', '--view', 'status', '--interval', '50ms']);
    await until(() => / \/ b\.default +CDS +STALE/.test(lines.stdout), 'a stale proxy, with its node');
    for (const run of [watched, lines]) {
      run.interrupt();
      expect(await run.done).toBe(130);
    }
  });

  it('says how to authenticate if istiod requires it', async () => {
    const { code, stdout } = await runCli(['csds', '--plaintext', await istiod(false)]);
    expect(code).toBe(69);
    expect(stdout).toContain('use its TLS port (15012) with --cert and --key, or with --token-file');
  });
});
