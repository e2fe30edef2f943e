import { describe, expect, it } from 'vitest';
import type { PeerName } from '../../../tools/peers/peers.js';
import { runCli, startCli } from '../../support/cli.js';
import { CLOSED } from '../../support/live-server.js';
import { later, scenario } from '../../support/serving.js';
import { App } from './app.js';
import { type Backend, backend } from './backend.js';
import { eventually, until } from './eventually.js';
import { cluster, endpoints, listener, routes } from './greeter.js';
import { reportFigure } from './report-figure.js';
import { ServedFolder } from './served-folder.js';

export interface CsdsTraits {
  /** A part of the error of a rejected cluster of type STATIC. */
  nackMessage: string;
  /** The client_scope of a target; undefined if all targets share one client without a scope. */
  scope: ((target: string) => string) | undefined;
  /** The effect on CSDS while a target needs a name whose authority is not in the bootstrap. */
  lost: 'reported' | 'breaks' | 'kills';
  /** Whether CSDS shows why a resource does not exist. */
  reportsCause: boolean;
}

/** The output of `csds -o json`. */
interface Document {
  scopes: {
    scope: string;
    remote: { clientScope: string; node: string };
    channels: { target: string; config: string }[];
    resources: Row[];
  }[];
}

interface Row {
  type: string;
  name: string;
  status: string;
  version: string | null;
  lastUpdated: string | null;
  error: { message: string; version: string | null; cause: string } | null;
}

const TARGETS = ['greeter', 'cart', 'kept', 'gone', 'lonely', 'ghost'];

/** gRPC rejects the cluster of `cart` and the update of `kept`; `lonely` has no endpoints; `ghost` does not exist. */
function folder(port: number): Record<string, unknown> {
  return {
    'listeners.json': [listener(), ...['cart', 'kept', 'lonely', 'gone'].map((name) => listener(name, name))],
    'routes.json': [
      routes('one'),
      routes('rejected', 'cart'),
      routes('kept', 'kept'),
      routes('two', 'lonely'),
      routes('one', 'gone'),
    ],
    'clusters.json': [cluster('one'), cluster('rejected', { type: 'STATIC' }), cluster('kept'), cluster('two')],
    'endpoints.json': [endpoints('one', port), endpoints('kept', port)],
  };
}

/** Removes `gone` and updates `kept` with an invalid cluster. */
function change(served: ServedFolder): void {
  const invalid = { type: 'STATIC' };
  served.write('listeners.json', [listener(), ...['cart', 'kept', 'lonely'].map((name) => listener(name, name))]);
  served.write('clusters.json', [
    cluster('one'),
    cluster('rejected', invalid),
    cluster('kept', invalid),
    cluster('two'),
  ]);
}

