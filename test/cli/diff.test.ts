import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { filesOf, TestAuthority } from '../support/certificates.js';
import { temporaryFolder } from '../support/clean-up.js';
import { ROOT, runCli, startCli, until } from '../support/cli.js';
import { later, listener, scenario, serving, startServing } from '../support/serving.js';

const RECORDING = join(ROOT, 'fixtures/recordings/first-look.xdsrec');
const ROUTES = 'rds: { route_config_name: rt, config_source: { ads: {} } }';

/** A control plane for the target greeter, whose route leads to this cluster. `red` is not served. */
const plane = (cluster: string, version = '1'): string =>
  scenario(`
resources:
  l: ${listener(ROUTES)}
  r: { "@type": RDS, name: rt, virtual_hosts: [{ name: a, domains: ["*"], routes: [{ match: { prefix: "" }, route: { cluster: ${cluster} } }] }] }
  b: { "@type": CDS, name: blue, type: EDS, eds_cluster_config: { eds_config: { ads: {} } } }
  e: { "@type": EDS, cluster_name: blue, endpoints: [{ locality: { region: r }, load_balancing_weight: 1, lb_endpoints: [{ endpoint: { address: { socket_address: { address: 10.0.0.1, port_value: 80 } } } }] }] }
servers:
  p:
    serves:
      - { type: LDS, version: "${version}", resources: [l] }
      - { type: RDS, version: "${version}", resources: [r] }
      - { type: CDS, version: "${version}", resources: [b] }
      - { type: EDS, version: "${version}", resources: [e] }
`);

const UNREACHABLE = ['--server', '127.0.0.1:1', '--plaintext', '--timeout', '20s'];

/** The path of a new file. */
function fileOf(text: string, name = 'file.yaml'): string {
  const path = join(temporaryFolder(), name);
  writeFileSync(path, text);
  return path;
}

/** The resources that a control plane serves, saved by a command. */
async function saved(argv: string[], variables: Record<string, string>, name = 'saved.yaml'): Promise<string> {
  return fileOf((await runCli(argv, variables)).stdout, name);
}

/** A process that serves its state over CSDS; returns its address. */
async function csdsOf(variables: Record<string, string>): Promise<string> {
  const client = startCli(['watch', 'greeter', '--csds-port', '0'], variables);
  later(client.interrupt);
  await until(() => client.stderr.includes('CSDS on '), 'CSDS is served');
  await until(() => client.stdout.includes('configuration published'), 'resources arrive');
  return /CSDS on (\S+)/.exec(client.stderr)?.[1] as string;
}

