import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/clean-up.js';
import { runCli, startCli, until } from '../support/cli.js';
import { patientClock } from '../support/patient-clock.js';
import { HALF_BROKEN, listener, STORY, scenario, serving, startServing } from '../support/serving.js';

/** Routes that name a cluster half a second before it is served. */
const LATE = `
resources:
  l: ${listener('rds: { route_config_name: r, config_source: { ads: {} } }')}
  r1: { "@type": RDS, name: r, virtual_hosts: [{ domains: ["*"], routes: [{ match: { prefix: "" }, route: { cluster: blue } }] }] }
  r2: { "@type": RDS, name: r, virtual_hosts: [{ domains: ["*"], routes: [{ match: { prefix: "" }, route: { cluster: green } }] }] }
  blue: { "@type": CDS, name: blue, type: EDS, eds_cluster_config: { eds_config: { ads: {} } } }
  green: { "@type": CDS, name: green, type: EDS, eds_cluster_config: { eds_config: { ads: {} }, service_name: blue } }
  e: { "@type": EDS, cluster_name: blue }
servers:
  p:
    serves:
      - { type: LDS, version: "1", resources: [l] }
      - { type: RDS, version: "1", resources: [r1] }
      - { type: CDS, version: "1", resources: [blue] }
      - { type: EDS, version: "1", resources: [e] }
steps:
  - expect: { request: EDS, is: ack }
  - set: { type: RDS, version: "2", resources: [r2] }
  - wait: 500ms
  - set: { type: CDS, version: "2", resources: [blue, green] }
`;

const ROUTES =
  'route_config: { virtual_hosts: [{ domains: ["*"], routes: [{ match: { prefix: "" }, route: { cluster: blue } }] }] }';

/** Serves a folder with a complete configuration. `write` changes its endpoints. */
async function servedFolder() {
  const folder = temporaryFolder();
  const write = (port: number): void => {
    const address = `{ socket_address: { address: 10.0.0.1, port_value: ${port} } }`;
    const locality = `{ locality: { region: r }, load_balancing_weight: 1, lb_endpoints: [{ endpoint: { address: ${address} } }] }`;
    writeFileSync(join(folder, 'e.yaml'), `{ "@type": EDS, cluster_name: blue, endpoints: [${locality}] }\n`);
  };
  writeFileSync(join(folder, 'l.yaml'), `${listener(ROUTES)}\n`);
  const cluster = '{ "@type": CDS, name: blue, type: EDS, eds_cluster_config: { eds_config: { ads: {} } } }';
  writeFileSync(join(folder, 'c.yaml'), `${cluster}\n`);
  write(8080);
  return { ...(await startServing(folder)), write };
}

/** Waits until a change is over, on the clock of the commands. */
async function quietPeriod(): Promise<void> {
  const begin = patientClock.now();
  await until(() => patientClock.now() - begin > 250, 'nothing changes for 250 ms');
}

