import { describe, expect, it } from 'vitest';
import { runCli } from '../../support/cli.js';
import { everyCommandShows, statusFinds } from '../support/inspecting.js';
import { Istio, NODE } from '../support/istio.js';
import { reportFigure } from '../support/report-figure.js';
import { Watching } from '../support/watching.js';

const HOST = 'greeter.example.com';
const TARGET = `xds:///${HOST}:80`;
const CLUSTER = `outbound|80||${HOST}`;

/** An Istio ServiceEntry with an endpoint for each port. */
function service(name: string, ...ports: number[]): string {
  const endpoints = ports.map(
    (port, i) => `{ address: 127.0.0.1, locality: region/zone-${i}, ports: { grpc: ${port} } }`,
  );
  return `
apiVersion: networking.istio.io/v1
kind: ServiceEntry
metadata: { name: ${name}, namespace: default }
spec:
  hosts: [${name}.example.com]
  ports: [{ number: 80, name: grpc, protocol: GRPC }]
  location: MESH_INTERNAL
  resolution: STATIC
  endpoints: [${endpoints.join(', ')}]
`;
}

async function serving(...ports: number[]): Promise<Istio> {
  const istio = await Istio.start();
  await istio.apply(service('greeter', ...ports));
  return istio;
}

describe('istio', () => {
  it('serves a configuration that every command shows', async () => {
    const istio = await serving(1001);
    await everyCommandShows({ target: TARGET, cluster: CLUSTER, address: '127.0.0.1:1001' }, istio.variables());
    reportFigure(`${istio.version}: status, explain, get, tears, check and config agree`);
  });

  it('is followed by watch through an update, a NACK, a restart and a deletion', async () => {
    const istio = await serving(1001);
    const watching = new Watching(TARGET, istio.variables());
    await watching.waitFor({ kind: 'config', change: 'published' });
    await istio.apply(service('greeter', 1002));
    await watching.waitFor({ kind: 'resource', type: 'EDS', name: CLUSTER, change: 'updated' });

    // The same address in two localities, which gRPC rejects.
    await istio.apply(service('greeter', 1002, 1002));
    const nack = await watching.waitFor({ kind: 'error', type: 'EDS', name: CLUSTER, cause: 'nack' });
    expect(JSON.stringify(nack)).toContain('duplicate endpoint address');
    await istio.apply(service('greeter', 1003));
    await watching.waitFor({ kind: 'resource', type: 'EDS', name: CLUSTER, change: 'updated' });

    await istio.stop();
    await watching.waitFor({ kind: 'stream', change: 'ended' });
    await istio.restart();
    await watching.waitFor({ kind: 'stream', change: 'opened' });
    await watching.waitFor({ kind: 'response', type: 'EDS' });

    await istio.delete(service('greeter', 1003));
    await watching.waitFor({ kind: 'error', type: 'LDS', name: `${HOST}:80`, cause: 'deletion' });
    await istio.apply(service('greeter', 1004));
    await watching.waitFor({ kind: 'resource', type: 'LDS', name: `${HOST}:80`, change: 'cleared' });
    expect(watching.events.filter(({ code }) => code === 'XI203')).toEqual([]);
    reportFigure(`${istio.version}: update, NACK (not sent again), restart, deletion, all printed by watch`);
  });

  it('ends the stream of a node with a malformed id', async () => {
    const istio = await serving(1001);
    const { code, findings } = await statusFinds(TARGET, istio.variables('greeter-1'));
    expect(code).toBe(69);
    expect(findings).toMatchObject([
      {
        code: 'XI225',
        message: 'The server rejects this client: INVALID_ARGUMENT missing parts in the service node "greeter-1"',
        advice: expect.stringContaining('Istio requires an id such as sidecar~'),
      },
    ]);
    const got = await runCli(['get', 'cds', CLUSTER], istio.variables('greeter-1'));
    expect(got.code).toBe(69);
    expect(got.stderr).toContain('XI225 error');
    reportFigure(`${istio.version}: a malformed node id ends the stream; XI225`);
  });

  it('resends unchanged resources with new versions', async () => {
    const istio = await serving(1001);
    const watching = new Watching(TARGET, istio.variables());
    await watching.waitFor({ kind: 'config', change: 'published' });
    const repeatedTypes = (): Set<string | undefined> =>
      new Set(
        watching.events.flatMap(({ kind, code, type }) => (kind === 'finding' && code === 'XI222' ? [type] : [])),
      );
    // XI222 counts only repetitions that are at least a second apart.
    for (let i = 0; repeatedTypes().size < 3 && i < 20; i++) {
      await istio.apply(service(`other-${i}`, 2000 + i));
      await new Promise((next) => setTimeout(next, 1200));
    }
    expect([...repeatedTypes()].sort()).toEqual(['CDS', 'LDS', 'RDS']);
    const findings = watching.events.filter(({ kind, change }) => kind === 'finding' && change === 'opened');
    expect(findings).toHaveLength(3);
    expect(findings[0]?.message).toMatch(/^[LRC]DS: the server sends new versions without changes, now /);
    reportFigure(`${istio.version}: unchanged types with new versions; XI222`);
  });

  it('reports which proxies have what it sent', async () => {
    const istio = await Istio.start({ requiresAuthentication: false });
    await istio.apply(service('greeter', 1001));
    const first = new Watching(TARGET, istio.variables());
    const second = new Watching(TARGET, istio.variables(NODE.replace('caller', 'other')));
    for (const one of [first, second]) await one.waitFor({ kind: 'config', change: 'published' });
    const csds = (...flags: string[]) => runCli(['csds', `istio:${istio.uri}`, '--plaintext', ...flags]);
    const inSync = await csds();
    expect(inSync.stdout).toMatch(/^2 clients: both agree\n/);
    expect(inSync.stdout).toMatch(/^2 +AGREE +4 resources +caller\.default, other\.default$/m);
    expect(inSync.code).toBe(0);
    const one = await csds('--view', 'status', '--node-match', 'other.default');
    expect(one.stdout).toMatch(/^CDS +SYNCED/m);
    expect(one.stdout).toContain('node other.default');

    // The same address in two localities, which gRPC rejects.
    await istio.apply(service('greeter', 1002, 1002));
    await first.waitFor({ kind: 'error', type: 'EDS', name: CLUSTER, cause: 'nack' });
    await second.waitFor({ kind: 'error', type: 'EDS', name: CLUSTER, cause: 'nack' });
    const rejected = await csds();
    expect(rejected.stdout).toMatch(/^2 clients: 2 have an error for EDS\n/);
    expect(rejected.stdout).toContain('duplicate endpoint address');
    expect(rejected.code).toBe(79);
    reportFigure(`${istio.version}: csds istio: shows SYNCED and ERROR by node`);
  });

  it('refuses to report its proxies without authentication, which csds explains', async () => {
    const istio = await serving(1001);
    const { code, stdout } = await runCli(['csds', `istio:${istio.uri}`, '--plaintext']);
    expect(code).toBe(69);
    expect(stdout).toContain('use its TLS port (15012) with --cert and --key, or with --token-file');
    reportFigure(`${istio.version}: csds istio: without authentication is refused with advice`);
  });
});
