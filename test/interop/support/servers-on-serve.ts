import { describe, expect, it } from 'vitest';
import type { PeerName } from '../../../tools/peers/peers.js';
import { runCli } from '../../support/cli.js';
import { freePort } from '../../support/live-server.js';
import { App, type Outcome } from './app.js';
import { eventually } from './eventually.js';
import { reportFigure } from './report-figure.js';
import { ServedFolder } from './served-folder.js';

const TYPE = 'type.googleapis.com/envoy.extensions.filters';
const METHOD = '/interop.Echo/Say';

/** A server's listener; `filters` come before the router. */
function serverListener(host: string, port: number, filters: object[] = []): object {
  return {
    '@type': 'LDS',
    name: `grpc/server?xds.resource.listening_address=${host}:${port}`,
    address: { socket_address: { address: host, port_value: port } },
    filter_chains: [
      {
        name: 'all',
        filters: [
          {
            name: 'http',
            typed_config: {
              '@type': `${TYPE}.network.http_connection_manager.v3.HttpConnectionManager`,
              route_config: {
                name: 'inline',
                virtual_hosts: [
                  {
                    name: 'all',
                    domains: ['*'],
                    routes: [{ match: { prefix: '/interop.Echo/' }, non_forwarding_action: {} }],
                  },
                ],
              },
              http_filters: [
                ...filters,
                { name: 'router', typed_config: { '@type': `${TYPE}.http.router.v3.Router` } },
              ],
            },
          },
        ],
      },
    ],
  };
}

/** Denies calls with the header `who: nobody`. */
const RBAC = {
  name: 'rbac',
  typed_config: {
    '@type': `${TYPE}.http.rbac.v3.RBAC`,
    rules: {
      action: 'DENY',
      policies: {
        nobody: {
          permissions: [{ any: true }],
          principals: [{ header: { name: 'who', string_match: { exact: 'nobody' } } }],
        },
      },
    },
  },
};

/** A message of the xDS API that is not a filter. */
const NO_FILTER = {
  name: 'none',
  typed_config: { '@type': 'type.googleapis.com/envoy.config.cluster.v3.Cluster', name: 'x' },
};

/** A real xDS-enabled server gets its listener from `serve`; `explain` predicts the outcomes of calls to it. */
export function serversOnServe(peer: PeerName, nackMessage: string, host = '127.0.0.1'): void {
  describe(`a ${peer} server on serve`, () => {
    it('follows its listener through an update, a NACK and a removal', async () => {
      const port = await freePort();
      const served = await ServedFolder.start({ 'listener.json': serverListener(host, port) });
      const variables = { GRPC_XDS_BOOTSTRAP_CONFIG: served.bootstrap };
      const app = await App.start(peer, variables);
      await app.serve(port);
      const call = (method = METHOD, who = 'me'): Promise<Outcome> =>
        app.call(`dns:///127.0.0.1:${port}`, { method, metadata: [['who', who]], timeout: 10 });
      const explained = async (method: string, who: string): Promise<{ code: string; message: string } | null> => {
        const flags = ['--method', method, '--header', `who: ${who}`, '--as', 'c-core', '-o', 'json'];
        return JSON.parse((await runCli(['explain', `#server:${host}:${port}`, ...flags], variables)).stdout).status;
      };
      const agrees = async (code: string, method = METHOD, who = 'me'): Promise<Outcome> => {
        const got = await eventually(
          () => call(method, who),
          (outcome) => outcome.code === code,
          `${method} of ${who} gets ${code}`,
        );
        expect((await explained(method, who))?.code).toBe(code);
        return got;
      };
      expect(await agrees('OK')).toMatchObject({ answer: 'served' });
      const unrouted = await agrees('UNAVAILABLE', '/other.Service/Say');

      served.write('listener.json', serverListener(host, port, [RBAC]));
      const denied = await agrees('PERMISSION_DENIED', METHOD, 'nobody');
      expect(await agrees('OK')).toMatchObject({ answer: 'served' });
      if (peer === 'c-core-app') {
        expect(await explained(METHOD, 'nobody')).toMatchObject({ message: denied.message });
        expect(await explained('/other.Service/Say', 'me')).toMatchObject({ message: unrouted.message });
      }

      served.write('listener.json', serverListener(host, port, [NO_FILTER]));
      const nack = await eventually(
        () => served.run.stdout.split('\n').find((line) => line.includes('NACK')) ?? '',
        (line) => line !== '',
        'serve prints the NACK',
      );
      expect(nack).toContain(nackMessage);
      expect(await call(METHOD, 'nobody')).toMatchObject({ code: 'PERMISSION_DENIED' });
      const { scopes } = JSON.parse((await runCli(['csds', '--plaintext', app.admin, '-o', 'json'])).stdout);
      expect(scopes).toMatchObject([
        { scope: '#server', resources: [{ type: 'LDS', status: 'NACKED', version: '2', error: { version: '3' } }] },
      ]);

      served.write('listener.json', []);
      const { message } = await eventually(call, ({ code }) => code === 'UNAVAILABLE', 'it stops serving');
      reportFigure(`${app.version} server on serve: call, RBAC, NACK, removal ("${message}"); explain agrees`);
    });
  });
}