/** `csds` on a real application, compared with `watch` and `status` on the same control plane. */
export function csdsOfApps(peer: PeerName, traits: CsdsTraits): void {
  describe(`csds of ${peer}`, () => {
    it('shows the same resources as our own client on the same control plane', async () => {
      const { app, served, ours } = await running(peer);
      const { code, stderr } = await csds(app.admin);
      expect([code, stderr]).toEqual([0, `xds-inspect: ${app.admin}: no xDS client runs in this process\n`]);
      for (const target of ['greeter', 'cart', 'kept', 'gone']) await app.call(`xds:///${target}`, { timeout: 20 });
      change(served);
      for (const target of ['lonely', 'ghost']) await app.connect(`xds:///${target}`);
      const settled = await eventually(
        async () => rowsOf(await documentOf(app.admin), traits),
        (rows) => !rows.some((row) => row.includes('REQUESTED')) && rows.some((row) => row.includes('LDS gone DOES')),
        'the resource timers expire',
      );
      await eventually(
        async () => rowsOf(await documentOf(ours), traits),
        (rows) => JSON.stringify(rows) === JSON.stringify(settled),
        `watch --as c-core has the same: ${JSON.stringify(settled)}`,
      );
      const document = await documentOf(app.admin);
      expectScopes(document, traits);
      expectErrors(document, traits);
      await expectStatusAlike(served, document);
      await expectConfigs(app, traits);
      reportFigure(
        `${app.version}: csds and our own client agree on ${settled.length} resources of ${TARGETS.length} targets`,
      );
    });

    it('has every view, next to an address that does not respond', async () => {
      const { app, served, blue } = await running(peer);
      await app.call('xds:///greeter', { timeout: 20 });
      await app.call('xds:///cart', { timeout: 20 });
      const config = await csds(app.admin, '--view', 'config');
      expect(config.stdout).toContain(`127.0.0.1:${blue.port}`);
      const explained = await csds(app.admin, '--view', 'explain', '--method', '/interop.Echo/Say', '-o', 'json');
      expect(JSON.parse(explained.stdout)).toEqual(
        expect.arrayContaining([
          expect.objectContaining({ target: 'xds:///greeter', outcome: 'ok', addresses: [`127.0.0.1:${blue.port}`] }),
          expect.objectContaining({ target: 'xds:///cart', outcome: 'fails' }),
        ]),
      );
      const file = scenario(`
targets:
  - { target: greeter, resources: { LDS/greeter: ACKED, EDS/one: { endpoints: { total: 1 } } }, rpcs: [/a.B/C] }
  - { target: cart, resources: { CDS/rejected: NACKED } }
`);
      const checked = await csds(app.admin, '--view', 'check', '--expectations', file);
      expect([checked.code, checked.stderr]).toEqual([0, '']);
      const dead = CLOSED;
      const both = await csds(dead, app.admin);
      expect(both.code).toBe(69);
      expect(both.stderr).toContain(`${dead}: nothing listens there`);
      expect(both.stdout).toContain(`${app.admin} / `);

      const watching = startCli(['csds', '--plaintext', '--watch', '--interval', '100ms', app.admin]);
      later(watching.interrupt);
      await until(() => watching.stdout.includes('EDS one  ACKED 1'), 'csds --watch prints the first state');
      served.write('endpoints.json', endpoints('one', blue.port + 1));
      await until(() => /EDS one .*ACKED 2/.test(watching.stdout), 'csds --watch prints the change');
    });

    it('handles a target that needs a name of an unknown authority', async () => {
      const { app, served } = await running(peer);
      const name = 'xdstp://nowhere/envoy.config.route.v3.RouteConfiguration/r';
      served.write('more.json', listener('lost', name));
      await until(() => /now serves LDS.*lost/.test(served.run.stdout), 'the listener is served');
      await app.call('xds:///greeter', { timeout: 20 });
      if (traits.lost === 'kills') {
        await expect(app.call('xds:///lost', { timeout: 20 })).rejects.toThrow('Authority nowhere not found');
        reportFigure(`${app.version}: a listener that names routes of an unknown authority ends the process`);
        return;
      }
      expect(await app.call('xds:///lost', { timeout: 20 })).toMatchObject({ code: 'UNAVAILABLE' });
      const { code, stdout, stderr } = await csds(app.admin, '--view', 'explain');
      if (traits.lost === 'breaks') {
        expect([code, stdout]).toEqual([69, '']);
        expect(stderr).toContain('its CSDS service fails (UNKNOWN: Application error processing RPC)');
        await app.close('xds:///lost');
        await eventually(
          () => csds(app.admin),
          (run) => run.code === 0 && run.stdout.includes('xds:///greeter  OK'),
          'it works again without the target',
        );
      } else {
        expect(code).toBe(79);
        expect(stdout).toContain('/ xds:///greeter  OK');
        expect(stderr).toContain(`xds:///lost: cannot be resolved: it needs RDS "${name}", which is not among`);
      }
    });
  });
}

const csds = (...args: string[]) => runCli(['csds', '--plaintext', ...args]);

async function documentOf(address: string): Promise<Document> {
  return JSON.parse((await csds(address, '-o', 'json')).stdout);
}

