import { describe, expect, it } from 'vitest';
import { runCli } from '../support/cli.js';
import { HALF_BROKEN, listener, STORY, scenario, serving } from '../support/serving.js';

const explain = (variables: Record<string, string>, ...flags: string[]) =>
  runCli(['explain', 'greeter', ...flags], variables);

const ROUTES = (routes: string): string => `
resources:
  l: ${listener(`route_config: { virtual_hosts: [{ domains: ["*"], routes: [${routes}] }] }, common_http_protocol_options: { max_stream_duration: 9s }`)}
  b: { "@type": CDS, name: blue, type: EDS, eds_cluster_config: { eds_config: { ads: {} } } }
  e: { "@type": EDS, cluster_name: blue, endpoints: [{ locality: { region: r }, load_balancing_weight: 1, lb_endpoints: [{ endpoint: { address: { socket_address: { address: 10.0.0.1, port_value: 80 } } } }] }] }
servers: { p: { serves: [{ type: LDS, version: "1", resources: [l] }, { type: CDS, version: "1", resources: [b] }, { type: EDS, version: "1", resources: [e] }] } }
`;

describe.concurrent('explain', () => {
  it('prints the cluster and the timeout of an RPC that works', async () => {
    const { code, stdout } = await explain(await serving(STORY), '--method', '/a.B/C', '--deadline', '5s');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^xds:\/\/\/greeter {2}OK {2}RPCs to \/a\.B\/C find a usable endpoint\n/);
    expect(stdout).toMatch(/└ route 1 of 1 {3}any path\n/);
    expect(stdout).toContain("timeout: 5.0 s (the application's deadline)");
    expect(stdout).toMatch(/would connect to 127\.0\.0\.1:8081, /);
  });

  it('prints the RPC status, the blocking cluster and the origin of its error', async () => {
    const { code, stdout } = await explain(await serving(scenario(HALF_BROKEN)), '--method', '/a.B/C', '-o', 'json');
    expect(code).toBe(79);
    const view = JSON.parse(stdout);
    expect(view).toMatchObject({
      schema: 'xds-inspect/explain/v1',
      scope: 'xds:///greeter',
      outcome: 'fails',
      status: { code: 'UNAVAILABLE', message: expect.stringMatching(/^CDS resource red: not for you \(node ID:/) },
      blockedBy: { type: 'CDS', name: 'red', status: 'RECEIVED_ERROR' },
      route: { index: 0, match: 'prefix /a', cluster: 'red' },
    });
    expect(view.hints).toEqual(['Allow node "xds-inspect" to read cluster red in the control plane.']);
  });

  it('explains why earlier routes do not match and which timeout applies', async () => {
    const routes = [
      '{ match: { prefix: /x }, route: { cluster: blue } }',
      '{ match: { prefix: "", headers: [{ name: env, string_match: { exact: canary } }] }, route: { cluster: blue, max_stream_duration: { max_stream_duration: 2s }, retry_policy: { retry_on: unavailable, num_retries: 2 } } }',
      '{ match: { prefix: "" }, route: { cluster: blue } }',
    ].join(', ');
    const variables = await serving(scenario(ROUTES(routes)));
    const canary = (await explain(variables, '--method', '/a.B/C', '--header', 'Env: canary', '--header', 'x:y'))
      .stdout;
    expect(canary).toContain('└ route 2 of 3   any path and header env = canary\n');
    expect(canary).toContain('  route 1: prefix /x does not match /a.B/C\n');
    expect(canary).toContain("timeout: 2.0 s (the route's limit) · up to 3 attempts on unavailable");
    const other = JSON.parse(
      (await explain(variables, '--method', '/a.B/C', '--header', 'env:prod', '-o', 'json')).stdout,
    );
    expect(other).toMatchObject({
      outcome: 'ok',
      route: {
        index: 2,
        of: 3,
        notTaken: [
          'route 0: prefix /x does not match /a.B/C',
          'route 1: header env = canary does not match: it is prod',
        ],
      },
      timeout: { value: 9000, from: 'listener' },
    });
  });

  it.each<[name: string, text: string, message: RegExp, hint: RegExp]>([
    [
      'no route',
      ROUTES('{ match: { path: /a.B/D }, route: { cluster: blue } }'),
      /No matching route found in xDS route config/,
      /gRPC tries routes in order/,
    ],
    [
      'a redirect',
      ROUTES('{ match: { prefix: "" }, redirect: { path_redirect: /x } }'),
      /Matching route has inappropriate action/,
      /Give the route a cluster, or remove it for gRPC clients\./,
    ],
    [
      'no virtual host',
      `
resources: { l: ${listener('route_config: { virtual_hosts: [{ domains: [other] }] }')} }
servers: { p: { serves: [{ type: LDS, version: "1", resources: [l] }] } }
`,
      /empty address list \(LDS resource greeter: could not find VirtualHost for greeter/,
      /Add "greeter" to the domains of a virtual host in LDS greeter/,
    ],
    [
      'a rejected listener',
      `
resources: { l: ${listener('xff_num_trusted_hops: 1, rds: { route_config_name: x, config_source: { ads: {} } }')} }
servers: { p: { serves: [{ type: LDS, version: "1", resources: [l] }] } }
`,
      /empty address list \(LDS resource greeter: invalid resource: /,
      /Correct \S*xff_num_trusted_hops in LDS greeter/,
    ],
  ])('explains %s', async (_name, text, message, hint) => {
    const { code, stdout } = await explain(await serving(scenario(text)), '--method', '/a.B/C');
    expect(code).toBe(79);
    expect(stdout).toMatch(message);
    expect(stdout).toMatch(new RegExp(`→ .*${hint.source}`));
  });

  it('explains an RPC when the control plane cannot be reached', async () => {
    const config = '{"xds_servers":[{"server_uri":"127.0.0.1:1","channel_creds":[{"type":"insecure"}]}]}';
    const { code, stdout, stderr } = await explain({ GRPC_XDS_BOOTSTRAP_CONFIG: config });
    expect({ code, stderr }).toEqual({ code: 69, stderr: '' });
    expect(stdout).toMatch(/^xds:\/\/\/greeter {2}FAILS {2}127\.0\.0\.1:1 refuses connections\n/);
    expect(stdout).toMatch(/\n→ Start the control plane .*, or correct server_uri in the bootstrap\.\n/);
  });

  it('rejects invalid methods, headers and deadlines', async () => {
    const config = '{"xds_servers":[{"server_uri":"127.0.0.1:1","channel_creds":[{"type":"insecure"}]}]}';
    const wrong: [flags: string[], message: string][] = [
      [['--method', 'SayHello'], '--method takes /package.Service/Method, not "SayHello"'],
      [['--method', '/a/b/c'], '--method takes /package.Service/Method'],
      [['--header', 'x'], '--header takes name:value, not "x"'],
      [['--header', 'k-bin:!'], 'a binary value must be base64'],
      [['--deadline', 'soon'], '--deadline takes a time such as 500ms'],
      [['--deadline', '0s'], '--deadline must be longer than 0s'],
    ];
    for (const [flags, message] of wrong) {
      expect(await explain({ GRPC_XDS_BOOTSTRAP_CONFIG: config }, ...flags), flags.join(' ')).toMatchObject({
        code: 64,
        stdout: '',
        stderr: expect.stringContaining(message),
      });
    }
  });

  it('prints faults, drops, the circuit breaker, the rewritten host and the fallback server', async () => {
    const text = scenario(`
resources:
  l: ${listener('route_config: { virtual_hosts: [{ domains: ["*"], routes: [{ match: { prefix: "" }, route: { cluster: blue, auto_host_rewrite: true } }] }] }', '{ name: fault, typed_config: { "@type": type.googleapis.com/envoy.extensions.filters.http.fault.v3.HTTPFault, delay: { fixed_delay: 2s, percentage: { numerator: 30 } }, abort: { grpc_status: 7, percentage: { numerator: 10 } } } }, ')}
  b: { "@type": CDS, name: blue, type: EDS, eds_cluster_config: { eds_config: { ads: {} } }, circuit_breakers: { thresholds: [{ max_requests: 5 }] } }
  e: { "@type": EDS, cluster_name: blue, endpoints: [{ locality: { region: r }, load_balancing_weight: 1, lb_endpoints: [{ endpoint: { hostname: blue.example, address: { socket_address: { address: 10.0.0.1, port_value: 80 } } } }] }] }
servers: { p: { serves: [{ type: LDS, version: "1", resources: [l] }, { type: CDS, version: "1", resources: [b] }, { type: EDS, version: "1", resources: [e] }] } }
`);
    const bootstrap = JSON.parse((await serving(text)).GRPC_XDS_BOOTSTRAP_CONFIG as string);
    const [server] = bootstrap.xds_servers;
    const trusted = { ...server, server_features: ['xds_v3', 'trusted_xds_server'] };
    const config = JSON.stringify({ ...bootstrap, xds_servers: [{ ...server, server_uri: '127.0.0.1:1' }, trusted] });
    const { code, stdout } = await explain({ GRPC_XDS_BOOTSTRAP_CONFIG: config }, '--method', '/a.B/C');
    expect(stdout).toContain('\n  10 % of such RPCs → blue: fails: Fault injected\n  90 % of such RPCs → blue: OK\n');
    expect(stdout).toContain('\n  30 % of such RPCs delayed by 2.0 s (fault filter)\n');
    expect(stdout).toContain('\n  authority: rewritten to the endpoint hostname blue.example\n');
    expect(stdout).toContain('\n  at most 5 RPCs at once to this cluster; more are dropped\n');
    expect(stdout).toContain(`\n  configured by the fallback server ${server.server_uri} in place of 127.0.0.1:1\n`);
    expect(code).toBe(79);
  });

  it('explains an RPC on a server for each filter chain (A36, A41)', async () => {
    const chain = (match: string, rules: string): string =>
      `{ ${match} filters: [{ name: h, typed_config: { "@type": type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager, http_filters: [{ name: rbac, typed_config: { "@type": type.googleapis.com/envoy.extensions.filters.http.rbac.v3.RBAC, rules: ${rules} } }, { name: router, typed_config: { "@type": type.googleapis.com/envoy.extensions.filters.http.router.v3.Router } }], route_config: { virtual_hosts: [{ domains: ["*"], routes: [{ match: { prefix: /a }, non_forwarding_action: {} }] }] } } }] }`;
    const nobody = '{ action: ALLOW }';
    const headed =
      '{ action: ALLOW, policies: { p: { permissions: [{ header: { name: env, string_match: { exact: prod } } }], principals: [{ any: true }] } } }';
    const variables = await serving(
      scenario(`
resources:
  l: { "@type": LDS, name: "s/0.0.0.0:8080", address: { socket_address: { address: 0.0.0.0, port_value: 8080 } }, filter_chains: [${chain('filter_chain_match: { source_type: SAME_IP_OR_LOOPBACK },', headed)}, ${chain('filter_chain_match: { source_type: EXTERNAL },', nobody)}] }
servers: { p: { serves: [{ type: LDS, version: "1", resources: [l] }] } }
`),
    );
    const bootstrap = JSON.parse(variables.GRPC_XDS_BOOTSTRAP_CONFIG as string);
    const config = JSON.stringify({ ...bootstrap, server_listener_resource_name_template: 's/%s' });
    const run = (...flags: string[]) =>
      runCli(['explain', '#server:0.0.0.0:8080', ...flags], { GRPC_XDS_BOOTSTRAP_CONFIG: config });
    const { code, stdout } = await run('--method', '/a.B/C', '--header', 'env:prod');
    expect(stdout).toMatch(/^#server:0\.0\.0\.0:8080 {2}UNKNOWN {2}the outcome depends on the caller\n/);
    expect(stdout).toContain('└ filter chain for {source_type=SAME_IP_OR_LOOPBACK}   OK\n');
    expect(stdout).toMatch(
      /└ filter chain for \{source_type=EXTERNAL\} {3}PERMISSION_DENIED: Unauthorized RPC rejected\n/,
    );
    expect(stdout).toContain('└ filter rbac   ✗ rejects the RPC');
    expect(code).toBe(0);
    const all = await run();
    expect(all.stdout).toMatch(/^#server:0\.0\.0\.0:8080 {2}OK\b/);
    expect(all.stdout).toContain('  filter chain 1 of 2  {source_type=SAME_IP_OR_LOOPBACK}  OK\n');
    expect(all.stdout).toContain('  filter chain 2 of 2  {source_type=EXTERNAL}             OK\n');
    const other = await run('--method', '/x.Y/Z', '-o', 'json');
    expect(other.code).toBe(79);
    expect(JSON.parse(other.stdout)).toMatchObject({
      outcome: 'fails',
      status: { code: 'UNAVAILABLE', message: 'UNAVAILABLE:no route matched' },
      chains: [{ outcome: 'fails' }, { outcome: 'fails' }],
    });
  });

  it('evaluates all routes if no RPC is given', async () => {
    const routes = [
      '{ match: { prefix: /orders.Admin }, route: { cluster: red } }',
      '{ match: { prefix: /orders.Reports }, route: { weighted_clusters: { clusters: [{ name: blue, weight: 9 }, { name: red, weight: 1 }] } } }',
      '{ match: { prefix: /orders }, route: { cluster: blue } }',
      '{ match: { path: /orders.Orders/Get }, route: { cluster: blue } }',
    ].join(', ');
    const text = ROUTES(routes).replace(
      'resources: [b] }',
      'resources: [b], errors: [{ name: red, code: PERMISSION_DENIED, message: "not for you" }] }',
    );
    const variables = await serving(scenario(text));
    const { code, stdout } = await explain(variables);
    expect(code).toBe(79);
    expect(stdout).toMatch(
      /^xds:\/\/\/greeter {2}PARTLY {2}1 of 3 routes fails: prefix \/orders\.Admin → cluster red: PERMISSION_DENIED "not for you"\n/,
    );
    expect(stdout).toContain(
      [
        '  route 1 of 4  prefix /orders.Admin     → cluster red         UNAVAILABLE',
        '                CDS resource red: not for you (node ID:xds-inspect)',
        '  route 2 of 4  prefix /orders.Reports   → clusters blue, red  UNAVAILABLE for 10 % of RPCs',
        '                CDS resource red: not for you (node ID:xds-inspect)',
        '  route 3 of 4  prefix /orders           → cluster blue        OK',
        '  route 4 of 4  path /orders.Orders/Get                        never matched (not counted)',
        '  calls that match no route  UNAVAILABLE: No matching route found in xDS route config',
        '',
      ].join('\n'),
    );
    expect(stdout).toContain('\n→ Allow node "xds-inspect" to read cluster red in the control plane.\n');
    const view = JSON.parse((await explain(variables, '-o', 'json')).stdout);
    expect(view).toMatchObject({
      outcome: 'fails',
      status: { message: 'No matching route found in xDS route config' },
      verdict: 'partly',
      cause: { code: 'data-error', resource: { type: 'CDS', name: 'red' } },
      listeners: null,
      routes: [
        { index: 0, outcome: 'fails', clusters: ['red'], status: { code: 'UNAVAILABLE' } },
        { index: 1, outcome: 'partly', failingShare: 0.1 },
        { index: 2, outcome: 'ok' },
        { index: 3, outcome: 'never-matches' },
      ],
    });
    expect(view.route.notTaken[0]).toBe('route 0: prefix /orders.Admin does not match /');
    const one = await explain(variables, '--method', '/orders.Orders/List');
    expect(one).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^\S+ {2}OK {2}RPCs to \/orders\.Orders\/List /),
    });
    const part = await explain(variables, '--method', '/orders.Reports/Sum');
    expect(part.stdout).toMatch(
      /^\S+ {2}PARTLY {2}10 % of RPCs to \/orders\.Reports\/Sum fail: CDS resource red: not for you/,
    );
  });

  it('lists at most 20 routes, failing routes first', async () => {
    const good = Array.from({ length: 30 }, (_, i) => `{ match: { prefix: /s${i}/ }, route: { cluster: blue } }`);
    const bad = '{ match: { prefix: "" }, redirect: { path_redirect: /x } }';
    const { stdout, code } = await explain(await serving(scenario(ROUTES([...good, bad].join(', ')))));
    const shown = stdout.split('\n').filter((line) => line.startsWith('  route '));
    expect(shown).toHaveLength(20);
    expect(shown.at(-1)).toMatch(/^ {2}route 31 of 31 {2}any path +UNAVAILABLE$/);
    expect(stdout).toContain('\n  … and 11 more routes: OK\n');
    expect(code).toBe(79);
  });

  it('exits with 0 if every route works, even if the path / matches none', async () => {
    const text = ROUTES('{ match: { prefix: /a }, route: { cluster: blue } }');
    const { stdout, code } = await explain(await serving(scenario(text)));
    expect(stdout).toMatch(/^xds:\/\/\/greeter {2}OK {2}every route finds a usable endpoint\n/);
    expect(stdout).toContain('  route 1 of 1  prefix /a  → cluster blue  OK\n');
    expect(stdout).not.toContain('→ No route');
    expect(code).toBe(0);
  });

  it('prints several targets as one document', async () => {
    const { stdout } = await runCli(
      ['explain', 'greeter', 'nobody', '-o', 'json', '--timeout', '1s'],
      await serving(STORY),
    );
    expect(JSON.parse(stdout).map((one: { target: string }) => one.target)).toEqual([
      'xds:///greeter',
      'xds:///nobody',
    ]);
  });
});
