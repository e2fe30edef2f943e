import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Engine } from '../../src/engine/engine.js';
import { Session } from '../../src/engine/session.js';
import { GrpcTransport } from '../../src/io/grpc-transport.js';
import { systemClock } from '../../src/io/system-clock.js';
import { RESOURCE_TYPES } from '../../src/proto/resource-types.js';
import { eventLine } from '../../src/view/event-line.js';
import { later } from '../support/clean-up.js';
import { type CliRun, ROOT, runCli, startCli, until } from '../support/cli.js';
import { noDns } from '../support/simulate.js';

/** Starts `serve` and waits until it prints the bootstrap. */
async function serve(
  source: string,
  ...flags: string[]
): Promise<{ run: CliRun; bootstrap: { xds_servers: { server_uri: string }[] } }> {
  const run = startCli(['serve', source, '--port', '0', ...flags]);
  later(run.interrupt);
  await until(() => run.stderr.includes('Stop with Ctrl-C'), 'serve starts');
  return { run, bootstrap: JSON.parse(/GRPC_XDS_BOOTSTRAP_CONFIG='(.*)'/.exec(run.stderr)?.[1] as string) };
}

/** A client of the served control plane; collects the texts of its requests and responses. */
function client(uri: string, watches: [typeUrl: string, name: string][]): string[] {
  const lines: string[] = [];
  const engine = new Engine({
    servers: [{ uri, creds: { type: 'insecure' }, callCreds: [] }],
    node: { id: 'a-client', userAgentName: 't', userAgentVersion: '0' },
    seed: 1,
  });
  const session = new Session(engine, {
    clock: systemClock,
    transport: new GrpcTransport(),
    dns: noDns,
    log: {
      append: (event) => (event.kind === 'request' || event.kind === 'response') && lines.push(eventLine(event).text),
    },
  });
  later(() => session.close());
  for (const [watcher, [typeUrl, name]] of watches.entries())
    session.dispatch({ kind: 'watch', scope: 's', watcher, typeUrl, name });
  return lines;
}