/** A served folder, an application that uses it, and our own client on the same control plane. */
async function running(peer: PeerName): Promise<{ app: App; served: ServedFolder; ours: string; blue: Backend }> {
  const blue = await backend('blue');
  const served = await ServedFolder.start(folder(blue.port));
  const variables = { GRPC_XDS_BOOTSTRAP_CONFIG: served.bootstrap };
  const app = await App.start(peer, variables);
  const run = startCli(['watch', ...TARGETS, '--as', 'c-core', '--csds-port', '0', '-o', 'ndjson'], variables);
  later(run.interrupt);
  await until(() => run.stderr.includes('CSDS on '), 'CSDS is served');
  return { app, served, ours: /CSDS on (\S+)/.exec(run.stderr)?.[1] as string, blue };
}

/**
 * Rows such as `xds:///kept CDS kept NACKED 1 (2)`. Omits resources that `gone` no longer needs, since clients unsubscribe
 * from them at different times. Omits scopes and versions if all targets share one client, which gets other responses.
 */
function rowsOf({ scopes }: Document, { scope: hasScopes }: CsdsTraits): string[] {
  const rows = scopes.flatMap(({ scope, resources }) =>
    resources
      .filter(({ type }) => type === 'LDS' || scope !== 'xds:///gone')
      .map(({ type, name, status, version, error }) => {
        const invalid = error?.cause === 'nack' ? ` (${error.version})` : '';
        return hasScopes === undefined
          ? `${type} ${name} ${status}`
          : `${scope} ${type} ${name} ${status} ${version}${invalid}`;
      }),
  );
  return [...new Set(rows)].sort();
}

function expectScopes({ scopes }: Document, { scope }: CsdsTraits): void {
  const clientScopes = scopes.map(({ remote }) => remote.clientScope).sort();
  expect(clientScopes).toEqual(scope === undefined ? [''] : TARGETS.map(scope).sort());
  expect(scopes.every(({ remote }) => remote.node === 'xds-inspect')).toBe(true);
}

function expectErrors({ scopes }: Document, { nackMessage, reportsCause }: CsdsTraits): void {
  const all = scopes.flatMap(({ resources }) => resources);
  const one = (type: string, name: string): Row | undefined =>
    all.find((row) => row.type === type && row.name === name);
  expect(one('CDS', 'kept')?.error?.message).toContain(nackMessage);
  expect(one('CDS', 'rejected')).toMatchObject({ version: null, lastUpdated: null });
  expect(one('LDS', 'gone')?.error?.cause).toBe(reportsCause ? 'deletion' : 'absence');
  expect(one('LDS', 'ghost')).toMatchObject({
    lastUpdated: null,
    error: { cause: reportsCause ? 'timer' : 'absence' },
  });
}

/** `status` connects later, so it never received the first version of `kept`, which is left out here. */
async function expectStatusAlike(served: ServedFolder, document: Document): Promise<void> {
  const variables = { GRPC_XDS_BOOTSTRAP_CONFIG: served.bootstrap };
  const run = await runCli(['status', 'greeter', 'cart', '-o', 'json', '--as', 'c-core'], variables);
  const states = (of: Document): string[] =>
    of.scopes.flatMap(({ resources }) => resources.map(({ type, name, status }) => `${type} ${name} ${status}`));
  expect(states(document)).toEqual(expect.arrayContaining(states(JSON.parse(run.stdout))));
}

async function expectConfigs(app: App, { scope }: CsdsTraits): Promise<void> {
  const { scopes } = await documentOf(app.admin);
  const configs = scopes.flatMap(({ channels }) => channels.map(({ target, config }) => `${target} ${config}`));
  const expected = [
    'cart published',
    'ghost error',
    'gone error',
    'greeter published',
    'kept published',
    'lonely published',
  ];
  expect(configs.sort()).toEqual(expected.map((one) => `xds:///${one}`));
  expect(scopes).toHaveLength(scope === undefined ? 1 : TARGETS.length);
}
