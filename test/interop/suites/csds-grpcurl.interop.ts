import { describe, expect, it } from 'vitest';
import { run } from '../../../tools/peers/run.js';
import { runCli, startCli } from '../../support/cli.js';
import { later } from '../../support/serving.js';
import { backend } from '../support/backend.js';
import { commandOf } from '../support/built-peers.js';
import { until } from '../support/eventually.js';
import { cluster, endpoints, listener, routes } from '../support/greeter.js';
import { reportFigure } from '../support/report-figure.js';
import { ServedFolder } from '../support/served-folder.js';

const CSDS = 'envoy.service.status.v3.ClientStatusDiscoveryService';

function grpcurl(...args: string[]): Promise<string> {
  const [file, ...more] = commandOf('grpcurl');
  return run(file, [...more, '-plaintext', ...args]);
}

/** Starts a command that stays connected, with its CSDS; gRPC rejects the cluster of one of its two targets. */
async function inspecting(command: string[]): Promise<string> {
  const { port } = await backend('blue');
  const served = await ServedFolder.start({
    'listeners.json': [listener(), listener('cart', 'cart')],
    'routes.json': [routes('one'), routes('rejected', 'cart')],
    'clusters.json': [cluster('one'), cluster('rejected', { type: 'STATIC' })],
    'endpoints.json': endpoints('one', port),
  });
  const started = startCli([...command, '--csds-port', '0'], { GRPC_XDS_BOOTSTRAP_CONFIG: served.bootstrap });
  later(started.interrupt);
  await until(() => started.stderr.includes('CSDS on '), 'CSDS is served');
  await until(() => served.run.stdout.includes('NACK'), 'the server has received the NACK');
  await until(() => /EDS \[one\] +version 1/.test(served.run.stdout), 'the endpoints are acknowledged');
  return /CSDS on (\S+)/.exec(started.stderr)?.[1] as string;
}

/** Commands that stay connected. */
const COMMANDS: string[][] = [
  ['watch', 'greeter', 'cart', '-o', 'ndjson'],
  ['wait', 'greeter', 'cart', '--until', 'LDS/none=ACKED', '--timeout', '60s'],
];

describe('grpcurl on --csds-port, with reflection only', () => {
  for (const command of COMMANDS) {
    it(`reads the state of ${command[0]}`, async () => {
      const address = await inspecting(command);
      expect((await grpcurl(address, 'list')).trim().split('\n')).toEqual([
        CSDS,
        'grpc.reflection.v1.ServerReflection',
      ]);
      const described = await grpcurl(address, 'describe', CSDS);
      expect(described).toContain('rpc StreamClientStatus ( stream .envoy.service.status.v3.ClientStatusRequest )');
      for (const type of ['envoy.config.cluster.v3.Cluster', 'envoy.config.route.v3.RouteConfiguration'])
        expect(await grpcurl(address, 'describe', type)).toContain(`${type} is a message:`);

      const fetched = JSON.parse(await grpcurl(address, `${CSDS}/FetchClientStatus`));
      const ours = JSON.parse((await runCli(['csds', '--plaintext', address, '-o', 'csds'])).stdout);
      expect(fetched).toEqual(ours);
      expect(JSON.stringify(fetched)).toContain('http_connection_manager.v3.HttpConnectionManager');
      expect(JSON.stringify(fetched)).toContain('unknown discovery type');

      const twice = await grpcurl(
        '-d',
        '{} {"exclude_resource_contents": true}',
        address,
        `${CSDS}/StreamClientStatus`,
      );
      const [full, bare] = twice.split(/\n(?=\{)/).map((text) => JSON.parse(text));
      expect(full).toEqual(ours);
      expect(JSON.stringify(bare)).not.toContain('xdsConfig');
      expect(bare.config).toHaveLength(2);
      const matcher = '{"node_matchers": [{"node_id": {"exact": "a"}}]}';
      await expect(grpcurl('-d', matcher, address, `${CSDS}/FetchClientStatus`)).rejects.toThrow(/InvalidArgument/);
      reportFigure(
        `grpcurl 1.9.4 on ${command[0]}: list, describe, FetchClientStatus and StreamClientStatus, equal to csds -o csds`,
      );
    });
  }
});
