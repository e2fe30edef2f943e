import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestAuthority } from '../support/certificates.js';
import { runCli, startCli } from '../support/cli.js';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'xds-inspect-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const GOOD =
  '{"xds_servers":[{"server_uri":"127.0.0.1:1","channel_creds":[{"type":"insecure"}]}],"node":{"id":"n","locality":{}}}';
const BAD =
  '{\n  "xds_servers": [\n    {"server_uri": "é", "channel_creds": [{"type": "insceure"}]}\n  ], "node": {"id": "n"}\n}\n';

describe('bootstrap validate', () => {
  it('accepts a valid bootstrap with exit code 0', async () => {
    expect(await runCli(['bootstrap', 'validate', file('good.json', GOOD)])).toMatchObject({
      code: 0,
      stdout: 'accepted: gRPC accepts this bootstrap\n',
      stderr: '',
    });
  });

  it('rejects an invalid bootstrap with exit code 65, position, path and the message of C-core', async () => {
    const path = file('bad.json', BAD);
    const { code, stdout, stderr } = await runCli(['bootstrap', 'validate', path]);
    expect({ code, stderr }).toEqual({ code: 65, stderr: '' });
    expect(stdout).toContain(`${path}:3:42  error    xds_servers[0].channel_creds: no known creds type found\n`);
    expect(stdout).toContain('did you mean "insecure"?');
    expect(stdout).toMatch(
      /rejected: gRPC \(C-core\) would report\n {2}errors validating JSON: \[field:xds_servers\[0\]\.channel_creds error:no known creds type found\]\n$/,
    );
    expect(stdout).not.toContain('^');
  });

  it('marks the position on a terminal, and redacts secrets', async () => {
    const path = file(
      'secret.json',
      '{"node": {"metadata": {"api_token": "s3cret"}, "id": 5}, "xds_servers": [{"server_uri": "127.0.0.1:1", "channel_creds": [{"type": "insecure"}]}]}',
    );
    const { stdout } = await runCli(['bootstrap', 'validate', path, '--color', 'never'], {}, true);
    expect(stdout).toContain('   1 | …: {"metadata": {"api_token": "[redacted]"}, "id": 5}');
    expect(stdout).toMatch(/\n {5}\| {52}\^\n/);
    expect(stdout).not.toContain('s3cret');
    for (const format of ['json', 'github'])
      expect((await runCli(['bootstrap', 'validate', path, '-o', format])).stdout).not.toContain('s3cret');
    expect(
      (
        await runCli([
          'bootstrap',
          'resolve',
          'x',
          file('meta.json', GOOD.replace('"id":"n"', '"id":"n","metadata":{"password":"s3cret"}')),
          '-o',
          'json',
        ])
      ).stdout,
    ).not.toContain('s3cret');
  });

  it('prints JSON with -o json', async () => {
    const { code, stdout } = await runCli(['bootstrap', 'validate', '-o', 'json', file('bad.json', BAD)]);
    expect(code).toBe(65);
    expect(JSON.parse(stdout)).toMatchObject({
      schema: 'xds-inspect/bootstrap/v1',
      source: join(folder, 'bad.json'),
      verdict: 'rejected',
      error: 'errors validating JSON: [field:xds_servers[0].channel_creds error:no known creds type found]',
      problems: expect.arrayContaining([
        {
          code: 'XI002',
          severity: 'error',
          path: 'xds_servers[0].channel_creds',
          message: 'no known creds type found',
          line: 3,
          column: 42,
          advice: 'Correct the named field.',
        },
      ]),
    });
  });

  it('escapes text in GitHub annotations', async () => {
    const path = file(
      'a,b:c.json',
      '{"xds_servers":[{"server_uri":"xds:///a%\\nb","channel_creds":[{"type":"insecure"}]}],"node":{"id":"n","locality":{}}}',
    );
    const { stdout } = await runCli(['bootstrap', 'validate', '-o', 'github', path]);
    expect(stdout.split('\n').length).toBe(3);
    expect(stdout).toMatch(
      /^::error file=.*a%2Cb%3Ac\.json,line=1,col=31,title=XI013::xds_servers\[0\]\.server_uri: "xds:\/\/\/a%25%0Ab"/m,
    );
  });

  it('validates several files, names each, and exits with the code of the worst', async () => {
    const [good, lint] = [
      file('good.json', GOOD),
      file('lint.json', GOOD.replace(',"node":{"id":"n","locality":{}}', '')),
    ];
    const bad = file('bad.json', BAD);
    const strict = ['--failure-threshold', 'warning'];
    const { code, stdout } = await runCli(['bootstrap', 'validate', good, bad, lint, '/nonexistent/b.json', ...strict]);
    expect(code).toBe(65);
    expect(stdout.match(/^.*: (accepted|rejected): gRPC/gm)).toEqual([
      `${good}: accepted: gRPC`,
      `${bad}: rejected: gRPC`,
      `${lint}: accepted: gRPC`,
      '/nonexistent/b.json: rejected: gRPC',
    ]);
    expect((await runCli(['bootstrap', 'validate', good, lint, ...strict])).code).toBe(79);
    expect((await runCli(['bootstrap', 'validate', good, good, ...strict])).code).toBe(0);
  });

  it('prints JSON for a single file only', async () => {
    const good = file('good.json', GOOD);
    expect(await runCli(['bootstrap', 'validate', '-o', 'json', good, good])).toMatchObject({
      code: 64,
      stdout: '',
      stderr: expect.stringContaining('-o json requires a single bootstrap'),
    });
  });

  it('counts findings at or above --failure-threshold, except suppressed ones', async () => {
    const path = file('warn.json', GOOD.replace('"node":{"id":"n","locality":{}}', '"node":{}'));
    const run = async (...flags: string[]): Promise<number> =>
      (await runCli(['bootstrap', 'validate', path, ...flags])).code;
    expect(await run()).toBe(0);
    expect(await run('--failure-threshold', 'warning')).toBe(79);
    expect(await run('--failure-threshold', 'warning', '--suppress', 'XI026,XI012')).toBe(0);
    expect((await runCli(['bootstrap', 'validate', path], { XDS_INSPECT_FAILURE_THRESHOLD: 'warning' })).code).toBe(79);
  });

  it('reads stdin, or the environment variables in the order of gRPC', async () => {
    const fromStdin = startCli(['bootstrap', 'validate', '-', '-o', 'json'], {}, false, undefined, GOOD);
    expect(await fromStdin.done).toBe(0);
    expect(JSON.parse(fromStdin.stdout).source).toBe('stdin');
    const source = async (variables: Record<string, string>): Promise<[number, string]> => {
      const { code, stdout } = await runCli(['bootstrap', 'validate', '-o', 'json'], variables);
      return [code, JSON.parse(stdout).source];
    };
    const path = file('good.json', GOOD);
    expect(await source({ GRPC_XDS_BOOTSTRAP: path, GRPC_XDS_BOOTSTRAP_CONFIG: '{}' })).toEqual([
      0,
      `GRPC_XDS_BOOTSTRAP=${path}`,
    ]);
    expect(await source({ GRPC_XDS_BOOTSTRAP_CONFIG: GOOD })).toEqual([0, 'GRPC_XDS_BOOTSTRAP_CONFIG']);
    expect(await source({ GRPC_XDS_BOOTSTRAP: '', GRPC_XDS_BOOTSTRAP_CONFIG: GOOD })).toEqual([
      65,
      'GRPC_XDS_BOOTSTRAP=',
    ]);
  });

  it('checks the environment variables only if it reads the bootstrap from them', async () => {
    const variables = { GRPC_XDS_BOOTSTRAP: file('good.json', GOOD), GRPC_XDS_BOOTSTRAP_CONFIG: GOOD };
    expect((await runCli(['bootstrap', 'validate'], variables)).stdout).toContain('XI010');
    expect((await runCli(['bootstrap', 'validate', file('good.json', GOOD)], variables)).stdout).not.toContain('XI010');
  });

  it('lists the searched places if there is no bootstrap', async () => {
    const { code, stdout } = await runCli(['bootstrap', 'validate']);
    expect(code).toBe(65);
    for (const place of ['command line', 'GRPC_XDS_BOOTSTRAP (a file)', 'GRPC_XDS_BOOTSTRAP_CONFIG (its content)'])
      expect(stdout).toContain(place);
    expect(stdout).toContain('Environment variables GRPC_XDS_BOOTSTRAP or GRPC_XDS_BOOTSTRAP_CONFIG not defined');
    const missing = await runCli(['bootstrap', 'validate', '/nonexistent/b.json', '-o', 'json']);
    expect(JSON.parse(missing.stdout)).toMatchObject({
      verdict: 'rejected',
      error: 'Failed to load file: /nonexistent/b.json due to error(fdopen): No such file or directory',
    });
  });

  it('reports an expired certificate, and files without a certificate', async () => {
    const authority = await TestAuthority.create('the authority');
    const expired = file('expired.pem', (await authority.issue({ daysLeft: 1 })).certificate);
    const broken = file('broken.pem', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n');
    const tls = (path: string): string =>
      GOOD.replace('{"type":"insecure"}', `{"type":"tls","config":{"ca_certificate_file":"${path}"}}`);
    const inTwoDays = (): number => Date.now() + 2 * 86_400_000;
    const later = startCli(['bootstrap', 'validate', file('tls.json', tls(expired))], {}, false, inTwoDays);
    await later.done;
    expect(later.stdout).toMatch(/XI035 .*expired\.pem: the certificate expired on \d{4}-\d\d-\d\d/);
    expect((await runCli(['bootstrap', 'validate', file('tls.json', tls(expired))])).stdout).not.toContain('XI035');
    expect((await runCli(['bootstrap', 'validate', file('tls.json', tls(broken))])).stdout).toContain(
      'it contains an unreadable certificate',
    );
    expect((await runCli(['bootstrap', 'validate', file('tls.json', tls(folder))])).stdout).toContain('it is a folder');
  });
});

describe('bootstrap resolve', () => {
  const SERVERS = (features: string[]): string =>
    JSON.stringify({
      xds_servers: [
        { server_uri: 'a:1', channel_creds: [{ type: 'insecure' }], server_features: features },
        { server_uri: 'b:2', channel_creds: [{ type: 'tls' }] },
      ],
      node: { id: 'n' },
      authorities: { x: { xds_servers: [{ server_uri: 'c:3', channel_creds: [{ type: 'insecure' }] }] }, '': {} },
      server_listener_resource_name_template: 'xdstp:///envoy.config.listener.v3.Listener/%s',
    });
  const resolve = async (
    target: string,
    features: string[],
    variables: Record<string, string> = {},
    ...flags: string[]
  ) => {
    const { code, stdout } = await runCli(
      ['bootstrap', 'resolve', target, file('r.json', SERVERS(features)), '-o', 'json', ...flags],
      variables,
    );
    return { code, json: JSON.parse(stdout) };
  };

  it('normalizes scopes and empty authorities, except with --as c-core (D7, D17)', async () => {
    for (const target of ['svc', 'xds:///svc', 'xds:/svc', 'XDS:svc'])
      expect((await resolve(target, [])).json.scope).toBe('xds:///svc');
    expect((await resolve('xds:///svc', [], {}, '--as', 'c-core')).json.scope).toBe('xds:/svc');
    expect((await resolve('#server:[::]:80', [])).json).toMatchObject({
      scope: '#server',
      listener: 'xdstp:///envoy.config.listener.v3.Listener/%5B::%5D:80',
      dataPlaneAuthority: '',
    });
    expect((await resolve('#server:[::]:80', [], {}, '--as', 'c-core')).json.listener).toBe(
      'xdstp:/envoy.config.listener.v3.Listener/%5B::%5D:80',
    );
  });

  it('selects the servers of the authority', async () => {
    expect((await resolve('xds://x/svc', [])).json).toMatchObject({
      authority: 'x',
      serversFrom: 'authorities["x"].xds_servers',
      servers: [{ uri: 'c:3', priority: 0 }],
    });
    expect((await resolve('svc', [])).json.servers.map((s: { uri: string }) => s.uri)).toEqual(['a:1', 'b:2']);
    expect((await resolve('svc', [], { GRPC_EXPERIMENTAL_XDS_FALLBACK: 'false' })).json.servers.length).toBe(1);
    expect(
      (await resolve('svc', [], { GRPC_EXPERIMENTAL_XDS_FALLBACK: 'false' }, '--as', 'c-core')).json.servers.length,
    ).toBe(2);
  });

  const off = { GRPC_EXPERIMENTAL_XDS_DATA_ERROR_HANDLING: '0' };
  const on = { GRPC_EXPERIMENTAL_XDS_DATA_ERROR_HANDLING: 'yes' };
  const behaviours: [string, string[], Record<string, string>, string, object][] = [
    [
      'no features',
      [],
      {},
      'spec',
      { resourceTimerMs: 15_000, onTimer: 'does not exist', onDataError: 'kept', onDeletion: 'kept' },
    ],
    [
      'both features of A88',
      ['fail_on_data_errors', 'resource_timer_is_transient_error'],
      {},
      'spec',
      { resourceTimerMs: 30_000, onTimer: 'timeout', onDataError: 'dropped', onDeletion: 'dropped' },
    ],
    [
      'the same with A88 off',
      ['fail_on_data_errors', 'resource_timer_is_transient_error'],
      off,
      'spec',
      { resourceTimerMs: 15_000, onTimer: 'does not exist', onDataError: 'kept', onDeletion: 'dropped' },
    ],
    [
      'C-core, where A88 is off by default',
      ['fail_on_data_errors'],
      {},
      'c-core',
      { onDataError: 'kept', onDeletion: 'dropped' },
    ],
    [
      'C-core with A88 on',
      ['resource_timer_is_transient_error'],
      on,
      'c-core',
      { resourceTimerMs: 15_000, onTimer: 'timeout' },
    ],
    [
      'ignore_resource_deletion with A88 off',
      ['ignore_resource_deletion', 'trusted_xds_server'],
      off,
      'spec',
      { onDeletion: 'kept', trusted: true },
    ],
  ];
  for (const [title, features, variables, as, want] of behaviours) {
    it(`shows the effect of the server features: ${title} (D6, D13)`, async () => {
      expect((await resolve('svc', features, variables, '--as', as)).json.servers[0].behaviour).toMatchObject(want);
    });
  }

  it('prints listener, authority and servers as text', async () => {
    const { code, stdout } = await runCli([
      'bootstrap',
      'resolve',
      'a b',
      file('r.json', SERVERS(['trusted_xds_server'])),
      '--default-authority',
      'x/y',
    ]);
    expect(code).toBe(0);
    expect(stdout).toContain('listener    a b\n');
    expect(stdout).toContain('authority   x%2Fy  (selects the virtual host)');
    expect(stdout).toContain('trusted: may rewrite');
    expect(stdout).toContain('fallback 1');
  });

  it('reports a target that is not a URI with the message of C-core', async () => {
    const { json } = await resolve('xds:///a#f[', []);
    expect(json.error).toEqual({
      code: 'UNKNOWN',
      message: "Failed to create channel to 'xds:///a#f[':the target uri is not valid: dns:///xds:///a#f[",
    });
  });

  it('exits with 79 and the status of RPCs for an unusable target, and with 65 for an invalid bootstrap', async () => {
    expect(await resolve('xds://nope/x', [])).toMatchObject({
      code: 79,
      json: { error: { code: 'UNAVAILABLE', message: 'Invalid target URI -- authority not found for nope' } },
    });
    expect((await runCli(['bootstrap', 'resolve', '#server:x', file('good.json', GOOD)])).stdout).toContain(
      'server_listener_resource_name_template not provided',
    );
    expect(await runCli(['bootstrap', 'resolve', 'x', file('bad.json', BAD)])).toMatchObject({ code: 65, stdout: '' });
    expect(await runCli(['bootstrap', 'resolve', 'x'])).toMatchObject({ code: 65, stdout: '' });
    const odd = file(
      'odd.json',
      GOOD.replace('"node"', '"client_default_listener_resource_name_template":"xdstp://q/%s","node"'),
    );
    expect((await runCli(['bootstrap', 'resolve', 'x', odd])).stdout).toContain(
      'Unable to parse resource name xdstp://q/x',
    );
    const lost = file(
      'lost.json',
      GOOD.replace(
        '"node"',
        '"client_default_listener_resource_name_template":"xdstp://q/envoy.config.listener.v3.Listener/%s","node"',
      ),
    );
    // Both messages are those of grpcio 1.85.1; they contain the node id if there is a node.
    expect((await runCli(['bootstrap', 'resolve', 'x', lost])).stdout).toContain(
      'UNAVAILABLE: empty address list (LDS resource xdstp://q/envoy.config.listener.v3.Listener/x: authority "q" not present in bootstrap config (node ID:n))\n',
    );
    const nodeless = GOOD.replace(
      '"node":{"id":"n","locality":{}}',
      '"client_default_listener_resource_name_template":"xdstp://q/%s"',
    );
    expect((await runCli(['bootstrap', 'resolve', 'x', file('nodeless.json', nodeless)])).stdout).toContain(
      'empty address list (LDS resource xdstp://q/x: Unable to parse resource name xdstp://q/x)\n',
    );
  });
});
