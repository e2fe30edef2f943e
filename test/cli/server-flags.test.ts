import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Issued, TestAuthority } from '../support/certificates.js';
import { temporaryFolder } from '../support/clean-up.js';
import { runCli } from '../support/cli.js';
import { type Arrival, type Gate, REFUSED, type Refusal, startGate, startTunnel } from '../support/gate.js';
import { STEADY, scenario, serving } from '../support/serving.js';

const NAME = 'istiod.istio-system.svc';

let authority: TestAuthority;
let identity: Issued;
let plane: string;
let ca: string;
/** A TLS control plane whose certificate is for other names than that of the tunnel that leads to it. */
let behind: Gate;
let tunnel: string;

beforeAll(async () => {
  authority = await TestAuthority.create('the mesh');
  identity = await authority.issue({ names: [NAME, '*.example.com'] });
  const { GRPC_XDS_BOOTSTRAP_CONFIG: config } = await serving(scenario(STEADY));
  plane = JSON.parse(config).xds_servers[0].server_uri;
  ca = join(temporaryFolder(), 'ca.pem');
  writeFileSync(ca, authority.pem);
  behind = await startGate(plane, { identity });
  tunnel = await startTunnel(behind.port);
});

const server = (...flags: string[]): string[] => ['greeter', '--server', tunnel, ...flags];

/** Words of a report, which wraps lines. */
const flat = (text: string): string => text.replace(/\s+/g, ' ');

describe('a TLS control plane behind a port-forward', () => {
  it('fails without --authority, names the certificate and suggests the flag', async () => {
    const { code, stdout, stderr } = await runCli(server('--cacert', ca));
    expect(code).toBe(69);
    const text = flat(stdout + stderr);
    expect(text).toContain(`has a TLS certificate for DNS:${NAME}, DNS:*.example.com, not for 127.0.0.1`);
    expect(text).toContain(`→ Name a server of the certificate: --authority ${NAME}.`);
    expect(text).not.toContain('in the bootstrap');
  });

  it('works with --authority, which is the SNI, the name to verify and :authority', async () => {
    const { code, stdout, stderr } = await runCli(server('--cacert', ca, '--authority', NAME));
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain('greeter  OK');
    expect(behind.arrivals.at(-1)?.authority).toBe(NAME);
  });

  it('is verified with the name in --authority, without its port', async () => {
    const good = await runCli(server('--cacert', ca, '--authority', 'pilot.example.com:15012'));
    expect([good.code, behind.arrivals.at(-1)?.authority]).toEqual([0, 'pilot.example.com:15012']);
    const { code, stdout, stderr } = await runCli(server('--cacert', ca, '--authority', 'other.svc'));
    expect(code).toBe(69);
    expect(flat(stdout + stderr)).toContain('not for other.svc');
  });

  it('works with --insecure, with a warning, and the report names it', async () => {
    const { code, stdout, stderr } = await runCli(server('--insecure', '-o', 'json'));
    expect(code).toBe(0);
    expect(stderr).toBe(`warning: the certificate of ${tunnel} is not verified (--insecure)\n`);
    expect(JSON.parse(stdout)).toMatchObject({ bootstrap: `--server ${tunnel} --insecure`, verdict: 'ok' });
  });

  it('suggests --cacert and --insecure for an unknown CA', async () => {
    const { code, stdout, stderr } = await runCli(server('--authority', NAME));
    expect(code).toBe(69);
    expect(flat(stdout + stderr)).toContain(
      '→ Trust its CA with --cacert FILE, or accept any certificate with --insecure.',
    );
  });

  it('is reached with a bootstrap only by the advice to change the bootstrap', async () => {
    const config = { type: 'tls', config: { ca_certificate_file: ca } };
    const bootstrap = { xds_servers: [{ server_uri: tunnel, channel_creds: [config] }], node: { id: 'n' } };
    const variables = { GRPC_XDS_BOOTSTRAP_CONFIG: JSON.stringify(bootstrap) };
    const { stdout, stderr } = await runCli(['greeter'], variables);
    expect(flat(stdout + stderr)).toContain('→ Dial a name of the certificate in server_uri of the bootstrap');
  });

  it('takes the flags from variables', async () => {
    const variables = {
      XDS_INSPECT_SERVER: tunnel,
      XDS_INSPECT_AUTHORITY: NAME,
      XDS_INSPECT_CACERT: ca,
      XDS_INSPECT_XDS_HEADER: 'x-team: a: b',
    };
    expect((await runCli(['greeter'], variables)).code).toBe(0);
    expect(behind.arrivals.at(-1)).toMatchObject({ authority: NAME, headers: { 'x-team': 'a: b' } });
    const insecure = await runCli(['greeter'], { XDS_INSPECT_SERVER: tunnel, XDS_INSPECT_INSECURE: 'true' });
    expect([insecure.code, insecure.stderr]).toEqual([0, expect.stringContaining('not verified')]);
  });

  it('suggests commands with the flags', async () => {
    const flags = ['--cacert', ca, '--authority', NAME, '--node-cluster', 'c', '--node-metadata', '{"a":{"b":1}}'];
    const { stdout } = await runCli(server(...flags, '-H', 'x-key: s3cret-value'));
    const next = flat(stdout).slice(flat(stdout).indexOf('Next:'));
    expect(next).toContain(`--server ${tunnel} --cacert ${ca} --authority ${NAME} -H 'x-key: [redacted]'`);
    expect(next).toContain(`--node-cluster c --node-metadata '{"a":{"b":1}}'`);
    expect(stdout).not.toContain('s3cret');
  });
});

