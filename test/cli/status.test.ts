import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { ROOT, runCli, startCli, until } from '../support/cli.js';

const cleanups: (() => void)[] = [];
afterEach(() => {
  for (const cleanup of cleanups.splice(0)) cleanup();
});

const STORY = join(ROOT, 'fixtures/scenarios/demo/first-look.yaml');

/** The variables of a program that uses a control plane which plays a scenario. */
async function serving(source: string): Promise<{ GRPC_XDS_BOOTSTRAP_CONFIG: string }> {
  const run = startCli(['serve', source, '--port', '0']);
  cleanups.push(run.interrupt);
  await until(() => run.stderr.includes('Stop with Ctrl-C'), 'serve starts');
  return { GRPC_XDS_BOOTSTRAP_CONFIG: /GRPC_XDS_BOOTSTRAP_CONFIG='(.*)'/.exec(run.stderr)?.[1] as string };
}

function scenario(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'xds-inspect-'));
  cleanups.push(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 's.yaml');
  writeFileSync(path, text);
  return path;
}

const HCM = 'type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager';
const ROUTER =
  '{ name: r, typed_config: { "@type": type.googleapis.com/envoy.extensions.filters.http.router.v3.Router } }';
const listener = (routes: string): string =>
  `{ "@type": LDS, name: greeter, api_listener: { api_listener: { "@type": ${HCM}, http_filters: [${ROUTER}], ${routes} } } }`;