describe.concurrent('tears', () => {
  it('reports a tear with its duration, its routes and its consequences', async () => {
    const variables = await serving(scenario(LATE));
    const { code, stdout } = await runCli(['tears', 'greeter', '--for', '3s'], variables);
    expect(code).toBe(79);
    // The cluster has no endpoints, so the verdict is FAILS.
    expect(stdout).toMatch(
      /^xds:\/\/\/greeter {2}FAILS {2}.*\n {2}1 config tear in [\d.]+ s, resolved: routes arrive about [\d.]+ m?s before the cluster that they name \(CDS green\)\n/,
    );
    expect(stdout).toMatch(
      /dangling-cluster +×1 +\d\d:\d\d:\d\d\.\d{3} +RDS r version 2 names green [\d.]+ m?s before CDS has it +kept the previous configuration +RPCs on any path fail: there is no cluster green\n→ Serve the cluster and its endpoints before a route names it; remove it only when no route names it\./,
    );
  });

  it('tolerates tears up to --max-tear, and prints all tears as JSON', async () => {
    const variables = await serving(scenario(LATE));
    const { code, stdout } = await runCli(
      ['tears', 'greeter', '--for', '3s', '--max-tear', '5s', '-o', 'json'],
      variables,
    );
    expect(code).toBe(0);
    const document = JSON.parse(stdout);
    expect(document).toMatchObject({
      schema: 'xds-inspect/tears/v1',
      scopes: [{ scope: 'xds:///greeter', tears: [{ kind: 'dangling-cluster', target: 'xds:///greeter' }] }],
    });
    const [tear] = document.scopes[0].tears;
    expect(tear.durationMs).toBe(Date.parse(tear.end) - Date.parse(tear.begin));
    expect(tear.durationMs).toBeGreaterThan(400);
    expect(tear).toMatchObject({
      resolvedBy: 'arrived',
      resources: [{ type: 'CDS', name: 'green', version: null }],
      neededBy: { type: 'RDS', name: 'r', version: '2' },
      routes: ['0: any path'],
      wouldHave: 'RPCs to cluster green would have failed: it does not exist yet',
      instead: 'kept the previous configuration',
    });
    const { durationMs } = tear;
    expect(document.scopes[0]).toMatchObject({
      channels: [{ target: 'xds:///greeter', verdict: 'fails', cause: { code: 'no-endpoints' } }],
      groups: [
        { kind: 'dangling-cluster', count: 1, open: 0, minMs: durationMs, maxMs: durationMs, routes: ['0: any path'] },
      ],
    });
  });

  it('reports no tear for an update that A74 held back', async () => {
    const { code, stdout } = await runCli(['tears', 'greeter', '--for', '600ms'], await serving(STORY));
    expect(code).toBe(0);
    expect(stdout).toMatch(/^xds:\/\/\/greeter {2}OK {2}no config tears in /);
  });

  it('states how long a change took, as the report and watch do', async () => {
    const { plane, variables, write } = await servedFolder();
    const commands = ['tears', 'report', 'watch'].map((name) => startCli([name, 'greeter', '--for', '10m'], variables));
    const acknowledged = (version: number) => () => plane.stdout.split(`→ EDS [blue]  version ${version}`).length > 3;
    await until(acknowledged(1), 'all clients have a configuration');
    await quietPeriod();
    write(8081);
    await until(acknowledged(2), 'all clients have new endpoints');
    await quietPeriod();
    for (const run of commands) run.interrupt();
    await Promise.all(commands.map(({ done }) => done));
    const [tears, report, watch] = commands.map(({ stdout }) => stdout);
    expect(tears).toMatch(/\n {2}1 change, complete [\d.]+ m?s after its first response\n/);
    expect(report).toMatch(/\n {2}1 change, complete [\d.]+ m?s after its first response\n/);
    expect(watch).toMatch(/ xds:\/\/\/greeter +change complete [\d.]+ m?s after its first response\n/);
  });

  it('are printed by watch when they open', async () => {
    const { stdout } = await runCli(['watch', 'greeter', '--for', '600ms'], await serving(scenario(HALF_BROKEN)));
    expect(stdout).toMatch(
      / tear: dangling-cluster CDS red \([LR]DS \S+ version \S+ names it\) · RPCs to cluster red would have failed/,
    );
  });

  it('reports tears when interrupted, and exits with 69 without a server', async () => {
    const { plane, variables } = await startServing(scenario(HALF_BROKEN));
    const run = startCli(['tears', 'greeter'], variables);
    await until(() => plane.stdout.includes('→ EDS [blue]  version 1'), 'the endpoints are ACKed');
    run.interrupt();
    expect(await run.done).toBe(130);
    expect(run.stdout).toContain(', still open: ');
    const config = '{"xds_servers":[{"server_uri":"127.0.0.1:1","channel_creds":[{"type":"insecure"}]}]}';
    const lost = await runCli(['tears', 'greeter', '--for', '300ms'], { GRPC_XDS_BOOTSTRAP_CONFIG: config });
    expect(lost.code).toBe(69);
    await until(() => true, 'nothing is left running');
  });
});
