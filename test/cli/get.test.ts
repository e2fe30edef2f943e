import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { API_TYPES } from '../../src/proto/api-types.js';
import { DiscoveryResponse } from '../../src/proto/generated/envoy.service.discovery.v3.js';
import { encode } from '../../src/proto/message-type.js';
import { temporaryFolder } from '../support/clean-up.js';
import { runCli, startCli, until } from '../support/cli.js';
import { CLOSED, clusterBytes, LiveServer, type Respond, responseBytes } from '../support/live-server.js';
import { HALF_BROKEN, later, scenario, serving } from '../support/serving.js';

const SDS = API_TYPES.SDS as string;
const HIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

function file(name: string, contents: string | Uint8Array, folder = temporaryFolder()): string {
  const path = join(folder, name);
  writeFileSync(path, contents);
  return path;
}

const CLUSTERS = `
"@type": CDS
name: blue
type: EDS
eds_cluster_config: { eds_config: { ads: {} } }
---
"@type": CDS
name: green
type: LOGICAL_DNS
metadata: { filter_metadata: { notes: { text: "two\\nlines", yes: "on", big: 1e300 } } }
load_assignment: { endpoints: [{ lb_endpoints: [{ endpoint: { address: { socket_address: { address: a.example, port_value: 80 } } } }] }] }
`;

/** Serves a folder of resources. */
async function servingFolder(contents: string): Promise<Record<string, string>> {
  return serving(dirname(file('all.yaml', contents)));
}

async function liveServer(respond: Respond): Promise<{ server: LiveServer; flags: string[] }> {
  const server = await LiveServer.start(respond);
  later(() => server.close());
  return { server, flags: ['--server', server.uri, '--plaintext'] };
}