/** A control plane that ends streams unless they carry this token. */
const wantsToken =
  (token: string) =>
  ({ headers }: Arrival): Refusal =>
    headers.authorization === `Bearer ${token}`
      ? undefined
      : { code: REFUSED.unauthenticated, details: `no access with ${headers.authorization}` };

describe('metadata of the ADS stream', () => {
  it('contains the token of a file, which is read again for each stream', async () => {
    const gate = await startGate(plane, { identity, judge: wantsToken('second-token') });
    const file = join(temporaryFolder(), 'token');
    writeFileSync(file, '  first-token\n');
    const flags = ['greeter', '--server', gate.address, '--cacert', ca, '--authority', NAME, '--token-file', file];
    const { code, stdout, stderr } = await runCli(flags);
    expect(code).toBe(69);
    expect(stdout + stderr).toContain('no access with Bearer [redacted]');
    expect(stdout + stderr).not.toContain('first-token');
    expect(flat(stdout + stderr)).toContain('credentials that the control plane accepts: --token-file');
    const wait = runCli(['wait', ...flags, '--timeout', '20s']);
    writeFileSync(file, 'second-token');
    expect((await wait).code).toBe(0);
  });

  it('contains headers, in the order of the command line and with decoded -bin values', async () => {
    const gate = await startGate(plane);
    const headers = [
      '-H',
      'X-Team: one',
      '--xds-header',
      'x-team:two',
      '-H',
      'x-raw-bin: aGVsbG8',
      '-H',
      'x-c: a,b: c',
    ];
    const { code, stderr } = await runCli(['greeter', '--server', gate.address, '--plaintext', ...headers]);
    expect([code, stderr]).toEqual([0, '']);
    const { headers: sent } = gate.arrivals.at(-1) as Arrival;
    expect(sent).toMatchObject({ 'x-team': 'one, two', 'x-c': 'a,b: c', 'x-raw-bin': Buffer.from('hello') });
  });

  it('is refused by the server with advice', async () => {
    const gate = await startGate(plane, { judge: wantsToken('a') });
    const { code, stdout, stderr } = await runCli(['greeter', '--server', gate.address, '--plaintext']);
    expect(code).toBe(69);
    expect(flat(stdout + stderr)).toContain('--token-file, --cert and --key, or -H.');
  });

  it('shows names only on the wire log, and values with --show-secrets', async () => {
    const gate = await startGate(plane);
    const flags = ['status', 'greeter', '--server', gate.address, '--plaintext', '-v', '-H', 'x-key: s3cret-value'];
    const hidden = await runCli(flags);
    expect(hidden.stderr).toContain('metadata: x-key: [redacted]\n');
    expect(hidden.stdout + hidden.stderr).not.toContain('s3cret');
    expect((await runCli([...flags, '--show-secrets'])).stderr).toContain('metadata: x-key: s3cret-value\n');
  });
});

