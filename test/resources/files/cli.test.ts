import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCli, startCli } from '../../support/cli.js';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'xds-inspect-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

const GOOD_CLUSTER = 'name: green\ntype: EDS\neds_cluster_config: { eds_config: { ads: {} } }\n';
const BAD_CLUSTER = `name: blue
type: EDS
edsClusterConfig:
  edsConfig: { ads: {} }
lbPolicy: MAGLEV
`;
const ROUTES = `"@type": RDS
name: main
virtual_hosts:
- domains: ["*"]
  routes:
  - match: { prefix: / }
    route: { cluster_header: x-cluster }
  - match: { prefix: "" }
    route: { cluster: green }
`;
const NACK =
  'xDS response validation errors: [resource index 0: blue: INVALID_ARGUMENT: errors validating Cluster resource: [field:lb_policy error:LB policy is not supported]]';

async function json(argv: string[], variables: Record<string, string> = {}) {
  const { code, stdout } = await runCli(['validate', '-o', 'json', ...argv], variables);
  return { code, report: JSON.parse(stdout) };
}

describe('validate', () => {
  it('exits with 0 if gRPC accepts the resource', async () => {
    expect(await runCli(['validate', file('green.yaml', GOOD_CLUSTER)])).toMatchObject({
      code: 0,
      stdout: '1 file, 1 resource: 1 ACK\n',
      stderr: '',
    });
  });

  it('exits with 79 and prints line, column, path and the exact NACK of C-core', async () => {
    const path = file('blue.yaml', BAD_CLUSTER);
    const { code, stdout } = await runCli(['validate', path, '--suppress', 'XI104']);
    expect({ code, stdout }).toEqual({
      code: 79,
      stdout: [
        `${path}:5:1  NACK     lb_policy: LB policy is not supported  [CDS blue]`,
        `NACK ${path} (CDS): gRPC (C-core) would send`,
        `  ${NACK}`,
        '1 file, 1 resource: 1 NACK',
        '',
      ].join('\n'),
    });
  });

  it('prints notes on implementations that differ, with their location', async () => {
    const path = file('noted.yaml', BAD_CLUSTER);
    const { stdout } = await runCli(['validate', path]);
    expect(stdout).toContain(`${path}:5:1  note     lb_policy: DC53 Envoy 1.40 accepts this, unlike gRPC C-core`);
    expect((await runCli(['validate', path, '--suppress', 'DC53'])).stdout).not.toContain('DC53');
    const { report } = await json([file('filters.yaml', `${GOOD_CLUSTER}transport_socket_matches: [{ name: x }]\n`)]);
    expect(report.responses[0].resources[0].notes).toMatchObject([
      { implementation: 'grpc-go', decides: 'rejects', path: 'transport_socket_matches[0]', line: 4 },
      { implementation: 'grpc-java', decides: 'rejects' },
      { implementation: 'envoy', decides: 'rejects' },
    ]);
  });

  it('prints the parts that gRPC ignores, with their location', async () => {
    const path = file('routes.yaml', ROUTES);
    const { code, stdout } = await runCli(['validate', path]);
    expect(code).toBe(0);
    expect(stdout).toContain(
      `${path}:6:5  ignored  virtual_hosts[0].routes[0]: gRPC does not support cluster_header: it skips the route  [RDS main]`,
    );
    expect(stdout).toContain('1 file, 1 resource: 1 ACK (1 with ignored parts)');
    expect((await runCli(['validate', path, '--failure-threshold', 'warning'])).code).toBe(79);
    expect((await runCli(['validate', path, '--failure-threshold', 'warning', '--suppress', 'XI101'])).code).toBe(0);
  });

  it('prints fields that users may expect to have an effect', async () => {
    const routes = ROUTES.replace(
      'route: { cluster: green }',
      'route: { cluster: green, timeout: 5s, prefix_rewrite: /x }',
    );
    const tls = `${GOOD_CLUSTER}transport_socket:
  name: tls
  typed_config:
    "@type": type.googleapis.com/envoy.extensions.transport_sockets.tls.v3.UpstreamTlsContext
    common_tls_context: { validation_context: { trusted_ca: { filename: ca.pem }, system_root_certs: {} } }
`;
    const { report } = await json([file('timeout.yaml', routes), file('trusted.yaml', tls)]);
    const ignored = report.responses.map(
      (r: { resources: { ignored: { kind: string; path: string; line: number }[] }[] }) =>
        r.resources[0]?.ignored.map(({ kind, path, line }) => `${line} ${kind} ${path}`),
    );
    expect(ignored).toEqual([
      [
        '6 route virtual_hosts[0].routes[0]',
        '9 field virtual_hosts[0].routes[1].route.timeout',
        '9 field virtual_hosts[0].routes[1].route.prefix_rewrite',
      ],
      ['8 field transport_socket.typed_config.common_tls_context.validation_context.trusted_ca'],
    ]);
  });

  it('validates all files even if some cannot be read, and exits with 65 rather than 79', async () => {
    const paths = [file('a.yaml', BAD_CLUSTER), join(folder, 'missing.yaml'), file('c.yaml', 'name: [')];
    const { code, report } = await json(paths);
    expect(code).toBe(65);
    expect(report.responses.map((r: { source: string; verdict: string }) => [r.source, r.verdict])).toEqual([
      [paths[0], 'NACK'],
    ]);
    expect(report.unreadable.map((u: { source: string }) => u.source)).toEqual(paths.slice(1));
    const { stdout } = await runCli(['validate', ...paths]);
    expect(stdout).toContain(`${paths[1]}:1:1  error    cannot be read: no such file`);
    expect(stdout).toContain('3 files, 1 resource: 1 NACK, 2 files unreadable');
  });

  it('prints a JSON document for scripts', async () => {
    const path = file(
      'blue.json',
      JSON.stringify({
        name: 'blue',
        type: 'EDS',
        lb_policy: 'MAGLEV',
        eds_cluster_config: { eds_config: { self: {} } },
      }),
    );
    const { code, report } = await json([path]);
    expect(code).toBe(79);
    expect(report).toMatchObject({
      schema: 'xds-inspect/validate/v1',
      responses: [
        {
          source: path,
          type: 'CDS',
          verdict: 'NACK',
          nack: NACK,
          resources: [
            {
              name: 'blue',
              verdict: 'rejected',
              problems: [{ path: 'lb_policy', message: 'LB policy is not supported', line: 1, column: 29 }],
              ignored: [],
            },
          ],
        },
      ],
    });
  });

  it('prints the references of a resource', async () => {
    const { report } = await json([file('refs.yaml', ROUTES), file('refs2.yaml', GOOD_CLUSTER)]);
    const references = report.responses.map(
      (r: { resources: { references: unknown }[] }) => r.resources[0]?.references,
    );
    expect(references).toEqual([[{ type: 'CDS', name: 'green' }], [{ type: 'EDS', name: 'green' }]]);
  });

  it('reads lists, Anys, wrappers and whole responses', async () => {
    const list = file('list.yaml', `- ${GOOD_CLUSTER.replaceAll('\n', '\n  ')}\n- ${ROUTES.replaceAll('\n', '\n  ')}`);
    const wrapped = file(
      'wrapped.yaml',
      `"@type": type.googleapis.com/envoy.service.discovery.v3.Resource\nname: outer\nresource:\n  "@type": CDS\n  ${BAD_CLUSTER.replaceAll('\n', '\n  ')}`.replace(
        '"@type": CDS',
        '"@type": type.googleapis.com/envoy.config.cluster.v3.Cluster',
      ),
    );
    const response = file(
      'response.yaml',
      'type_url: CDS\nversion_info: "7"\nresources:\n- "@type": CDS\n  name: a\n- "@type": EDS\n  cluster_name: b\n',
    );
    const { report } = await json([list, wrapped, response]);
    const results = report.responses.map(
      (r: { type: string; verdict: string; resources: { name: string; problems: { line: number }[] }[] }) => [
        r.type,
        r.verdict,
        r.resources.map(({ name, problems }) => `${name} ${problems.map(({ line }) => line)}`),
      ],
    );
    expect(results).toEqual([
      ['CDS', 'ACK', ['green ']],
      ['RDS', 'ACK', ['main ']],
      ['CDS', 'NACK', ['outer 9']],
      ['CDS', 'NACK', ['a 4', ' 6']],
    ]);
    expect(report.responses[3].nack).toContain(
      'resource index 1: incorrect resource type "envoy.config.endpoint.v3.ClusterLoadAssignment" (should be "envoy.config.cluster.v3.Cluster")',
    );
  });

  it('reads a binary DiscoveryResponse, and prints the offset of an error in it', async () => {
    const typeUrl = 'type.googleapis.com/envoy.config.cluster.v3.Cluster';
    const any = Buffer.concat([
      Buffer.from([0x0a, typeUrl.length]),
      Buffer.from(typeUrl),
      Buffer.from([0x12, 3, 0x0a, 1, 0x78]),
    ]);
    const bytes = Buffer.concat([
      Buffer.from([0x12, any.length]),
      any,
      Buffer.from([0x22, typeUrl.length]),
      Buffer.from(typeUrl),
    ]);
    const good = await json([file('good.binpb', bytes)]);
    expect(good.code).toBe(79);
    expect(good.report.responses[0]).toMatchObject({ type: 'CDS', verdict: 'NACK', resources: [{ name: 'x' }] });
    const cut = await json([file('cut.pb', bytes.subarray(0, 20))]);
    expect(cut.code).toBe(65);
    expect(cut.report.unreadable[0].problems[0].message).toBe(
      'not a DiscoveryResponse: length reaches past the end of the message at byte 2',
    );
  });

  it('reads a DiscoveryResponse without resources', async () => {
    const text =
      '{ "versionInfo": "1", "typeUrl": "type.googleapis.com/envoy.config.cluster.v3.Cluster", "nonce": "1" }';
    const { code, report } = await json([file('empty-response.json', text)]);
    expect(code).toBe(0);
    expect(report).toMatchObject({ responses: [{ type: 'CDS', verdict: 'ACK', resources: [] }], unreadable: [] });
  });

  it('ignores types that gRPC does not support', async () => {
    const secret = '"@type": type.googleapis.com/envoy.extensions.transport_sockets.tls.v3.Secret\nname: s\n';
    const { code, stdout } = await runCli(['validate', file('secret.yaml', secret)]);
    expect(code).toBe(0);
    expect(stdout).toContain(
      'ignored  gRPC does not know the type type.googleapis.com/envoy.extensions.transport_sockets.tls.v3.Secret',
    );
  });

  it('prints a warning for an unknown field, with a suggestion and the code', async () => {
    const path = file('typo.yaml', `${GOOD_CLUSTER}lb_polcy: ROUND_ROBIN\n`);
    expect(await runCli(['validate', path])).toMatchObject({
      code: 0,
      stdout: [
        `${path}:4:1  warning  XI105 lb_polcy: unknown field in envoy.config.cluster.v3.Cluster (did you mean "lb_policy"?)  [CDS green]`,
        '1 file, 1 resource: 1 ACK',
        '',
      ].join('\n'),
    });
    expect((await runCli(['validate', path, '--failure-threshold', 'warning'])).code).toBe(79);
    const suppressed = await runCli(['validate', path, '--failure-threshold', 'warning', '--suppress', 'XI105']);
    expect(suppressed.code).toBe(0);
  });

  it('requires "@type" for an ambiguous resource', async () => {
    const { code, report } = await json([file('what.yaml', 'name: x\n'), file('text.yaml', 'hello\n')]);
    expect(code).toBe(65);
    expect(
      report.unreadable.map((u: { problems: { message: string; line: number }[] }) => u.problems[0]),
    ).toMatchObject([
      { message: 'cannot determine the type of this resource: add "@type" (LDS, RDS, CDS, EDS or a type URL)' },
      { message: 'expected a resource, got "hello"' },
    ]);
  });

  it('counts a file without resources, and exits with 0', async () => {
    const { code, stdout } = await runCli(['validate', file('empty.yaml', '[]\n')]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: '1 file, 0 resources: nothing to validate\n' });
  });

  it('reads stdin and folders', async () => {
    const piped = startCli(['validate', '-'], {}, false, undefined, BAD_CLUSTER);
    await piped.done;
    expect(piped.stdout).toContain('-:5:1  NACK');
    const sub = join(folder, 'tree');
    mkdirSync(join(sub, 'deep'), { recursive: true });
    writeFileSync(join(sub, 'deep', 'b.yml'), BAD_CLUSTER);
    writeFileSync(join(sub, 'a.json'), '{"cluster_name": "e"}');
    writeFileSync(join(sub, 'README.md'), 'not a resource');
    const { report } = await json([sub]);
    expect(report.responses.map((r: { source: string }) => r.source)).toEqual([
      join(sub, 'a.json'),
      join(sub, 'deep', 'b.yml'),
    ]);
    mkdirSync(join(folder, 'none'));
    expect((await runCli(['validate', join(folder, 'none')])).stdout).toContain('contains no resource files (*.yaml');
  });

  it('looks up certificate providers in the bootstrap, and reports those that it cannot check', async () => {
    const tls = file(
      'tls.yaml',
      `${GOOD_CLUSTER}transport_socket:\n  name: tls\n  typed_config:\n    "@type": type.googleapis.com/envoy.extensions.transport_sockets.tls.v3.UpstreamTlsContext\n    common_tls_context: { validation_context: { ca_certificate_provider_instance: { instance_name: roots } } }\n`,
    );
    const bootstrap = (providers: object): string =>
      JSON.stringify({
        xds_servers: [{ server_uri: '127.0.0.1:1', channel_creds: [{ type: 'insecure' }] }],
        certificate_providers: providers,
      });
    const without = await json([tls]);
    expect(without.code).toBe(0);
    expect(without.report.responses[0].resources[0].findings).toMatchObject([
      { code: 'XI103', severity: 'note', line: 8, message: expect.stringContaining('certificate provider "roots"') },
    ]);
    const missing = await json(['-b', file('none.json', bootstrap({})), tls]);
    expect(missing.code).toBe(79);
    expect(missing.report.responses[0].nack).toContain('unrecognized certificate provider instance name: roots');
    const roots = { roots: { plugin_name: 'file_watcher', config: { ca_certificate_file: '/ca.pem' } } };
    const known = await json([tls], { GRPC_XDS_BOOTSTRAP_CONFIG: bootstrap(roots) });
    expect(known.code).toBe(0);
    expect(known.report.responses[0].resources[0].findings).toEqual([]);
    const broken = await runCli(['validate', '-b', file('broken.json', '{}'), tls]);
    expect(broken.code).toBe(65);
    expect(broken.stderr).toContain('gRPC rejects this bootstrap');
  });

  it('finds problems that other gRPC languages reject', async () => {
    const path = file('odd.yaml', `${GOOD_CLUSTER}outlier_detection: { failure_percentage_threshold: 150 }\n`);
    const { code, report } = await json([path]);
    expect(code).toBe(79);
    expect(report.responses[0]).toMatchObject({
      verdict: 'ACK',
      resources: [
        { findings: [{ code: 'XI102', severity: 'error', path: 'outlier_detection.failure_percentage_threshold' }] },
      ],
    });
    expect((await runCli(['validate', path, '--suppress', 'XI102'])).code).toBe(0);
  });

  it('applies gRPC’s environment variables and --as', async () => {
    const response = file('errors.yaml', 'type_url: CDS\nresource_errors:\n- resource_name: { name: "" }\n');
    expect((await json([response])).report.responses[0].verdict).toBe('NACK');
    expect((await json(['--as', 'c-core', response])).report.responses[0].verdict).toBe('ACK');
    const on = { GRPC_EXPERIMENTAL_XDS_DATA_ERROR_HANDLING: 'true' };
    expect((await json(['--as', 'c-core', response], on)).report.responses[0].verdict).toBe('NACK');
  });

  it('writes JUnit XML and GitHub annotations', async () => {
    const path = file(
      'blue2.yaml',
      BAD_CLUSTER.replace('blue', 'bl<u>"e\\x01"').replace('name: bl', 'name: "bl').replace('"e\\x01"', 'e\\x01"'),
    );
    const xml = (await runCli(['validate', '-o', 'junit', path, file('routes3.yaml', ROUTES)])).stdout;
    expect(xml).toContain('<testsuites name="xds-inspect" tests="2" failures="1">');
    expect(xml).toContain(`<testcase classname="${path}" name="CDS bl&lt;u&gt;e\\u{1}">`);
    expect(xml).toContain('<failure message="5:1 lb_policy: LB policy is not supported">');
    expect(xml).toContain('<system-out>6:5 virtual_hosts[0].routes[0]: ignored: gRPC does not support cluster_header');
    const annotations = (await runCli(['validate', '-o', 'github', '--suppress', 'XI104', path])).stdout;
    expect(annotations).toBe(`::error file=${path},line=5,col=1,title=XI100::lb_policy: LB policy is not supported\n`);
  });

  it('titles the annotation of a note XI104, and prints the code of the note', async () => {
    const path = file('noted2.yaml', BAD_CLUSTER);
    const { stdout } = await runCli(['validate', '-o', 'github', path, '--suppress', 'DC52']);
    expect(stdout).toContain(`::notice file=${path},line=5,col=1,title=XI104::lb_policy: DC53 Envoy 1.40 accepts`);
    expect([...stdout.matchAll(/title=([^:]+)/g)].map(([, title]) => title)).toEqual(['XI100', 'XI104']);
  });

  it.each(['text', 'json', 'junit', 'github'])(
    'escapes control and bidi characters of a resource as %s',
    async (format) => {
      const hostile = '"\\e[2J\\x7f\\x9b31m\\u202ex"';
      const path = file('evil.yaml', BAD_CLUSTER.replace('blue', hostile).replace('MAGLEV', hostile));
      const bad = file('evil2.yaml', GOOD_CLUSTER.replace('green', hostile).replace('type: EDS', 'type: STATIC'));
      const { stdout } = await runCli(['validate', path, bad, '-o', format, '--color', 'never'], {}, true);
      expect(stdout).toMatch(/202e/);
      expect(stdout.match(/(?!\n)[\p{Cc}\p{Cf}]/u)).toBeNull();
    },
  );

  it('prints at most 20 ignored parts and the number of the others', async () => {
    const routes = Array.from({ length: 25 }, () => '  - match: { prefix: x }\n    route: { cluster: c }\n').join('');
    const path = file('many.yaml', `name: r\nvirtual_hosts:\n- domains: ["*"]\n  routes:\n${routes}`);
    const { stdout } = await runCli(['validate', path]);
    expect(stdout.match(/ignored {2}virtual/g)).toHaveLength(20);
    expect(stdout).toContain('… and 5 more');
    expect((await json([path])).report.responses[0].resources[0].ignored).toHaveLength(25);
  });
});