function folderWith(files: Record<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), 'xds-inspect-'));
  later(() => rmSync(folder, { recursive: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

const { RDS, CDS, EDS } = RESOURCE_TYPES;

describe.concurrent('serve', () => {
  it('serves a folder to several clients and sends its changes', async () => {
    const folder = folderWith({
      'a.yaml': '"@type": CDS\nname: a\n',
      'rest.json': '[{"@type": "EDS", "cluster_name": "e"}, {"@type": "CDS", "name": "b"}]',
    });
    const { run, bootstrap } = await serve(folder);
    const uri = bootstrap.xds_servers[0]?.server_uri as string;
    const one = client(uri, [
      [CDS, 'a'],
      [EDS, 'e'],
    ]);
    const other = client(uri, [[CDS, 'b']]);
    await until(() => one.length === 6 && other.length === 3, 'both clients get responses and ACK them');
    expect(one).toContain('← CDS version 1 nonce 1.1: a');
    writeFileSync(join(folder, 'a.yaml'), '"@type": CDS\nname: a\nalt_stat_name: new\n');
    await until(() => one.some((line) => line.startsWith('← CDS version 2')), 'the change is sent');
    writeFileSync(join(folder, 'a.yaml'), '"@type": CDS\nnaem: a\n');
    await until(() => run.stderr.includes('did you mean "name"'), 'the invalid file is reported');
    writeFileSync(join(folder, 'a.yaml'), '"@type": CDS\nname: c\n');
    await until(() => one.some((line) => line === '← CDS version 3 nonce 1.4: no resources'), 'the removal is sent');
    expect(other.filter((line) => line.startsWith('←'))).toEqual(['← CDS version 1 nonce 2.1: b']);
    expect(run.stdout).toContain('node a-client');
    run.interrupt();
    expect(await run.done).toBe(130);
  });

  it('serves resources with unknown fields and types without these, and prints a line for each', async () => {
    const any = '{ "@type": type.googleapis.com/acme.Filter, x: 1 }';
    const folder = folderWith({
      'a.yaml': `"@type": CDS\nname: a\nfrom_the_future: 1\nmetadata: { typed_filter_metadata: { m: ${any} } }\n`,
    });
    const { run, bootstrap } = await serve(folder);
    const lines = client(bootstrap.xds_servers[0]?.server_uri as string, [[CDS, 'a']]);
    await until(() => lines.includes('← CDS version 1 nonce 1.1: a'), 'the resource is served');
    const path = join(folder, 'a.yaml');
    expect(run.stderr).toContain(
      `${path}:3:1: from_the_future: unknown field in envoy.config.cluster.v3.Cluster (XI105)\n`,
    );
    expect(run.stderr).toContain(
      `${path}:4:43: metadata.typed_filter_metadata.m.@type: type acme.Filter is not in the API: its contents are left out (XI106)\n`,
    );
    expect(run.stderr.match(/XI105/g)).toHaveLength(1);
  });

  it('serves the active resources of a config dump of Envoy, from a file or a folder', async () => {
    const T = 'type.googleapis.com/envoy.';
    const one = (name: string, more: object = {}) => ({ '@type': `${T}config.cluster.v3.Cluster`, name, ...more });
    const dump = JSON.stringify({
      configs: [
        { '@type': `${T}admin.v3.BootstrapConfigDump`, bootstrap: { static_resources: { clusters: [{ name: 's' }] } } },
        {
          '@type': `${T}admin.v3.ClustersConfigDump`,
          static_clusters: [{ cluster: one('s') }],
          dynamic_active_clusters: [
            { cluster: one('a'), error_state: { failed_configuration: one('a', { alt_stat_name: 'bad' }) } },
          ],
          dynamic_warming_clusters: [{ cluster: one('w') }, { cluster: one('a', { alt_stat_name: 'new' }) }],
        },
      ],
    });
    const folder = folderWith({ 'dump.json': dump });
    for (const source of [folder, join(folder, 'dump.json')]) {
      const { bootstrap } = await serve(source);
      const lines = client(bootstrap.xds_servers[0]?.server_uri as string, [[CDS, '*']]);
      await until(() => lines.some((line) => line.startsWith('← CDS version 1')), 'the dump is served');
      expect(lines.find((line) => line.startsWith('←'))).toBe('← CDS version 1 nonce 1.1: s, a, w');
    }
  });

  it('serves a file with a list of resources', async () => {
    const folder = folderWith({ 'list.yaml': '- { "@type": CDS, name: a }\n- { "@type": CDS, name: b }\n' });
    const { bootstrap } = await serve(join(folder, 'list.yaml'));
    const lines = client(bootstrap.xds_servers[0]?.server_uri as string, [[CDS, 'b']]);
    await until(() => lines.includes('← CDS version 1 nonce 1.1: b'), 'the list is served');
  });

  it('serves a built-in scenario by name', async () => {
    const { bootstrap } = await serve('first-look');
    const uri = bootstrap.xds_servers[0]?.server_uri as string;
    const lines = client(uri, [[CDS, 'greeter-blue']]);
    await until(() => lines.includes('← CDS version 7 nonce 1.1: greeter-blue'), 'the scenario is served');
    expect(lines[0]).toBe('→ CDS [greeter-blue]');
  });

  it('runs a scenario with faults, TP3 errors and expectations', async () => {
    const folder = folderWith({
      's.yaml': `
resources: { l: { "@type": RDS, name: l } }
servers:
  p:
    on:
      - { request: RDS, times: 1, do: [{ send: { type: RDS, version: "1", resources: [l], errors: [{ name: m, code: PERMISSION_DENIED, message: "not you" }] } }] }
steps:
  - { expect: { request: RDS, names: [l, m] } }
  - { expect: { request: RDS, is: ack } }
  - { sendBytes: "/w==" }
  - { expect: { request: EDS, absent: true, within: 50ms } }
`,
    });
    const { run, bootstrap } = await serve(join(folder, 's.yaml'));
    const lines = client(bootstrap.xds_servers[0]?.server_uri as string, [
      [RDS, 'l'],
      [RDS, 'm'],
    ]);
    await until(() => run.stdout.includes('script done'), 'the script ends');
    expect(run.stdout).toContain('script done: 3 met, 0 not met');
    expect(lines).toContain('← RDS version 1 nonce 1.1: l, m! (PERMISSION_DENIED)');
  });

  it('prints events as NDJSON', async () => {
    const { run } = await serve(join(ROOT, 'fixtures/scenarios/demo/first-look.yaml'), '-o', 'ndjson');
    const [first] = run.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(first).toMatchObject({ kind: 'state', server: 'primary', state: 'listening', at: expect.any(Number) });
  });

  it('reads resource files next to the scenario, and reports unreadable ones', async () => {
    const good = folderWith({
      's.yaml': 'resources: { a: { file: a.yaml } }\nservers: { p: { serves: [{ type: CDS, resources: [a] }] } }',
      'a.yaml': '"@type": CDS\nname: a',
    });
    const { bootstrap } = await serve(join(good, 's.yaml'));
    const lines = client(bootstrap.xds_servers[0]?.server_uri as string, [[CDS, 'a']]);
    await until(() => lines.length === 3, 'the resource arrives');
    const bad = folderWith({ 's.yaml': 'resources: { a: { file: b.yaml }, b: { file: . } }' });
    const { code, stderr } = await runCli(['serve', join(bad, 's.yaml')]);
    expect(code).toBe(65);
    expect(stderr).toContain('s.yaml:1:19: resources.a.file: cannot be read: no such file');
    expect(stderr).toContain('resources.b.file: cannot be read: it is a folder');
  });

  it('prints a bootstrap with fallback servers and authorities', async () => {
    const folder = folderWith({
      's.yaml': 'node: n\nservers: { p: {}, q: { state: refusing }, own: {} }\nauthorities: { x.example: [own] }\n',
    });
    const { bootstrap } = await serve(join(folder, 's.yaml'));
    const entry = {
      server_uri: expect.stringMatching(/^127\.0\.0\.1:\d+$/),
      channel_creds: [{ type: 'insecure' }],
      server_features: ['xds_v3'],
    };
    expect(bootstrap).toEqual({
      xds_servers: [entry, entry],
      node: { id: 'n', locality: {} },
      server_listener_resource_name_template: 'grpc/server?xds.resource.listening_address=%s',
      authorities: { 'x.example': { xds_servers: [entry] } },
    });
  });

  it('exits with 69 and one message if the port is in use', async () => {
    const { bootstrap } = await serve(folderWith({}));
    const port = bootstrap.xds_servers[0]?.server_uri.split(':')[1] as string;
    const { code, stdout, stderr } = await runCli(['serve', folderWith({}), '--port', port]);
    expect({ code, stdout }).toEqual({ code: 69, stdout: '' });
    expect(stderr).toBe(
      `xds-inspect: port ${port} on 127.0.0.1 is already in use: stop the process that uses it, or choose another with --port (0 selects a free one)\n`,
    );
  });

  it('reports a port out of range, and quotes the bootstrap for a shell', async () => {
    const folder = folderWith({ 's.yaml': `node: "it's"\nservers: { p: {}, "q\\e[31m": {} }\n` });
    const { code, stderr } = await runCli(['serve', join(folder, 's.yaml'), '--port', '65535']);
    expect(code).toBe(69);
    expect(stderr).toContain('port 65536 is out of range');
    const run = startCli(['serve', join(folder, 's.yaml'), '--port', '0', '--host', '0.0.0.0']);
    later(run.interrupt);
    await until(() => run.stderr.includes('Stop with Ctrl-C'), 'serve starts');
    expect(run.stderr).toContain(`"id":"it'\\''s"`);
    expect(run.stderr).toContain('"server_uri":"127.0.0.1:');
    expect(run.stderr + run.stdout).not.toContain('\u001b');
  });

  it('reports an address that is not local', async () => {
    const { code, stderr } = await runCli(['serve', folderWith({}), '--host', '192.0.2.1']);
    expect(code).toBe(69);
    expect(stderr).toBe('xds-inspect: 192.0.2.1 is not an address of this machine: choose another with --host\n');
  });
});

describe.concurrent('demo <scenario>', () => {
  it('runs the scenario first-look and prints the next commands', async () => {
    const { code, stdout, stderr } = await runCli(['demo', 'first-look']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('A first look at a control plane');
    expect(stdout).toMatch(/← EDS version 13 nonce 1\.5: greeter-blue/);
    expect(stdout).toMatch(/ended: UNAVAILABLE this control plane restarts · next try in/);
    expect(stdout).toMatch(/→ EDS \[greeter-blue\] {2}version 13\n/);
    expect(stdout).toMatch(/Next:\n {2}xds-inspect serve /);
  });

  it('exits with 79 if an expectation of the scenario is not met', async () => {
    const folder = folderWith({ 's.yaml': 'steps: [{ expect: { stream: opened, within: 50ms } }]' });
    const { code, stdout } = await runCli(['demo', join(folder, 's.yaml')]);
    expect(code).toBe(79);
    expect(stdout).toContain('line 1: not received within 50 ms: a new stream');
  });

  it('stops at once when interrupted', async () => {
    const run = startCli(['demo', 'first-look']);
    await until(() => run.stdout.includes('← EDS'), 'the demo runs');
    run.interrupt();
    expect(await run.done).toBe(130);
  });

  it('is coloured on a terminal, unless disabled', async () => {
    const folder = folderWith({
      's.yaml':
        'resources: { a: { "@type": EDS, cluster_name: a } }\nservers: { p: { serves: [{ type: EDS, resources: [a] }] } }\nsteps: [{ expect: { request: EDS, is: ack } }]',
    });
    const path = join(folder, 's.yaml');
    const isColoured = async (argv: string[], variables: Record<string, string>, terminal: boolean): Promise<boolean> =>
      (await runCli(['demo', path, ...argv], variables, terminal)).stdout.includes('\u001b[');
    expect(await isColoured([], {}, true)).toBe(true);
    expect(await isColoured([], {}, false)).toBe(false);
    expect(await isColoured([], { NO_COLOR: '1' }, true)).toBe(false);
    expect(await isColoured([], { TERM: 'dumb' }, true)).toBe(false);
    expect(await isColoured([], { FORCE_COLOR: '1' }, false)).toBe(true);
    expect(await isColoured(['--color', 'always'], { NO_COLOR: '1' }, false)).toBe(true);
    expect(await isColoured([], { XDS_INSPECT_COLOR: 'never' }, true)).toBe(false);
  });
});
