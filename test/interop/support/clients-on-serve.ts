import { describe, expect, it } from 'vitest';
import type { PeerName } from '../../../tools/peers/peers.js';
import { App } from './app.js';
import { backend } from './backend.js';
import { eventually, until } from './eventually.js';
import { cluster, endpoints, listener, routes } from './greeter.js';
import { reportFigure } from './report-figure.js';
import { ServedFolder } from './served-folder.js';

const TARGET = 'xds:///greeter';

interface ClientTraits {
  /** A part of its NACK of a cluster of type STATIC. */
  nackMessage: string;
  /** A channel whose listener was deleted and restored does not request its routes again. */
  needsNewChannel?: boolean;
}

/** A real client gets its configuration from `serve` and calls real backends. */
export function clientsOnServe(peer: PeerName, { nackMessage, needsNewChannel = false }: ClientTraits): void {
  describe(`${peer} on serve`, () => {
    it('applies updates of routes and endpoints, and keeps the cached cluster when an update is NACKed', async () => {
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
      const nack = await eventually(
        () => served.run.stdout.split('\n').find((line) => line.includes('NACK')) ?? '',
        (line) => line !== '',
        'serve prints the NACK',
      );
      expect(nack).toContain(nackMessage);
      expect(await call()).toMatchObject({ code: 'OK', answer: 'green' });

      served.write('cluster.json', [cluster('one'), cluster('two')]);
      served.write('endpoints.json', [endpoints('one', green.port), endpoints('two', blue.port)]);
      served.write('routes.json', routes('two'));
      await reaches('blue');
      reportFigure(`${app.version} on serve: call, endpoint change, NACK, new route to a new cluster`);
    });

    it('fails RPCs when the listener is removed, and routes them again when it is restored', async () => {
      const blue = await backend('blue');
      const served = await ServedFolder.start(greeterOn(blue.port));
      const { app, call, reaches } = await clientOf(peer, served);
      await reaches('blue');
      served.write('listener.json', []);
      const { message } = await eventually(call, ({ code }) => code === 'UNAVAILABLE', 'calls fail');
      served.write('listener.json', listener());
      if (needsNewChannel) {
        await until(() => served.run.stdout.includes('version 3'), 'the client has the listener again');
        expect(await call()).toMatchObject({ code: 'UNAVAILABLE' });
        await app.close(TARGET);
      }
      await reaches('blue');
      const how = needsNewChannel ? 'which only a new channel uses' : 'which the channel uses again';
      reportFigure(`${app.version} on serve: listener removed ("${message}"), then restored, ${how}`);
    });

    it('makes calls while the server is stopped, and reconnects to the same port', async () => {
      const [blue, green] = [await backend('blue'), await backend('green')];
      const served = await ServedFolder.start(greeterOn(blue.port));
      const { app, call, reaches } = await clientOf(peer, served);
      await reaches('blue');
      await served.stop();
      served.write('endpoints.json', endpoints('one', green.port));
      expect(await call()).toMatchObject({ code: 'OK', answer: 'blue' });
      await served.restart();
      await reaches('green');
      expect(served.run.stdout).toMatch(/→ LDS \[greeter\]/);
      reportFigure(`${app.version} on serve: calls while it is stopped, reconnects after a restart`);
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
  const reaches = (label: string) => eventually(call, ({ answer }) => answer === label, `${label} responds`);
  return { app, call, reaches };
}
