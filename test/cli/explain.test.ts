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

describe('explain', () => {
  it('says that an RPC works, where it goes, and how long it may take', async () => {
    const { code, stdout } = await explain(await serving(STORY), '--method', '/a.B/C', '--deadline', '5s');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^xds:\/\/\/greeter {3}OK: RPCs have somewhere to go\n/);
    expect(stdout).toMatch(/└ route 0 of 1 {3}any path\n/);
    expect(stdout).toContain("timeout: 5.0 s (the application's deadline)");
    expect(stdout).toMatch(/would connect to 127\.0\.0\.1:8081, /);
  });

  it('names the status that gRPC gives, the cluster that is in the way, and who said so', async () => {
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
    expect(view.hints).toEqual([expect.stringMatching(/^The control plane answered PERMISSION_DENIED for CDS "red"/)]);
  });

  it('says why earlier routes were not taken, and which limit counts', async () => {
    const routes = [
      '{ match: { prefix: /x }, route: { cluster: blue } }',
      '{ match: { prefix: "", headers: [{ name: env, string_match: { exact: canary } }] }, route: { cluster: blue, max_stream_duration: { max_stream_duration: 2s }, retry_policy: { retry_on: unavailable, num_retries: 2 } } }',
      '{ match: { prefix: "" }, route: { cluster: blue } }',
    ].join(', ');
    const variables = await serving(scenario(ROUTES(routes)));
    const canary = (await explain(variables, '--method', '/a.B/C', '--header', 'Env: canary', '--header', 'x:y'))
      .stdout;
    expect(canary).toContain('route 0: prefix /x does not match /a.B/C');
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
          'route 1: header env = canary does not hold: it is prod',
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
      /Routes are tried in order/,
    ],
    [
      'a redirect',
      ROUTES('{ match: { prefix: "" }, redirect: { path_redirect: /x } }'),
      /Matching route has inappropriate action/,
      /redirects or answers itself/,
    ],
    [
      'no virtual host',
      `
resources: { l: ${listener('route_config: { virtual_hosts: [{ domains: [other] }] }')} }
servers: { p: { serves: [{ type: LDS, version: "1", resources: [l] }] } }
`,
      /empty address list \(LDS resource greeter: could not find VirtualHost for greeter/,
      /No virtual host has a domain that fits "greeter"/,
    ],
    [
      'a listener that is rejected',
      `
resources: { l: ${listener('xff_num_trusted_hops: 1, rds: { route_config_name: x, config_source: { ads: {} } }')} }
servers: { p: { serves: [{ type: LDS, version: "1", resources: [l] }] } }
`,
      /empty address list \(LDS resource greeter: invalid resource: /,
      /gRPC rejects it: correct what the message names/,
    ],
  ])('explains %s', async (_name, text, message, hint) => {
    const { code, stdout } = await explain(await serving(scenario(text)), '--method', '/a.B/C');
    expect(code).toBe(79);
    expect(stdout).toMatch(message);
    expect(stdout).toMatch(new RegExp(`→ .*${hint.source}`));
  });

  it('knows a control plane that cannot be reached', async () => {
    const config = '{"xds_servers":[{"server_uri":"127.0.0.1:1","channel_creds":[{"type":"insecure"}]}]}';
    const { code, stdout, stderr } = await explain({ GRPC_XDS_BOOTSTRAP_CONFIG: config });
    expect({ code, stdout }).toEqual({ code: 69, stdout: '' });
    expect(stderr).toContain('→ The control plane 127.0.0.1:1 cannot be reached: nothing listens there: ');
  });

  it('refuses what is no method, header or deadline', async () => {
    const config = '{"xds_servers":[{"server_uri":"127.0.0.1:1","channel_creds":[{"type":"insecure"}]}]}';
    const wrong: [flags: string[], message: string][] = [
      [['--method', 'SayHello'], '--method takes /package.Service/Method, not "SayHello"'],
      [['--method', '/a/b/c'], '--method takes /package.Service/Method'],
      [['--header', 'x'], '--header takes name:value, not "x"'],
      [['--header', 'k-bin:!'], 'a binary value is given in base64'],
      [['--deadline', 'soon'], '--deadline takes a time such as 500ms'],
      [['--deadline', '0s'], '--deadline 0s leaves no time'],
    ];
    for (const [flags, message] of wrong) {
      expect(await explain({ GRPC_XDS_BOOTSTRAP_CONFIG: config }, ...flags), flags.join(' ')).toMatchObject({
        code: 64,
        stdout: '',
        stderr: expect.stringContaining(message),
      });
    }
  });
});