async function httpServer(handle: RequestListener): Promise<string> {
  const server = createServer(handle);
  later(() => void server.close());
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const T = 'type.googleapis.com/';
const CLUSTER = { '@type': `${T}envoy.config.cluster.v3.Cluster`, name: 'blue', type: 'STATIC' };
const DUMP = JSON.stringify({
  configs: [
    {
      '@type': `${T}envoy.admin.v3.ClustersConfigDump`,
      dynamic_active_clusters: [{ version_info: '7', cluster: CLUSTER, client_status: 'ACKED' }],
    },
  ],
});

async function diff(argv: string[], variables: Record<string, string> = {}) {
  return await runCli(['diff', ...argv], variables);
}

describe.concurrent('diff', () => {
  it('compares what two control planes serve for a target, each with its own bootstrap', async () => {
    const [old, current] = await Promise.all([serving(plane('blue')), serving(plane('blue', '2'))]);
    const files = [old, current].map((one) => fileOf(one.GRPC_XDS_BOOTSTRAP_CONFIG, 'bootstrap.json'));
    const both = ['greeter', 'xds:///greeter', '-b', files[0] as string, '-b', files[1] as string];
    const same = await diff(both);
    expect([same.code, same.stdout, same.stderr]).toEqual([0, 'equal: 4 resources\n', '']);
    const versions = await diff([...both, '--versions', '-o', 'json']);
    expect(versions.code).toBe(79);
    const { summary, resources, sides } = JSON.parse(versions.stdout);
    expect(summary).toMatchObject({ changed: 4 });
    expect(resources[0].versions).toEqual({ before: '1', after: '2' });
    expect(sides.before.label).toMatch(/^xds:\/\/\/greeter \(127\.0\.0\.1:\d+\)$/);
    expect(sides.before.label).not.toBe(sides.after.label);
  });

  it('compares a target of two contexts', async () => {
    const [old, current] = await Promise.all([serving(plane('blue')), serving(plane('blue'))]);
    const files = [old, current].map((one) => fileOf(one.GRPC_XDS_BOOTSTRAP_CONFIG, 'bootstrap.json'));
    const contexts = { staging: { bootstrap: files[0] }, prod: { bootstrap: files[1] } };
    const variables = { XDS_INSPECT_CONFIG: fileOf(JSON.stringify({ contexts })) };
    const both = ['--context', 'staging', '--context', 'prod'];
    const { code, stdout } = await diff(['greeter', ...both, '-o', 'json'], variables);
    expect(code).toBe(0);
    const { before, after } = JSON.parse(stdout).sides;
    expect(before.label).toMatch(/^xds:\/\/\/greeter \(context staging, 127\.0\.0\.1:\d+\)$/);
    expect(after.label).toMatch(/^xds:\/\/\/greeter \(context prod, /);
    const unknown = await diff(['greeter', 'greeter', '--context', 'prd'], variables);
    expect([unknown.code, unknown.stderr]).toEqual([65, expect.stringContaining('did you mean "prod"')]);
  });

  it('compares two servers without a bootstrap, and reports the changed field', async () => {
    const servers = (await Promise.all([serving(plane('blue')), serving(plane('red'))])).map(
      (one) => JSON.parse(one.GRPC_XDS_BOOTSTRAP_CONFIG).xds_servers[0].server_uri,
    );
    const flags = ['--server', servers[0], '--server', servers[1], '--plaintext', '--type', 'RDS'];
    const { code, stdout } = await diff(['greeter', 'greeter', ...flags, '-o', 'json']);
    expect(code).toBe(79);
    const { resources } = JSON.parse(stdout);
    expect(resources).toHaveLength(1);
    expect(resources[0]).toMatchObject({ type: 'RDS', name: 'rt', change: 'changed' });
    expect(resources[0].changes).toEqual([
      { path: expect.stringMatching(/route\.cluster$/), kind: 'changed', before: 'blue', after: 'red' },
    ]);
  });

  it('reads a target, a process, a recording, files and saved documents of one configuration as equal', async () => {
    const variables = await serving(plane('blue'));
    const recording = join(temporaryFolder(), 'session.xdsrec');
    await runCli(['wait', 'greeter', '--until', 'acked', '--record', recording, '-q'], variables);
    const address = await csdsOf(variables);
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'all.yaml'), (await runCli(['get', 'all'], variables)).stdout);
    const csds = ['csds', address, '--plaintext'];
    const sides = [
      'greeter',
      `csds:${address}`,
      recording,
      folder,
      await saved(['get', 'all', '-o', 'json'], variables),
      await saved(['get', 'all', '-o', 'yaml'], variables),
      await saved([...csds, '-o', 'json'], variables),
      await saved([...csds, '-o', 'csds'], variables),
    ];
    const [first = '', ...others] = sides;
    for (const side of others) {
      const flags = side.startsWith('csds:') ? ['--plaintext'] : [];
      const { code, stdout, stderr } = await diff([side, first, ...flags], variables);
      expect([side, code, stdout, stderr]).toEqual([side, 0, 'equal: 4 resources\n', '']);
    }
  });

  it('compares a saved status by version, and says so', async () => {
    const variables = await serving(plane('blue'));
    for (const command of [
      ['status', 'greeter'],
      ['report', 'greeter'],
    ]) {
      const file = await saved([...command, '-o', 'json'], variables, 'status.json');
      const same = await diff([file, 'greeter'], variables);
      expect([same.code, same.stdout]).toEqual([0, 'equal: 4 resources, 4 of them compared by version only\n']);
      const other = await diff([file, 'greeter'], await serving(plane('blue', '2')));
      expect(other.code).toBe(79);
      expect(other.stdout).toMatch(/^different: 4 of 4 resources/);
    }
  });

  it('compares a recording at a time with its end', async () => {
    const { code, stdout } = await diff([`${RECORDING}@500ms`, RECORDING, '-o', 'json']);
    expect(code).toBe(79);
    const { sides, resources } = JSON.parse(stdout);
    expect([sides.before.label, sides.after.label]).toEqual([`${RECORDING} at 500 ms`, `${RECORDING} at its end`]);
    expect(resources.map((one: { type: string }) => one.type)).toEqual(['EDS']);
    const late = await diff([`${RECORDING}@1h`, RECORDING]);
    expect(late.code).toBe(0);
    expect(late.stdout).toContain('ends after 7.0 s: its last state is compared');
  });

  it('compares the resources of a recording that get made', async () => {
    const variables = await serving(plane('blue'));
    const recording = join(temporaryFolder(), 'get.xdsrec');
    const { stdout } = await runCli(['get', 'cds', 'blue', '-o', 'yaml', '--record', recording], variables);
    const same = await diff([recording, fileOf(stdout)]);
    expect([same.code, same.stdout]).toEqual([0, 'equal: 1 resource\n']);
    const other = await diff([recording, fileOf(stdout.replace('type: EDS', 'type: STATIC'))]);
    expect([other.code, other.stdout]).toEqual([79, expect.stringContaining('STATIC')]);
  });

  it.each([
    ['@later', 64, /@TIME takes an offset from the start such as 12\.5s, or an RFC 3339 time, not "later"/],
    ['@2020-01-01T00:00:00Z', 64, /is before the start of the recording/],
  ])('rejects the time %s', async (at, expected, message) => {
    const { code, stderr } = await diff([`${RECORDING}${at}`, RECORDING]);
    expect([code, stderr]).toEqual([expected, expect.stringMatching(message)]);
  });

  it('notes resources that a target lacks and the other side does not list', async () => {
    const variables = await serving(plane('red'));
    const file = await saved(['get', 'rds', 'rt', '-o', 'yaml'], variables);
    const { code, stdout } = await diff([file, 'greeter', '--type', 'RDS,CDS', '--timeout', '20s'], {
      ...variables,
    });
    expect([code, stdout.split('\n')[0]]).toEqual([0, 'equal: 1 resource']);
    expect(stdout).toContain('lacks CDS red (DOES_NOT_EXIST)');
  });

  it('reports the problems of both sides at once, and what was read of the other', async () => {
    const bad = fileOf('- name: x\n  nonsense: [\n', 'bad.yaml');
    const both = await diff([bad, join(ROOT, 'nothing-here.yaml')]);
    expect(both.code).toBe(65);
    expect(both.stderr).toContain('nothing-here.yaml: no such file or folder');
    const unreachable = await diff([bad, 'greeter', ...UNREACHABLE]);
    expect([unreachable.code, unreachable.stdout]).toEqual([65, '']);
    expect(unreachable.stderr).toContain('bad.yaml:');
    expect(unreachable.stderr).toContain('greeter: 127.0.0.1:1 refuses connections');
    const one = await diff([fileOf(JSON.stringify(CLUSTER)), 'greeter', ...UNREACHABLE]);
    expect([one.code, one.stdout]).toEqual([69, '']);
    expect(one.stderr).toMatch(
      /greeter: 127\.0\.0\.1:1 refuses connections\n.*file\.yaml: 1 resource read \(1 CDS\)\n$/,
    );
  });

  it('exits with 75 if a target does not settle, and compares what arrived', async () => {
    const silent = scenario(`
resources: { l: ${listener(ROUTES)} }
servers: { p: { serves: [{ type: LDS, version: "1", resources: [l] }] } }
`);
    const { code, stdout, stderr } = await diff(['greeter', RECORDING, '--timeout', '2s'], await serving(silent));
    expect([code, stderr]).toEqual([
      75,
      expect.stringMatching(/greeter has not settled within 2\.0 s: 1 resource without/),
    ]);
    expect(stdout).toMatch(/^different: /);
  });

  it('exits with 130 if it is interrupted while a target settles', async () => {
    const { plane: server, variables } = await startServing(scenario('servers: { p: { serves: [] } }'));
    const run = startCli(['diff', 'greeter', RECORDING], variables);
    await until(() => server.stdout.includes('LDS'), 'the listener is requested');
    run.interrupt();
    expect(await run.done).toBe(130);
  });

  it('exits with 130 if it is interrupted before a response over HTTP', async () => {
    let isAsked = false;
    const base = await httpServer(() => {
      isAsked = true;
    });
    const run = startCli(['diff', `${base}/config_dump`, RECORDING]);
    await until(() => isAsked, 'the dump is requested');
    run.interrupt();
    expect([await run.done, run.stdout]).toEqual([130, '']);
  });

  it('names both spellings of an ambiguous side', async () => {
    const { code, stderr } = await diff(['localhost:50051', 'istio:istiod:15010']);
    expect(code).toBe(64);
    expect(stderr).toContain('use csds:localhost:50051 for the process');
    expect(stderr).toContain('or xds:///localhost:50051 for a target');
    expect(stderr).toContain('istio:istiod:15010');
  });

  it.each([
    [['greeter', RECORDING, '-b', 'a', '-b', 'b'], '-b is given twice, but only one side is a target: give it once'],
    [[RECORDING, RECORDING, '--server', 'a', '--server', 'b'], '--server is given twice, but no side is a target'],
    [['a', 'b', '-b', 'a', '-b', 'b', '-b', 'c'], '-b is given 3 times: give it once, or once for each side'],
    [['greeter'], 'missing argument: the other side. To compare a target on two control planes, give -b, --server'],
    [['greeter', '-b', 'a'], 'missing argument: the other side'],
    [[RECORDING, '-b', 'a', '-b', 'b'], '-b is given twice, but no side is a target: give it once'],
    [['-', '-'], 'both sides are stdin'],
    [['greeter', RECORDING, '--plaintext'], '--plaintext requires --server, csds: or a URL'],
    [[RECORDING, RECORDING, '--name', '('], '--name: '],
    [['xdstp://a/b/c', RECORDING], 'not an xDS target'],
    [['csds:here', RECORDING, '--plaintext'], 'invalid address "here"'],
    [['http://[', RECORDING], 'http://[/config_dump?include_eds: not a valid URL'],
    [[fileOf('{}', 'a.json').concat('@5s'), RECORDING], 'a.json is not a recording: @5s is a time in a recording'],
  ])('rejects %j', async (argv, message) => {
    const { code, stderr } = await diff(argv);
    expect([code, stderr]).toEqual([64, expect.stringContaining(message)]);
  });

  it('reads stdin as one side', async () => {
    const path = fileOf(JSON.stringify(CLUSTER), 'a.json');
    const run = startCli(['diff', '-', path], {}, false, undefined, readFileSync(path, 'utf8'));
    expect([await run.done, run.stdout]).toEqual([0, 'equal: 1 resource\n']);
  });

  it('compares a dump of Envoy over HTTP with a file, and notes that it has no endpoints', async () => {
    const asked: string[] = [];
    const base = await httpServer(({ url = '' }, response) => {
      asked.push(url);
      response.end(DUMP);
    });
    const path = fileOf(DUMP, 'dump.json');
    const { code, stdout } = await diff([`${base}/config_dump`, path]);
    expect([code, stdout.split('\n')[0]]).toEqual([0, 'equal: 1 resource']);
    expect(stdout).toContain('add ?include_eds to the URL');
    const short = await diff([base.replace('http://', 'envoy:'), `envoy:${path}`]);
    expect([short.code, short.stdout]).toEqual([0, 'equal: 1 resource\n']);
    expect(asked).toEqual(['/config_dump', '/config_dump?include_eds']);
    const wrong = await diff([path, fileOf(JSON.stringify({ ...CLUSTER, name: 'red' }))]);
    expect(wrong.code).toBe(79);
  });

  it.each<[string, RequestListener, RegExp]>([
    [
      'a redirect',
      (_, response) => response.writeHead(302, { location: 'http://elsewhere/config_dump' }).end(),
      /it redirects to http:\/\/elsewhere\/config_dump \(HTTP status 302 Found\): use that URL/,
    ],
    [
      'a wrong path',
      (_, response) => response.writeHead(404).end(),
      /the server does not have this page \(HTTP status 404 Not Found\)/,
    ],
    ['an error', (_, response) => response.writeHead(503).end(), /HTTP status 503 Service Unavailable/],
    ['a broken response', ({ socket }) => void socket.destroy(), /it does not speak HTTP\/1\.1 on this port/],
    [
      'a response that is cut off',
      ({ socket }, response) => {
        response.writeHead(200, { 'content-length': '1000' }).write('{', () => socket.destroy());
      },
      /aborted|does not speak/,
    ],
  ])('exits with 69 after %s', async (_, handle, message) => {
    const base = await httpServer(handle);
    const { code, stderr } = await diff([`${base}/config_dump`, RECORDING]);
    expect([code, stderr]).toEqual([69, expect.stringMatching(message)]);
  });

  it('exits with 69 if a dump does not arrive in time', async () => {
    const base = await httpServer((_, response) => void response.writeHead(200).write('{'));
    const { code, stderr } = await diff([`${base}/config_dump`, RECORDING, '--timeout', '200ms']);
    expect([code, stderr]).toEqual([69, expect.stringContaining('no complete response within 200 ms')]);
  });

  it('exits with 65 if a URL has no resources', async () => {
    const base = await httpServer((_, response) => void response.end('<!DOCTYPE html><html></html>'));
    const { code, stderr } = await diff([`${base}/`, RECORDING]);
    expect([code, stderr]).toEqual([65, expect.stringContaining('an HTML page')]);
  });

  it('verifies the certificate of an HTTPS server', async () => {
    const authority = await TestAuthority.create('CA');
    const { certificate: cert, key } = await authority.issue({ names: ['localhost'] });
    const files = filesOf({ ca: authority.pem });
    const server = createSecureServer({ cert, key }, (_, response) => response.end(DUMP));
    later(() => void server.close());
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    const url = `https://localhost:${(server.address() as AddressInfo).port}/config_dump?include_eds`;
    const path = fileOf(DUMP, 'dump.json');
    expect(await diff([url, path, '--cacert', files.ca])).toMatchObject({ code: 0, stdout: 'equal: 1 resource\n' });
    expect(await diff([url, path, '--insecure'])).toMatchObject({ code: 0 });
    const untrusted = await diff([url, path]);
    expect([untrusted.code, untrusted.stderr]).toEqual([69, expect.stringContaining('set the CA with --cacert')]);
  });

  it('exits with 69 if a process serves no CSDS', async () => {
    const { code, stderr } = await diff(['csds:127.0.0.1:1', RECORDING, '--plaintext']);
    expect([code, stderr]).toEqual([69, expect.stringContaining('csds:127.0.0.1:1: nothing listens there')]);
  });

  it('redacts secrets in a URL and in resources', async () => {
    const secret = (key: string): string =>
      JSON.stringify({
        '@type': `${T}envoy.extensions.transport_sockets.tls.v3.Secret`,
        name: 'tls',
        tls_certificate: { private_key: { inline_string: key } },
      });
    const sides = [fileOf(secret('hunter2'), 'a.json'), fileOf(secret('hunter3'), 'b.json')];
    const { code, stdout } = await diff(sides);
    expect(code).toBe(79);
    expect(stdout).not.toContain('hunter');
    expect((await diff([...sides, '--show-secrets'])).stdout).toContain('hunter3');
    const url = await diff(['http://me:hunter2@127.0.0.1:1/config_dump', RECORDING]);
    expect([url.code, url.stderr.includes('hunter2')]).toEqual([69, false]);
  });
});
