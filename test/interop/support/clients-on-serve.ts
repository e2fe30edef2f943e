import { describe, expect, it } from 'vitest';
import type { PeerName } from '../../../tools/peers/peers.js';
import { App } from './app.js';
import { backend } from './backend.js';
import { eventually, until } from './eventually.js';
import { cluster, endpoints, listener, routes } from './greeter.js';
import { seen } from './seen.js';
import { ServedFolder } from './served-folder.js';

const TARGET = 'xds:///greeter';

interface ClientTraits {
  /** How a NACK of a cluster of type STATIC is worded. */
  refusal: string;
  /** A channel whose listener was away for a time does not ask for its routes again. */
  staysLost?: boolean;
}

/** A real client gets its configuration from `serve`, and calls real backends with it. */
export function clientsOnServe(peer: PeerName, { refusal, staysLost = false }: ClientTraits): void {
  describe(`${peer} on serve`, () => {
    it('follows updates of routes and endpoints, and keeps what it has over a resource that it refuses', async () => {
      const [blue, green] = [await backend('blue'), await backend('green')];
      const served = await ServedFolder.start({
        'listener.json': listener(),
        'routes.json': routes('one'),
        'cluster.json': cluster('one'),
        'endpoints.json': endpoints('one', blue.port),
      });
      const { app, call, reaches } = await clientOf(peer, served);
      await reaches('blue');

      served.write('endpoints.json', endpoints('one', green.port));
      await reaches('green');

      served.write('cluster.json', cluster('one', { type: 'STATIC' }));
      const told = await eventually(
        () => served.run.stdout.split('\n').find((line) => line.includes('NACK')) ?? '',
        (line) => line !== '',
        'serve tells of the refusal',
      );
      expect(told).toContain(refusal);
      expect(await call()).toMatchObject({ code: 'OK', answer: 'green' });

      served.write('cluster.json', [cluster('one'), cluster('two')]);
      served.write('endpoints.json', [endpoints('one', green.port), endpoints('two', blue.port)]);
      served.write('routes.json', routes('two'));
      await reaches('blue');
      seen(`${app.version} on serve: call, endpoint change, NACK, new route to a new cluster`);
    });

    it('loses what is removed, and has it again when it is back', async () => {
      const blue = await backend('blue');
      const served = await ServedFolder.start(greeterOn(blue.port));
      const { app, call, reaches } = await clientOf(peer, served);
      await reaches('blue');
      served.write('listener.json', []);
      const { message } = await eventually(call, ({ code }) => code === 'UNAVAILABLE', 'calls fail');
      served.write('listener.json', listener());
      if (staysLost) {
        await until(() => served.run.stdout.includes('version 3'), 'the client has the listener again');
        expect(await call()).toMatchObject({ code: 'UNAVAILABLE' });
        await app.close(TARGET);
      }
      await reaches('blue');
      const how = staysLost ? 'which only a new channel noticed' : 'which was noticed';
      seen(`${app.version} on serve: listener removed ("${message}"), then restored, ${how}`);
    });

    it('goes on while the server is away, and connects again on the same port', async () => {
      const [blue, green] = [await backend('blue'), await backend('green')];
      const served = await ServedFolder.start(greeterOn(blue.port));
      const { app, call, reaches } = await clientOf(peer, served);
      await reaches('blue');
      await served.stop();
      served.write('endpoints.json', endpoints('one', green.port));
      expect(await call()).toMatchObject({ code: 'OK', answer: 'blue' });
      await served.comeBack();
      await reaches('green');
      expect(served.run.stdout).toMatch(/→ LDS \[greeter\]/);
      seen(`${app.version} on serve: calls while it was away, connected again after a restart`);
    });
  });
}

function greeterOn(port: number): Record<string, unknown> {
  return {
    'listener.json': listener(),
    'routes.json': routes('one'),
    'cluster.json': cluster('one'),
    'endpoints.json': endpoints('one', port),
  };
}

async function clientOf(peer: PeerName, served: ServedFolder) {
  const app = await App.start(peer, { GRPC_XDS_BOOTSTRAP_CONFIG: served.bootstrap });
  const call = () => app.call(TARGET, { timeout: 10 });
  const reaches = (label: string) => eventually(call, ({ answer }) => answer === label, `${label} answers`);
  return { app, call, reaches };
}
