import { describe, expect, it } from 'vitest';
import { until } from '../../support/cli.js';
import { App } from './app.js';
import { backend } from './backend.js';
import { cluster, endpoints, listener, routes } from './greeter.js';
import type { PeerName } from './peers.js';
import { seen } from './seen.js';
import { ServedFolder } from './served-folder.js';

const TARGET = 'xds:///greeter';

/** A real client gets its configuration from `serve`, and calls real backends with it. */
export function clientsOnServe(peer: PeerName): void {
  describe(`${peer} on serve`, () => {
    it('follows updates of routes and endpoints, and keeps what it has over a resource that it refuses', async () => {
      const [blue, green] = [await backend('blue'), await backend('green')];
      const served = await ServedFolder.start({
        'listener.json': listener(),
        'routes.json': routes('one'),
        'cluster.json': cluster('one'),
        'endpoints.json': endpoints('one', blue.port),
      });
      const app = await App.start(peer, { GRPC_XDS_BOOTSTRAP_CONFIG: served.bootstrap });
      const reached = async (): Promise<string | undefined> =>
        (await app.call(TARGET, { timeout: 10, waitForReady: true })).answer;
      expect(await reached()).toBe('blue');

      served.write('endpoints.json', endpoints('one', green.port));
      await eventually(reached, 'green');

      served.write('cluster.json', cluster('one', { type: 'STATIC' }));
      await until(() => served.run.stdout.includes('NACK'), 'the refusal is told by serve');
      expect(await reached()).toBe('green');

      served.write('cluster.json', [cluster('one'), cluster('two')]);
      served.write('endpoints.json', [endpoints('one', green.port), endpoints('two', blue.port)]);
      served.write('routes.json', routes('two'));
      await eventually(reached, 'blue');
      seen(`${app.version} on serve: route, endpoint change, NACK, new cluster`);
    });
  });
}

/** Calls again until the answer is the one that an update brings. */
async function eventually(reached: () => Promise<string | undefined>, label: string): Promise<void> {
  const end = Date.now() + 15_000;
  let last: string | undefined;
  while (Date.now() < end) {
    last = await reached();
    if (last === label) return;
  }
  expect(last).toBe(label);
}