describe('status', () => {
  it('follows a target to its endpoints and says what became of each resource', async () => {
    const { code, stdout } = await runCli(['status', 'greeter'], await serving(STORY));
    expect(code).toBe(0);
    expect(stdout).toContain('xds:///greeter   ready · 4 of 4 resources ACKED\n');
    const rows = stdout.split('\n').filter((line) => /^[LRCE]DS/.test(line));
    expect(rows.map((row) => row.split(/ {2,}/).slice(0, 4).join(' '))).toEqual([
      'LDS greeter ACKED 7',
      'RDS greeter-routes ACKED 7',
      'CDS greeter-blue ACKED 7',
      expect.stringMatching(/^EDS greeter-blue ACKED 1[23]$/),
    ]);
  });

  it('gives scripts the same as JSON, a scope for each target', async () => {
    const { code, stdout } = await runCli(['status', '-o', 'json', 'greeter', 'xds:///greeter'], await serving(STORY));
    expect(code).toBe(0);
    const { schema, scopes } = JSON.parse(stdout);
    expect(schema).toBe('xds-inspect/status/v1');
    expect(scopes).toHaveLength(1);
    expect(scopes[0]).toMatchObject({
      scope: 'xds:///greeter',
      settled: true,
      authorities: [{ name: '#old', servers: [{ priority: 0, state: 'ok', active: true, error: null }] }],
    });
    expect(scopes[0].resources[0]).toMatchObject({
      type: 'LDS',
      name: 'greeter',
      status: 'ACKED',
      version: '7',
      error: null,
      lastUpdated: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    });
  });

  it('shows what is refused and why, with 79', async () => {
    const path = scenario(`
resources: { l: ${listener('xff_num_trusted_hops: 1, rds: { route_config_name: x, config_source: { ads: {} } }')} }
servers: { p: { serves: [{ type: LDS, version: "1", resources: [l] }] } }
`);
    const variables = await serving(path);
    const { code, stdout } = await runCli(['status', 'greeter'], variables);
    expect(code).toBe(79);
    expect(stdout).toContain('not ready · 0 of 1 resources ACKED');
    expect(stdout).toMatch(
      /LDS +greeter +NACKED +– +– +– +INVALID_ARGUMENT: invalid resource: errors validating ApiListener/,
    );
    const { scopes } = JSON.parse((await runCli(['status', '-o', 'json', 'greeter'], variables)).stdout);
    expect(scopes[0].resources[0].error).toMatchObject({
      code: 'INVALID_ARGUMENT',
      cause: 'nack',
      nature: 'data',
      origin: 'client',
      effect: 'none-cached',
      final: 'OnResourceChanged',
      draft: 'OnClientDataError',
    });
  });

  it('shows what the server says about a resource (xRFC TP3)', async () => {
    const path = scenario(`
servers: { p: { on: [{ request: LDS, do: [{ send: { type: LDS, version: "1", errors: [{ name: greeter, code: PERMISSION_DENIED, message: not for you }] } }] }] } }
`);
    const { code, stdout } = await runCli(['status', 'greeter'], await serving(path));
    expect(code).toBe(79);
    expect(stdout).toMatch(/LDS +greeter +RECEIVED_ERROR .*PERMISSION_DENIED: not for you/);
  });

  it('follows only the virtual host of its authority', async () => {
    const path = scenario(`
resources:
  l: ${listener(
    'route_config: { virtual_hosts: [{ domains: ["other"], routes: [{ match: { prefix: "" }, route: { cluster: a } }] }, { domains: ["*"], routes: [{ match: { prefix: "" }, route: { cluster: b } }] }] }',
  )}
servers: { p: { serves: [{ type: LDS, version: "1", resources: [l] }] } }
`);
    const variables = await serving(path);
    const clusters = async (...flags: string[]): Promise<string[]> => {
      const { stdout } = await runCli(['status', '-o', 'json', '--timeout', '400ms', 'greeter', ...flags], variables);
      return JSON.parse(stdout).scopes[0].resources.flatMap((r: { type: string; name: string }) =>
        r.type === 'CDS' ? [r.name] : [],
      );
    };
    expect(await clusters()).toEqual(['b']);
    expect(await clusters('--default-authority', 'OTHER')).toEqual(['a']);
  });

  it('uses the next server when the first is down, and says so (A71)', async () => {
    const { GRPC_XDS_BOOTSTRAP_CONFIG } = await serving(STORY);
    const bootstrap = JSON.parse(GRPC_XDS_BOOTSTRAP_CONFIG);
    const down = { ...bootstrap.xds_servers[0], server_uri: '127.0.0.1:1' };
    const config = JSON.stringify({ ...bootstrap, xds_servers: [down, ...bootstrap.xds_servers] });
    const { code, stdout } = await runCli(['status', 'greeter'], { GRPC_XDS_BOOTSTRAP_CONFIG: config });
    expect(code).toBe(0);
    expect(stdout).toContain(`fallback: on server 2 of 2, ${bootstrap.xds_servers[0].server_uri}`);
    expect(stdout).toContain('server 127.0.0.1:1: UNAVAILABLE: xDS channel for server 127.0.0.1:1');
  });

  it('gives up with 69 when no server can be reached', async () => {
    const config = '{"xds_servers":[{"server_uri":"127.0.0.1:1","channel_creds":[{"type":"insecure"}]}]}';
    const { code, stdout } = await runCli(['status', 'greeter'], { GRPC_XDS_BOOTSTRAP_CONFIG: config });
    expect(code).toBe(69);
    expect(stdout).toMatch(/LDS +greeter +REQUESTED/);
  });

  it('gives up with 75 when the time is over, and prints what it has', async () => {
    const { code, stdout } = await runCli(
      ['status', '--timeout', '300ms', 'greeter'],
      await serving(scenario('servers: { p: {} }')),
    );
    expect(code).toBe(75);
    expect(stdout).toContain('still changing or waiting');
  });

  it('prints what it has when interrupted', async () => {
    const run = startCli(['status', 'greeter'], await serving(scenario('servers: { p: {} }')));
    await new Promise((next) => setTimeout(next, 200));
    run.interrupt();
    expect(await run.done).toBe(130);
    expect(run.stdout).toContain('REQUESTED');
  });

  it('names every target that cannot be used, before it connects for the others', async () => {
    let connections = 0;
    const server = createServer((socket) => {
      connections++;
      socket.destroy();
    });
    cleanups.push(() => server.close());
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
    const { port } = server.address() as AddressInfo;
    const variables = {
      GRPC_XDS_BOOTSTRAP_CONFIG: `{"xds_servers":[{"server_uri":"127.0.0.1:${port}","channel_creds":[{"type":"insecure"}]}]}`,
    };
    const { code, stderr } = await runCli(['status', 'greeter', 'xds://nobody/x', 'xds://none/y'], variables);
    expect(code).toBe(79);
    expect(stderr).toContain('xds://nobody/x: gRPC cannot use this target');
    expect(stderr).toContain('xds://none/y: gRPC cannot use this target');
    // Whatever was connecting before this arrives before it.
    await new Promise<void>((arrived) =>
      connect(port, '127.0.0.1')
        .on('close', () => arrived())
        .resume(),
    );
    expect(connections).toBe(1);
  });

  it('says what is wrong with a target, a bootstrap or a flag', async () => {
    const variables = {
      GRPC_XDS_BOOTSTRAP_CONFIG: '{"xds_servers":[{"server_uri":"x","channel_creds":[{"type":"insecure"}]}]}',
    };
    expect(await runCli(['status', 'xds://nobody/x'], variables)).toMatchObject({
      code: 79,
      stderr: expect.stringContaining('authority not found for nobody'),
    });
    expect(await runCli(['status', 'x'], { GRPC_XDS_BOOTSTRAP_CONFIG: '{}' })).toMatchObject({ code: 65 });
    expect(await runCli(['status', 'x'], {})).toMatchObject({ code: 65 });
    expect(await runCli(['status', 'x', '--timeout', 'soon'], variables)).toMatchObject({
      code: 64,
      stderr: expect.stringContaining('--timeout takes a time such as 500ms'),
    });
  });
});
