import { spawn } from 'node:child_process';
import { Client, credentials, status } from '@grpc/grpc-js';
import { run } from '../../../tools/peers/run.js';
import { later } from '../../support/serving.js';
import type { Outcome } from './app.js';
import { commandOf } from './built-peers.js';

const HTTP2 = {
  'envoy.extensions.upstreams.http.v3.HttpProtocolOptions': {
    '@type': 'type.googleapis.com/envoy.extensions.upstreams.http.v3.HttpProtocolOptions',
    explicit_http_config: { http2_protocol_options: {} },
  },
};

/** Envoy's bootstrap: the address of its control plane, which sends all other configuration. */
function bootstrap(port: number): object {
  const ads = { ads: {}, resource_api_version: 'V3' };
  const address = { socket_address: { address: '127.0.0.1', port_value: port } };
  return {
    node: { id: 'an-envoy', cluster: 'envoys' },
    dynamic_resources: {
      ads_config: {
        api_type: 'GRPC',
        transport_api_version: 'V3',
        grpc_services: [{ envoy_grpc: { cluster_name: 'control-plane' } }],
      },
      lds_config: ads,
      cds_config: ads,
    },
    static_resources: {
      clusters: [
        {
          name: 'control-plane',
          type: 'STATIC',
          typed_extension_protocol_options: HTTP2,
          load_assignment: {
            cluster_name: 'control-plane',
            endpoints: [{ lb_endpoints: [{ endpoint: { address } }] }],
          },
        },
      ],
    },
  };
}

/** An Envoy whose control plane is on this port of loopback; it ends with the test. Returns its version. */
export async function startEnvoy(controlPlane: number): Promise<string> {
  const [file, ...args] = commandOf('envoy');
  const quiet = ['--log-level', 'off', '--concurrency', '1', '--drain-time-s', '1'];
  // Several Envoys on one machine would share memory otherwise.
  const alone = ['--disable-hot-restart', '--config-yaml', JSON.stringify(bootstrap(controlPlane))];
  const child = spawn(file, [...args, ...quiet, ...alone], { stdio: 'ignore' });
  later(() => child.kill('SIGKILL'));
  return /\/(\d+\.\d+\.\d+)\//.exec(await run(file, [...args, '--version']))?.[1] ?? 'of an unknown version';
}

/** A listener on its own port that accepts gRPC without TLS. */
export function proxyListener(port: number): object {
  const type = 'type.googleapis.com/envoy.extensions.filters';
  return {
    '@type': 'LDS',
    name: 'greeter',
    address: { socket_address: { address: '127.0.0.1', port_value: port } },
    filter_chains: [
      {
        filters: [
          {
            name: 'http',
            typed_config: {
              '@type': `${type}.network.http_connection_manager.v3.HttpConnectionManager`,
              stat_prefix: 'greeter',
              rds: { route_config_name: 'routes', config_source: { ads: {}, resource_api_version: 'V3' } },
              http_filters: [{ name: 'router', typed_config: { '@type': `${type}.http.router.v3.Router` } }],
            },
          },
        ],
      },
    ],
  };
}

/** Fields of a cluster of gRPC servers. */
export const GRPC_CLUSTER = { typed_extension_protocol_options: HTTP2 };

const CODES = new Map(Object.entries(status).map(([name, code]) => [code, name]));
const same = (bytes: Buffer): Buffer => bytes;

/** A call on a new connection. */
export function callThrough(port: number): Promise<Outcome> {
  const client = new Client(`127.0.0.1:${port}`, credentials.createInsecure(), { 'grpc.use_local_subchannel_pool': 1 });
  return new Promise<Outcome>((resolve) => {
    const options = { deadline: Date.now() + 10_000 };
    client.makeUnaryRequest('/interop.Echo/Say', same, same, Buffer.alloc(0), options, (error, answer) =>
      resolve(
        error === null
          ? { code: 'OK', message: '', answer: String(answer) }
          : { code: CODES.get(error.code) ?? '', message: error.details },
      ),
    );
  }).finally(() => client.close());
}