/** Istio and Envoy Gateway select resources by the node. */
describe('a control plane that inspects the node', () => {
  const invalid = (details: string): Refusal => ({ code: REFUSED.invalid, details });

  it('selects resources by node.cluster, as Envoy Gateway does', async () => {
    const judge = ({ node }: Arrival): Refusal =>
      node.cluster === 'default/eg' && node.id !== '' ? undefined : invalid(`unknown gateway "${node.cluster}"`);
    const gate = await startGate(plane, { judge });
    const flags = ['greeter', '--server', gate.address, '--plaintext', '--node-id', 'envoy-default-eg'];
    const without = await runCli(flags);
    expect(without.code).toBe(69);
    expect(flat(without.stdout + without.stderr)).toContain('the node (--node-id, --node-cluster, --node-metadata)');
    expect((await runCli([...flags, '--node-cluster', 'default/eg'])).code).toBe(0);
  });

  it('reads maps and lists in node.metadata and the locality, as Istio does', async () => {
    const judge = ({ node: { id, metadata } }: Arrival): Refusal => {
      const { app } = (metadata.LABELS ?? {}) as { app?: string };
      const isProxy = /^sidecar~[\d.]+~[\w-]+\.[\w-]+~[\w.]+$/.test(id);
      return isProxy && app === 'greeter' && metadata.NAMESPACE === 'demo' ? undefined : invalid('no proxy');
    };
    const gate = await startGate(plane, { judge });
    const id = 'sidecar~10.0.0.1~debug.demo~demo.svc.cluster.local';
    const flags = ['greeter', '--server', gate.address, '--plaintext', '--node-id', id];
    expect((await runCli([...flags, '--node-metadata', 'NAMESPACE=demo'])).code).toBe(69);
    const json = '{"LABELS":{"app":"greeter","x":[1,true,null]}}';
    const pairs = [...flags, '--node-metadata', 'NAMESPACE=demo,GENERATOR=grpc', '--node-metadata', json];
    expect((await runCli([...pairs, '--node-locality', 'eu/eu-1/rack-7'])).code).toBe(0);
    expect(gate.arrivals.at(-1)?.node).toEqual({
      ...{ id, cluster: '', locality: { region: 'eu', zone: 'eu-1', subZone: 'rack-7' } },
      metadata: { NAMESPACE: 'demo', GENERATOR: 'grpc', LABELS: { app: 'greeter', x: [1, true, null] } },
    });
    const file = join(temporaryFolder(), 'node.yaml');
    writeFileSync(file, 'NAMESPACE: demo\nLABELS:\n  app: greeter\n');
    expect((await runCli([...flags, '--node-metadata', `@${file}`])).code).toBe(0);
  });

  it('gets the metadata of the bootstrap, with keys that the flag replaces as a whole', async () => {
    const gate = await startGate(plane);
    const node = { id: 'n', cluster: 'own', metadata: { keep: { a: 1 }, LABELS: { old: 'yes' } } };
    const servers = [{ server_uri: gate.address, channel_creds: [{ type: 'insecure' }] }];
    const variables = { GRPC_XDS_BOOTSTRAP_CONFIG: JSON.stringify({ xds_servers: servers, node }) };
    await runCli(['greeter', '--node-metadata', '{"LABELS":{"new":"yes"}}', '--node-locality', 'eu'], variables);
    expect(gate.arrivals.at(-1)?.node).toEqual({
      ...{ id: 'n', cluster: 'own', locality: { region: 'eu', zone: '', subZone: '' } },
      metadata: { keep: { a: 1 }, LABELS: { new: 'yes' } },
    });
  });
});