describe.concurrent('get', () => {
  it('prints every resource of a type as a YAML document that validate and serve accept', async () => {
    const variables = await servingFolder(CLUSTERS);
    const first = await runCli(['get', 'cds'], variables);
    expect([first.code, first.stderr]).toEqual([0, '']);
    expect(first.stdout).toMatch(/^---\n# blue · version 1 · from 127\.0\.0\.1:\d+ · accepted\n"@type": /);
    const documents = parseAllDocuments(first.stdout).map((one) => one.toJS());
    expect(documents).toMatchObject([
      { name: 'blue', type: 'EDS' },
      { name: 'green', type: 'LOGICAL_DNS' },
    ]);
    expect(documents[1].metadata.filterMetadata.notes).toEqual({ text: 'two\nlines', yes: 'on', big: 1e300 });

    const path = file('got.yaml', first.stdout);
    const validated = await runCli(['validate', path, '-o', 'json']);
    expect(validated.code).toBe(0);
    expect(
      JSON.parse(validated.stdout).responses[0].resources.map((r: { name: string; line: number }) => r.name),
    ).toEqual(['blue', 'green']);
    const second = await runCli(['get', 'cds'], await serving(dirname(path)));
    const withoutHeadings = (text: string): string => text.replace(/^# .*$/gm, '');
    expect(withoutHeadings(second.stdout)).toBe(withoutHeadings(first.stdout));
  });

  it('prints resources whose problems validate locates in the second document', async () => {
    const path = file('two.yaml', `---\n"@type": CDS\nname: a\n---\n"@type": CDS\nname: b\nlb_policy: RING\n`);
    const { code, stdout } = await runCli(['validate', path]);
    expect([code, stdout]).toEqual([65, expect.stringContaining('two.yaml:7:1')]);
  });

  it('prints a JSON document', async () => {
    const { code, stdout } = await runCli(
      ['get', 'Cluster', 'blue', 'red', '-o', 'json'],
      await serving(scenario(HALF_BROKEN)),
    );
    expect(code).toBe(79);
    const view = JSON.parse(stdout);
    expect(view).toMatchObject({
      schema: 'xds-inspect/get/v1',
      type: 'CDS',
      typeUrl: API_TYPES.CDS,
      server: expect.stringMatching(/^127\.0\.0\.1:\d+$/),
      nack: null,
      resources: [
        {
          name: 'blue',
          version: '2',
          verdict: 'accepted',
          bytes: 14,
          resource: { '@type': API_TYPES.CDS, type: 'EDS' },
        },
      ],
      errors: [{ name: 'red', code: 'PERMISSION_DENIED', message: 'not for you' }],
      missing: [],
    });
    expect(view.resources[0]).not.toHaveProperty('problems');
  });

  it('prints names, a table and events', async () => {
    const variables = await servingFolder(CLUSTERS);
    const print = async (format: string): Promise<string> =>
      (await runCli(['get', 'cds', '-o', format], variables)).stdout;
    expect(await print('name')).toBe('blue\ngreen\n');
    expect(await print('table')).toMatch(
      /^NAME +VERSION +SIZE +VERDICT\nblue +1 +14 B +accepted\ngreen +1 +\d+ B +accepted\n$/,
    );
    const events = (await print('ndjson'))
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(events).toMatchObject([
      { kind: 'resource', scope: 'get', change: 'updated', name: 'blue', at: expect.stringMatching(/Z$/) },
      { kind: 'resource', name: 'green' },
    ]);
  });

  it('prints resources that gRPC rejects with the reason, and sends a NACK', async () => {
    const variables = await servingFolder('{ "@type": CDS, name: bad, type: STATIC }');
    const { code, stdout, stderr } = await runCli(['get', 'cds', '-v'], variables);
    expect(code).toBe(79);
    expect(stdout).toContain('· rejected\n');
    expect(stdout).toContain('name: bad\n');
    expect(stderr).toContain('bad: gRPC rejects it: type: unknown discovery type\n');
    expect(stderr).toMatch(/→ CDS \[\] NACK nonce \S+: xDS response validation errors: /);
    expect((await runCli(['get', 'cds', '--fail-on', 'none'], variables)).code).toBe(0);
    const { resources, nack } = JSON.parse((await runCli(['get', 'cds', '-o', 'json'], variables)).stdout);
    expect(resources[0]).toMatchObject({
      verdict: 'rejected',
      problems: [{ path: 'type', message: 'unknown discovery type' }],
    });
    expect(nack).toContain('unknown discovery type');
  });

  it('rejects every response with --nack', async () => {
    const { server, flags } = await liveServer((request, call) => {
      if (request.responseNonce === '') call.write(responseBytes('1', [clusterBytes('a')]));
    });
    const { code, stdout } = await runCli(['get', 'cds', 'a', '--nack', 'to see what you do', '-o', 'name', ...flags]);
    expect([code, stdout]).toEqual([0, 'a\n']);
    await until(() => server.requests.length === 2, 'the server receives the NACK');
    expect(server.requests[0]).toMatchObject({
      resourceNames: ['a'],
      versionInfo: '',
      node: { userAgentName: 'xds-inspect' },
    });
    expect(server.requests[1]).toMatchObject({
      resourceNames: ['a'],
      versionInfo: '',
      responseNonce: 'n1',
      errorDetail: { code: 3, message: 'to see what you do' },
      node: undefined,
    });
  });

  it('reports a server that resends without end once, and fails', async () => {
    let nonce = 0;
    let isEmpty = false;
    const { flags } = await liveServer((_request, call) => {
      call.write(responseBytes('1', isEmpty ? [] : [clusterBytes('a')], { nonce: String(++nonce) }));
    });
    const nacked = await runCli(['get', 'cds', '--nack', 'no', '-v', ...flags]);
    expect(nacked.code).toBe(79);
    expect(nacked.stderr).toMatch(
      /\nFindings\n {2}XI203 error {2}[\d,]+ times in [\d.]+ m?s.*: CDS version 1 is resent after each NACK: no\n {8}→ Correct/,
    );
    expect(nacked.stderr.split('\n').length).toBeLessThan(60);
    expect((await runCli(['get', 'cds', '--nack', 'no', '--suppress', 'XI203', ...flags])).stderr).not.toContain(
      'XI203',
    );

    isEmpty = true;
    const all = await runCli(['get', 'cds', '*', '-o', 'json', ...flags]);
    expect(all.code).toBe(79);
    expect(JSON.parse(all.stdout).findings).toMatchObject([
      {
        code: 'XI214',
        message: 'CDS: the server sends empty responses repeatedly to a client that subscribes to "*", now version 1',
      },
    ]);
    const watched = await runCli(['get', 'cds', '*', '--watch', '--for', '1500ms', '-o', 'ndjson', ...flags]);
    const findings = watched.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(findings.length).toBeLessThanOrEqual(3);
    expect(findings[0]).toMatchObject({ kind: 'finding', change: 'opened', code: 'XI214' });
  });

  it('ACKs types that gRPC does not use, and redacts secrets without --show-secrets', async () => {
    const variables = await servingFolder(`
- { "@type": "${SDS}", name: cert, tls_certificate: { private_key: { inline_string: KEY }, certificate_chain: { inline_string: CHAIN } } }
- { "@type": "${SDS}", name: generic, generic_secret: { secret: { inline_string: KEY } } }
- { "@type": "${SDS}", name: tickets, session_ticket_keys: { keys: [{ inline_string: KEY }] } }
`);
    for (const format of ['yaml', 'json', 'ndjson']) {
      const { code, stdout, stderr } = await runCli(['get', 'sds', '*', '-o', format, '-v'], variables);
      expect(code).toBe(0);
      expect(stdout.match(/\[redacted\]/g)).toHaveLength(3);
      expect(stdout).toContain('CHAIN');
      expect(stdout + stderr).not.toContain('KEY');
      expect(stderr).toMatch(/→ \S+Secret \[\*\] {2}version 1/);
    }
    const { stdout } = await runCli(['get', 'sds', 'cert', '--show-secrets'], variables);
    expect(stdout).toContain('inlineString: KEY\n');
  });

  it('prints unknown types and fields', async () => {
    const typeUrl = 'acme.example/acme.Widget';
    const { server, flags } = await liveServer((request, call) => {
      const resources = [{ typeUrl, value: Uint8Array.of(0x0a, 1, 119, 0x10, 5) }];
      if (request.responseNonce !== '') return;
      call.write(
        Buffer.from(
          encode(DiscoveryResponse, DiscoveryResponse.create({ typeUrl, nonce: 'n', versionInfo: '1', resources })),
        ),
      );
    });
    const { code, stdout, stderr } = await runCli(['get', typeUrl, 'w', ...flags]);
    expect([code, stderr]).toEqual([0, 'acme.Widget is not in the API: requesting it anyway\n']);
    expect(parseAllDocuments(stdout)[0]?.toJS()).toEqual({
      '@type': typeUrl,
      '@error': 'type not known',
      '@value': 'CgF3EAU=',
    });
    expect(server.requests.map(({ typeUrl: requested }) => requested)).toEqual([typeUrl, typeUrl]);

    const widget = file('w.proto', 'syntax = "proto3"; package acme; message Widget { string name = 1; }');
    const known = await runCli(['get', typeUrl, 'w', '--proto-path', dirname(widget), ...flags]);
    expect([known.code, known.stderr]).toEqual([0, '']);
    expect(parseAllDocuments(known.stdout)[0]?.toJS()).toEqual({
      '@type': typeUrl,
      name: 'w',
      '@unknown': [{ field: 2, varint: '5' }],
    });
  });

  it('reports all invalid type files at once', async () => {
    const folder = temporaryFolder();
    const bad = file('bad.proto', 'message {', folder);
    const set = file('bad.pb', Uint8Array.of(0x0a, 200), folder);
    const { code, stderr, stdout } = await runCli([
      ...['get', 'cds', '--server', 'localhost:1', '--plaintext'],
      ...[
        '--descriptor-set',
        set,
        '--descriptor-set',
        join(folder, 'none.pb'),
        '--proto-path',
        folder,
        '--proto-path',
        bad,
      ],
    ]);
    expect([code, stdout]).toEqual([65, '']);
    expect(stderr).toMatch(
      /bad\.pb: not a FileDescriptorSet: .* at byte \d+\n.*none\.pb: cannot be read: no such file\n/,
    );
    expect(stderr).toContain(`${bad}: --proto-path takes a folder\n`);
    expect(stderr).toContain("bad.proto: illegal type name '{' (line 1)");
  });

  it('prints the received and reports the missing resources after the timeout', async () => {
    const variables = await servingFolder(CLUSTERS);
    const { code, stdout, stderr } = await runCli(
      ['get', 'cds', 'blue', 'nope', '-o', 'name', '--timeout', '300ms'],
      variables,
    );
    expect([code, stdout, stderr]).toEqual([
      75,
      'blue\n',
      expect.stringMatching(/^xds-inspect: nope: no response within 300 ms; 127\.0\.0\.1:\d+ responded without it\n$/),
    ]);
    const silent = await runCli(['get', 'eds', '--timeout', '200ms'], variables);
    expect([silent.code, silent.stdout]).toEqual([75, '']);
    expect(silent.stderr).toMatch(
      /no response within 200 ms; some servers respond only to requests with resource names/,
    );
  });

  it('prints the received resources when interrupted', async () => {
    const run = startCli(['get', 'cds', 'blue', 'nope', '-v', '-o', 'json'], await servingFolder(CLUSTERS));
    await until(() => run.stderr.includes('version 1'), 'a response');
    run.interrupt();
    expect(await run.done).toBe(130);
    expect(JSON.parse(run.stdout)).toMatchObject({ resources: [{ name: 'blue' }], missing: ['nope'] });
  });

  it('shows on a terminal what it waits for, except with -q', async () => {
    const variables = await servingFolder(CLUSTERS);
    const stderrOf = async (...flags: string[]): Promise<string> =>
      (await runCli(['get', 'cds', 'nope', '--timeout', '200ms', ...flags], variables, true)).stderr;
    expect(await stderrOf()).toMatch(/waiting for nope from 127\.0\.0\.1:\d+ · at most/);
    expect(await stderrOf('-q')).toMatch(/^xds-inspect: nope: no response within 200 ms.*\n$/);
  });

  it('reports why no server could be used', async () => {
    const nowhere = ['--server', CLOSED, '--plaintext'];
    const unreachable = await runCli(['get', 'cds', ...nowhere]);
    expect([unreachable.code, unreachable.stdout]).toEqual([69, '']);
    expect(unreachable.stderr).toMatch(
      /^xds-inspect: 127\.0\.0\.1:\d+ cannot be reached: nothing listens there: .* · .*ECONNREFUSED.*\n$/,
    );
    const { flags } = await liveServer(
      (_, call) => void call.emit('error', { code: 12, details: 'only \x1b[31mdelta' }),
    );
    const noAds = await runCli(['get', 'cds', ...flags]);
    expect(noAds.code).toBe(69);
    expect(noAds.stderr).toMatch(
      /ended the stream without a response: UNIMPLEMENTED only \\u\{1b\}\[31mdelta · it does not serve ADS\n$/,
    );
    expect(JSON.parse((await runCli(['get', 'cds', '-o', 'json', ...nowhere])).stdout)).toMatchObject({
      resources: [],
    });
  });

  it('uses the next server of the bootstrap if the first is down', async () => {
    const { server } = await liveServer((request, call) => {
      if (request.responseNonce === '') call.write(responseBytes('1', [clusterBytes('a')]));
    });
    const insecure = [{ type: 'insecure' }];
    const bootstrap = {
      xds_servers: [CLOSED, server.uri].map((server_uri) => ({
        server_uri,
        channel_creds: insecure,
      })),
    };
    const variables = { GRPC_XDS_BOOTSTRAP_CONFIG: JSON.stringify(bootstrap) };
    const { code, stdout, stderr } = await runCli(['get', 'cds', '-o', 'name'], variables);
    expect([code, stdout]).toEqual([0, 'a\n']);
    expect(stderr).toContain('cannot be reached');
    const unknown = await runCli(['get', 'cds', 'xdstp://far/envoy.config.cluster.v3.Cluster/x'], variables);
    expect([unknown.code, unknown.stderr]).toEqual([
      79,
      expect.stringContaining('the bootstrap has no authority "far"'),
    ]);
  });

  it('escapes control characters, line breaks and right-to-left text', async () => {
    const name = 'a\x1b[2J\n---\nb\u202ec\x9b\u2028d\u{e0041}';
    const { flags } = await liveServer((request, call) => {
      if (request.responseNonce === '') call.write(responseBytes(`v${name}`, [clusterBytes(name)]));
    });
    for (const format of ['yaml', 'json', 'ndjson', 'table', 'name']) {
      const { stdout, stderr } = await runCli(['get', 'cds', '-v', '-o', format, ...flags]);
      for (const line of `${stdout}${stderr}`.split('\n')) expect(line, format).not.toMatch(HIDDEN);
      if (format === 'yaml') expect(parseAllDocuments(stdout).map((one) => one.toJS().name)).toEqual([name]);
      if (format === 'json') expect(JSON.parse(stdout).resources[0]).toMatchObject({ name, version: `v${name}` });
    }
  });

  it.each(['yaml', 'json', 'ndjson', 'table', 'name'])(
    'prints no name as a GitHub command with -o %s',
    async (format) => {
      const { flags } = await liveServer((request, call) => {
        if (request.responseNonce === '') call.write(responseBytes('1', [clusterBytes('::error::forged')]));
      });
      const { stdout } = await runCli(['get', 'cds', '-o', format, ...flags]);
      expect(stdout).toContain('forged');
      expect(stdout).not.toMatch(/^\s*::/m);
    },
  );

  const usage: [string[], RegExp][] = [
    [['get'], /missing argument/],
    [['get', 'cdss'], /"cdss" is not a resource type \(did you mean "cds"\?\)/],
    [['get', 'cds', '--for', '1s'], /--for requires --watch/],
    [['get', 'cds', '--watch', '--timeout', '1s'], /--timeout excludes --watch: use --for/],
    [['get', 'cds', '--watch', '-o', 'table'], /-o yaml, ndjson or name, not table/],
    [['get', 'cds', '--fail-on', 'ACKED'], /--fail-on takes NACKED, RECEIVED_ERROR, none, not "ACKED"/],
  ];
  for (const [argv, want] of usage) {
    it(`rejects ${argv.join(' ')}`, async () => {
      const { code, stderr } = await runCli([...argv, '--server', 'localhost:1', '--plaintext']);
      expect([code, stderr]).toEqual([64, expect.stringMatching(want)]);
    });
  }
});

describe.concurrent('get --watch', () => {
  const CHANGING = `
resources:
  one: { "@type": CDS, name: one, type: EDS, eds_cluster_config: { eds_config: { ads: {} } } }
  two: { "@type": CDS, name: two, type: EDS, eds_cluster_config: { eds_config: { ads: {} } } }
  bad: { "@type": CDS, name: two, type: STATIC }
servers: { p: { serves: [{ type: CDS, version: "1", resources: [one, two] }] } }
steps:
  - expect: { request: CDS, is: ack, version: "1" }
  - set: { type: CDS, version: "2", resources: [bad], errors: [{ name: x, code: INTERNAL, message: oh }] }
`;

  it('prints changes as they arrive, until interrupted', async () => {
    const run = startCli(['get', 'cds', '--watch', '-o', 'json'], await serving(scenario(CHANGING)));
    await until(() => run.stdout.includes('removed'), 'a removal');
    run.interrupt();
    expect(await run.done).toBe(130);
    const events = run.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(events.map(({ kind, change, name, verdict }) => [kind, change, name, verdict])).toEqual([
      ['resource', 'updated', 'one', 'accepted'],
      ['resource', 'updated', 'two', 'accepted'],
      ['resource', 'updated', 'two', 'rejected'],
      ['error', undefined, 'x', undefined],
      ['resource', 'removed', 'one', undefined],
    ]);
    expect(run.stderr).toMatch(/two: gRPC rejects it: .*\nx: 127\S+ reported INTERNAL: oh\none: removed\n/);
  });

  it('prints YAML documents for the time of --for, and fails on errors', async () => {
    const { code, stdout } = await runCli(['get', 'cds', '-w', '--for', '500ms'], await serving(scenario(CHANGING)));
    expect(code).toBe(79);
    expect(parseAllDocuments(stdout).map((one) => one.toJS().name)).toEqual(['one', 'two', 'two']);
  });

  it('continues when the server is back', async () => {
    let version = 1;
    const { server, flags } = await liveServer((request, call) => {
      if (request.responseNonce === '') call.write(responseBytes(String(version), [clusterBytes(`c${version}`)]));
    });
    const run = startCli(['get', 'cds', '--watch', '-o', 'name', ...flags]);
    await until(() => run.stdout === 'c1\n', 'the first response');
    server.die();
    await until(() => /stream 1 to \S+ ended/.test(run.stderr), 'the end of the stream is reported');
    version = 2;
    await server.comeBack();
    await until(() => run.stdout === 'c1\nc2\n', 'the second response');
    run.interrupt();
    expect(await run.done).toBe(130);
  });
});
