import { describe, expect, it } from 'vitest';
import { freePort } from '../../support/live-server.js';
import { backend } from '../support/backend.js';
import { callThrough, GRPC_CLUSTER, proxyListener, startEnvoy } from '../support/envoy.js';
import { eventually } from '../support/eventually.js';
import { cluster, endpoints, routes } from '../support/greeter.js';
import { reportFigure } from '../support/report-figure.js';
import { ServedFolder } from '../support/served-folder.js';

const grpcCluster = (name: string, fields: object = {}): object => cluster(name, { ...GRPC_CLUSTER, ...fields });

describe('Envoy on serve', () => {
  it('routes RPCs after updates, a NACK, a removal and a restart of the server', async () => {
    const [blue, green] = [await backend('blue'), await backend('green')];
    const port = await freePort();
    const served = await ServedFolder.start({
      'listener.json': proxyListener(port),
      'routes.json': routes('one'),
      'cluster.json': grpcCluster('one'),
      'endpoints.json': endpoints('one', blue.port),
    });
    const version = await startEnvoy(served.port);
    const call = () => callThrough(port);
    const reaches = (label: string) => eventually(call, ({ answer }) => answer === label, `${label} responds`);
    await reaches('blue');

    served.write('endpoints.json', endpoints('one', green.port));
    await reaches('green');

    served.write('cluster.json', grpcCluster('one', { type: 'ORIGINAL_DST' }));
    const nack = await eventually(
      () => served.run.stdout.split('\n').find((line) => line.includes('NACK')) ?? '',
      (line) => line !== '',
      'serve prints the NACK',
    );
    expect(nack).toContain('node an-envoy');
    expect(nack).toMatch(/NACK: .*one.*ORIGINAL_DST/);
    await reaches('green');

    served.write('cluster.json', [grpcCluster('one'), grpcCluster('two')]);
    served.write('endpoints.json', [endpoints('one', green.port), endpoints('two', blue.port)]);
    await eventually(
      () => served.run.stdout,
      (log) => /→ EDS \[[^\]]*two/.test(log),
      'Envoy requests the new endpoints',
    );
    served.write('routes.json', routes('two'));
    await reaches('blue');

    served.write('listener.json', []);
    await eventually(call, ({ code }) => code === 'UNAVAILABLE', 'Envoy closes the port');
    served.write('listener.json', proxyListener(port));
    await reaches('blue');

    await served.stop();
    served.write('endpoints.json', endpoints('two', green.port));
    await reaches('blue');
    await served.restart();
    await reaches('green');
    reportFigure(
      `Envoy ${version} on serve: call, endpoint change, NACK, new route to a new cluster, removal, restart`,
    );
  });
});