describe('invalid flags of a connection', () => {
  const SERVER = ['--server', 'h:1'];
  it.each<[argv: string[], message: string]>([
    [['--authority', 'a'], '--authority requires --server or --kube'],
    [['--insecure'], '--insecure requires --server or --kube'],
    [['-H', 'a: b'], '--xds-header requires --server or --kube'],
    [['--token-file', 'f'], '--token-file requires --server or --kube'],
    [['--kube-context', 'f'], '--kube-context requires --kube'],
    [[...SERVER, '--kubeconfig', 'f'], '--kubeconfig requires --kube'],
    [[...SERVER, '--kube', 'svc/a:1'], '--server excludes --kube'],
    [['-b', 'f', '--kube', 'svc/a:1'], '--kube excludes --bootstrap'],
    [[...SERVER, '--plaintext', '--insecure'], '--plaintext excludes --insecure'],
    [[...SERVER, '--plaintext', '--token-file', 'f'], '--plaintext excludes --token-file'],
    [[...SERVER, '--token-file', 'f', '-H', 'Authorization: Bearer s3cret'], '--token-file excludes -H authorization'],
    [[...SERVER, '--authority', 'a b'], '--authority takes a server name'],
    [[...SERVER, '--authority', 'a/b'], '--authority takes a server name'],
    [[...SERVER, '-H', 's3cret'], "--xds-header takes 'name: value'; the colon is missing"],
    [[...SERVER, '-H', ':authority: s3cret'], 'cannot set ":authority", which gRPC sets itself; --authority sets it'],
    [[...SERVER, '-H', 'grpc-timeout: s3cret'], 'names that begin with grpc- are reserved'],
    [[...SERVER, '-H', 'te: s3cret'], 'cannot set "te", which gRPC sets itself'],
    [[...SERVER, '-H', 'a b: s3cret'], 'cannot set "a b": the name of a header consists of'],
    [[...SERVER, '-H', 'a: s3cret\u0007'], 'takes printable ASCII for "a"'],
    [[...SERVER, '-H', 'a: s3crét'], 'takes printable ASCII for "a"'],
    [[...SERVER, '-H', 'a-bin: s3cret!'], 'takes base64 for "a-bin"'],
    [[...SERVER, '-H', 'authorization:', 'Bearer', 's3cret'], `has no value for "authorization": quote the header`],
    [['--server', 'unix-abstract:a'], '--server unix-abstract:a: abstract sockets are not supported, use unix:/path'],
    [['--server', 'unix://host/a'], 'the path of a Unix socket has no host: write unix:///path'],
    [['--server', 'unix:'], 'the path of the Unix socket is empty'],
    [[...SERVER, '--node-metadata', '{"token":"s3cret"'], '--node-metadata begins with { and is not valid JSON'],
    [[...SERVER, '--node-metadata', '@'], '--node-metadata @ requires a file'],
    [[...SERVER, '--node-locality', 'a/b/c/d'], '--node-locality takes region, region/zone or region/zone/sub_zone'],
    [[...SERVER, '--node-locality', ''], '--node-locality takes region'],
  ])('%j: %s', async (flags, message) => {
    const { code, stderr, stdout } = await runCli(['status', 'greeter', ...flags], { GRPC_XDS_BOOTSTRAP: '/none' });
    expect([code, stdout]).toEqual([64, '']);
    expect(flat(stderr)).toContain(message);
    expect(stderr).not.toContain('s3cr');
  });

  it.each<[what: string, content: string | undefined, message: string]>([
    ['is missing', undefined, 'cannot be read: no such file'],
    ['is empty', ' \n', 'cannot be read: it is empty'],
    ['has several lines', 's3cret\nmore', 'cannot be read: it contains characters that no token has'],
  ])('a token file that %s is reported before connecting', async (_, content, message) => {
    const file = join(temporaryFolder(), 'token');
    if (content !== undefined) writeFileSync(file, content);
    for (const argv of [
      ['status', 'greeter', '--server', 'h:1'],
      ['csds', 'h:1'],
    ]) {
      const { code, stderr } = await runCli([...argv, '--token-file', file]);
      expect([code, stderr]).toEqual([65, expect.stringContaining(message)]);
      expect(stderr).not.toContain('s3cret');
    }
  });

  it.each([
    ['a: [', 'node.yaml:1:'],
    ['- a', 'expected a mapping, the node.metadata to add, got a list'],
  ])('a file of metadata with %j is reported', async (content, message) => {
    const file = join(temporaryFolder(), 'node.yaml');
    writeFileSync(file, content);
    const { code, stderr } = await runCli(['status', 'greeter', '--server', 'h:1', '--node-metadata', `@${file}`]);
    expect([code, stderr]).toEqual([65, expect.stringContaining(message)]);
  });
});

