import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { runCli } from '../support/cli.js';
import { HALF_BROKEN, listener, scenario, serving } from '../support/serving.js';

describe.concurrent('config', () => {
  it('prints a tree from the listener to the endpoints', async () => {
    const variables = await serving(scenario(HALF_BROKEN));
    const { code, stdout } = await runCli(['config', 'greeter'], variables);
    expect(code).toBe(79);
    expect(stdout.replace(/for \d+ ms/, 'for n ms')).toBe(
      `xds:///greeter  PARTLY  1 of 2 routes fails: prefix /a → cluster red: PERMISSION_DENIED "not for you"
  RPCs: OK on 1 route (blue: 1 endpoint) · UNAVAILABLE on prefix /a (CDS resource red: gRPC cannot use this resource) · endpoints are not contacted
  → Allow node "xds-inspect" to read cluster red in the control plane.
  Clients that connected earlier may still use an older version. Compare with a running one: xds-inspect csds HOST:PORT
  this configuration has been in use for n ms
├ listener greeter
│ └ routes in the listener
│   └ virtual host (no name) for *
│     ├ prefix /a → red
│     └ any path → blue
└ 2 clusters
  ├ blue   EDS, round_robin
  │ └ endpoints blue
  │   └ priority 0, r//, weight 1
  │     └ 10.0.0.1:80 unknown
  └ red   CDS resource red: not for you (node ID:demo-node)
`.replace('demo-node', JSON.parse(variables.GRPC_XDS_BOOTSTRAP_CONFIG).node.id),
    );
    const wide = (await runCli(['config', '-o', 'wide', 'greeter'], variables)).stdout;
    expect(wide).toMatch(/blue {3}version 2 from 127\.0\.0\.1:\d+ {3}EDS/);
  });

  it('prints the same configuration as JSON and YAML', async () => {
    const variables = await serving(scenario(HALF_BROKEN));
    const json = JSON.parse((await runCli(['config', 'greeter', '-o', 'json'], variables)).stdout);
    expect(json).toMatchObject({
      schema: 'xds-inspect/config/v1',
      configs: [
        {
          scope: 'xds:///greeter',
          config: 'published',
          listener: { name: 'greeter', version: '1', filters: ['r'] },
          routeConfig: null,
          virtualHost: {
            domains: ['*'],
            routes: [
              { index: 0, match: 'prefix /a', clusters: [{ name: 'red', weight: null }] },
              { index: 1, match: 'any path' },
            ],
          },
          clusters: [
            {
              name: 'blue',
              version: '2',
              error: null,
              endpoints: {
                name: 'blue',
                priorities: [[{ region: 'r', endpoints: [{ addresses: ['10.0.0.1:80'], health: 'unknown' }] }]],
              },
            },
            { name: 'red', version: null, error: expect.stringContaining('not for you') },
          ],
        },
      ],
    });
    const yaml = parse((await runCli(['config', 'greeter', '-o', 'yaml'], variables)).stdout);
    expect(yaml.configs[0].clusters).toEqual(json.configs[0].clusters);
  });

  it('prints graphs for Graphviz and Mermaid, which names cannot break', async () => {
    const text = HALF_BROKEN.replaceAll('cluster: red', "cluster: 'a\"]; x -> y'").replace(
      'name: red',
      "name: 'a\"]; x -> y'",
    );
    const variables = await serving(scenario(text));
    const dot = (await runCli(['config', 'greeter', '-o', 'dot'], variables)).stdout;
    expect(dot).toMatch(/^digraph xds \{\n {2}rankdir=LR;\n/);
    expect(dot).toContain('[shape=box,label="cluster a\\"]; x -> y",color=red];');
    const mermaid = (await runCli(['config', 'greeter', '-o', 'mermaid'], variables)).stdout;
    expect(mermaid).toContain('["cluster a#34;]#59; x -#62; y"]:::bad');
  });

  it('prints the service config that gRPC builds', async () => {
    const variables = await serving(scenario(HALF_BROKEN));
    const { serviceConfig, cds } = JSON.parse(
      (await runCli(['config', 'greeter', '-o', 'service-config'], variables)).stdout,
    );
    expect(serviceConfig).toEqual({
      loadBalancingConfig: [
        {
          xds_cluster_manager_experimental: {
            children: {
              'cluster:red': { childPolicy: [{ cds_experimental: { cluster: 'red' } }] },
              'cluster:blue': { childPolicy: [{ cds_experimental: { cluster: 'blue' } }] },
            },
          },
        },
      ],
    });
    expect(cds.blue.priority_experimental.priorities).toEqual(['{cluster=blue, child_number=0}']);
    expect(cds.red.priority_experimental.priorities).toEqual([]);
  });

  it('prints why there is no configuration, and exits with 79', async () => {
    const routes = 'route_config: { virtual_hosts: [{ domains: [other] }] }';
    const text = `
resources: { l: ${listener(routes)} }
servers: { p: { serves: [{ type: LDS, version: "1", resources: [l] }] } }
`;
    const { code, stdout } = await runCli(['config', 'greeter'], await serving(scenario(text)));
    expect(code).toBe(79);
    expect(stdout).toMatch(
      /^xds:\/\/\/greeter {2}FAILS {2}no virtual host for "greeter": LDS greeter has only the domain "other"\n/,
    );
    expect(stdout).toContain('  RPCs: UNAVAILABLE (empty address list: no virtual host matches this target)\n');
    expect(stdout).toContain('  → Add "greeter" to the domains of a virtual host in LDS greeter, or dial ');
  });

  it('exits with 75 if the configuration is incomplete, and with 69 without a server', async () => {
    const text = HALF_BROKEN.replace(', { type: EDS, version: "1", resources: [e] }', '');
    const { code, stdout } = await runCli(['config', 'greeter', '--timeout', '500ms'], await serving(scenario(text)));
    expect(code).toBe(75);
    expect(stdout).toMatch(
      /^xds:\/\/\/greeter {2}WAITING {2}endpoints blue: \S+ has sent no EDS response for \d+ ms\n/,
    );
    expect(stdout).toContain('  RPCs: queued until the configuration is complete, or until their deadline\n');
    // There is no previous configuration.
    expect(stdout).not.toContain('previous');
    const config = '{"xds_servers":[{"server_uri":"127.0.0.1:1","channel_creds":[{"type":"insecure"}]}]}';
    expect((await runCli(['config', 'greeter'], { GRPC_XDS_BOOTSTRAP_CONFIG: config })).code).toBe(69);
  });
});