describe('a Unix socket', () => {
  it.each(['unix:', 'unix://'])('is an address of --server and of CSDS with %s', async (scheme) => {
    const { createServer, connect } = await import('node:net');
    const path = join(temporaryFolder(), 's');
    const [host, port] = plane.split(':');
    const socket = createServer((near) => {
      const far = connect(Number(port), host);
      near
        .on('error', () => {})
        .pipe(far.on('error', () => {}))
        .pipe(near);
    });
    await new Promise<void>((ready) => socket.listen(path, ready));
    const { code, stdout } = await runCli([
      'status',
      'greeter',
      '--server',
      `${scheme}${path}`,
      '--plaintext',
      '-o',
      'json',
    ]);
    expect([code, JSON.parse(stdout).verdict]).toEqual([0, 'ok']);
    const { stderr } = await runCli(['csds', `${scheme}${path}`, '--plaintext']);
    expect(stderr).toContain('it has no CSDS service');
    socket.close();
  });
});

describe('the value of -H', () => {
  const SECRET = 's3cret-value-of-a-header';
  const HEADER = ['-H', `x-key: ${SECRET}`];

  it.each([
    ['report', ['-v']],
    ['report', ['-o', 'json']],
    ['status', ['-o', 'yaml', '-v']],
    ['watch', ['--for', '1s', '-o', 'ndjson']],
    ['explain', []],
    ['get', ['-o', 'json', '-v']],
    ['compare', []],
    ['check', ['--init', 'greeter', '-o', 'json']],
  ])('is in no output of %s %j, not even if the server repeats it', async (command, flags) => {
    const judge = ({ headers }: Arrival): Refusal => ({
      code: REFUSED.invalid,
      details: `bad key ${headers['x-key']}`,
    });
    const target = command === 'get' ? 'listeners' : command === 'check' ? [] : 'greeter';
    for (const gate of [await startGate(plane), await startGate(plane, { judge })]) {
      const server = ['--server', gate.address, '--plaintext', ...HEADER];
      const argv = [command, target, ...server, ...flags, '--timeout', '10s'].flat();
      const timed = command === 'watch' ? argv.slice(0, -2) : argv;
      const { code, stdout, stderr } = await runCli(timed);
      expect(code, stderr).not.toBe(64);
      expect(gate.arrivals.at(-1)?.headers).toMatchObject({ 'x-key': SECRET });
      expect(stdout + stderr).not.toContain(SECRET);
    }
  });

  it('is in no file that a command writes', async () => {
    const judge = ({ headers }: Arrival): Refusal => ({
      code: REFUSED.invalid,
      details: `bad key ${headers['x-key']}`,
    });
    const gate = await startGate(plane, { judge });
    const folder = temporaryFolder();
    const server = ['--server', gate.address, '--plaintext', ...HEADER];
    const files = ['--record', join(folder, 'r.xdsrec'), '--html', join(folder, 'r.html')];
    await runCli(['report', 'greeter', ...server, ...files, '--bundle', join(folder, 'r.tgz')]);
    const recording = readFileSync(join(folder, 'r.xdsrec'), 'utf8');
    expect(recording).toContain('bad key [redacted]');
    expect(readFileSync(join(folder, 'r.html'), 'utf8')).toContain('<html');
    const bundle = gunzipSync(readFileSync(join(folder, 'r.tgz'))).toString('latin1');
    for (const text of [recording, readFileSync(join(folder, 'r.html'), 'latin1'), bundle])
      expect(text).not.toContain(SECRET);
    const replayed = await runCli(['replay', join(folder, 'r.xdsrec')]);
    expect(replayed.stdout + replayed.stderr).toContain('the node (--node-id, --node-cluster, --node-metadata)');
  });

  it('is in no output of csds', async () => {
    const gate = await startGate(plane);
    const { code, stdout, stderr } = await runCli(['csds', gate.address, '--plaintext', ...HEADER]);
    expect(code).toBe(69);
    expect(stdout + stderr).not.toContain(SECRET);
  });
});
