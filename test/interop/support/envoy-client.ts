import { type ChildProcess, spawn } from 'node:child_process';
import { type DiscoveryRequest, DiscoveryResponse } from '../../../src/proto/generated/envoy.service.discovery.v3.js';
import { encode } from '../../../src/proto/message-type.js';
import { isCompleteInEveryResponse, RESOURCE_TYPES } from '../../../src/proto/resource-types.js';
import { bytesOf } from '../../resources/validate.js';
import { type Call, LiveServer } from '../../support/live-server.js';
import { until } from '../../support/until.js';
import { commandOf } from './built-peers.js';
import type { LiveVerdict } from './live-verdict.js';

type Resources = DiscoveryResponse['resources'];

/** Envoy sends its ACK or NACK at once, unless it waits for another resource. */
const HELD_MS = 3_000;

/** An Envoy on a scripted control plane, for resources of one type. It is restarted after a resource that crashes it. */
export class EnvoyClient {
  readonly #server: LiveServer;
  readonly #typeUrl: string;
  #process: ChildProcess | undefined;
  #call: Call | undefined;
  /** The subscribed names, by type URL. */
  #names = new Map<string, readonly string[]>();
  #nonce = 0;
  #onReply: (verdict: LiveVerdict) => void = () => {};

  private constructor(server: LiveServer, typeUrl: string) {
    this.#server = server;
    this.#typeUrl = typeUrl;
  }

  static async start(typeUrl: string): Promise<EnvoyClient> {
    const server = await LiveServer.start(() => {});
    const client = new EnvoyClient(server, typeUrl);
    server.respond = (request, call) => client.#receive(request, call);
    return client;
  }

  /** Envoy's ACK or NACK of a response with these resources. */
  async verdictOf(resources: Resources): Promise<LiveVerdict> {
    if (this.#process === undefined) await this.#launch();
    const verdict = await this.#sendAndWait(this.#typeUrl, resources);
    if (verdict.verdict === 'HELD' || verdict.verdict === 'CRASH') this.#stop();
    else if (isCompleteInEveryResponse(this.#typeUrl)) await this.#sendAndWait(this.#typeUrl, []);
    return verdict;
  }

  close(): void {
    this.#stop();
    this.#server.close();
  }

  async #launch(): Promise<void> {
    this.#names = new Map();
    this.#call = undefined;
    const [file, ...args] = commandOf('envoy');
    const options = ['--config-yaml', JSON.stringify(bootstrap(this.#server.port)), '--concurrency', '1'];
    const quiet = ['--disable-hot-restart', '--drain-time-s', '1', '--log-level', 'off'];
    const child = spawn(file, [...args, ...options, ...quiet], { stdio: 'ignore' });
    this.#process = child;
    child.on('exit', () => {
      if (this.#process !== child) return;
      this.#process = undefined;
      this.#onReply({ verdict: 'CRASH' });
    });
    await until(() => this.#names.has(RESOURCE_TYPES.CDS), 'Envoy requests clusters');
    await this.#sendAndWait(RESOURCE_TYPES.CDS, []);
    await until(() => this.#names.has(RESOURCE_TYPES.LDS), 'Envoy requests listeners');
    await this.#sendAndWait(RESOURCE_TYPES.LDS, []);
    const parent = PARENTS[this.#typeUrl];
    if (parent === undefined) return;
    await this.#sendAndWait(parent.typeUrl, [parent]);
    await until(() => this.#names.get(this.#typeUrl)?.includes('foo') === true, 'Envoy requests foo');
  }

  #stop(): void {
    const child = this.#process;
    this.#process = undefined;
    child?.kill('SIGKILL');
  }

  #sendAndWait(typeUrl: string, resources: Resources): Promise<LiveVerdict> {
    return new Promise((resolve) => {
      const held = setTimeout(() => this.#onReply({ verdict: 'HELD' }), HELD_MS);
      this.#onReply = (verdict) => {
        clearTimeout(held);
        resolve(verdict);
      };
      this.#write(typeUrl, resources, String(++this.#nonce));
    });
  }

  #sendEndpoints(names: readonly string[]): void {
    const resources = names.map((name) => ({
      typeUrl: RESOURCE_TYPES.EDS,
      value: bytesOf('EDS', {
        cluster_name: name,
        endpoints: [{ lb_endpoints: [{ endpoint: { address: ADDRESS } }] }],
      }),
    }));
    this.#write(RESOURCE_TYPES.EDS, resources, `endpoints ${this.#nonce}`);
  }

  #write(typeUrl: string, resources: Resources, nonce: string): void {
    const response = DiscoveryResponse.create({ typeUrl, resources, versionInfo: nonce, nonce });
    this.#call?.write(Buffer.from(encode(DiscoveryResponse, response)));
  }

  #receive({ typeUrl, resourceNames, responseNonce, errorDetail }: DiscoveryRequest, call: Call): void {
    this.#call = call;
    const isNew = String(this.#names.get(typeUrl)) !== String(resourceNames);
    this.#names.set(typeUrl, resourceNames);
    // Envoy acknowledges a cluster only with its endpoints.
    if (isNew && typeUrl === RESOURCE_TYPES.EDS && this.#typeUrl === RESOURCE_TYPES.CDS)
      this.#sendEndpoints(resourceNames);
    if (responseNonce !== String(this.#nonce)) return;
    this.#onReply(errorDetail === undefined ? { verdict: 'ACK' } : { verdict: 'NACK', message: errorDetail.message });
  }
}

const ADDRESS = { socket_address: { address: '127.0.0.1', port_value: 1 } };
const BY_ADS = { ads: {}, resource_api_version: 'V3' };
const FILTERS = 'type.googleapis.com/envoy.extensions.filters';

/** Resources that make Envoy request routes and endpoints called `foo`. */
const PARENTS: Readonly<Record<string, { typeUrl: string; value: Uint8Array }>> = {
  [RESOURCE_TYPES.EDS]: {
    typeUrl: RESOURCE_TYPES.CDS,
    value: bytesOf('CDS', { name: 'foo', type: 'EDS', eds_cluster_config: { eds_config: BY_ADS } }),
  },
  [RESOURCE_TYPES.RDS]: {
    typeUrl: RESOURCE_TYPES.LDS,
    value: bytesOf('LDS', {
      name: 'foo',
      address: ADDRESS,
      bind_to_port: false,
      filter_chains: [
        {
          filters: [
            {
              name: 'hcm',
              typed_config: {
                '@type': `${FILTERS}.network.http_connection_manager.v3.HttpConnectionManager`,
                stat_prefix: 'x',
                rds: { config_source: BY_ADS, route_config_name: 'foo' },
                http_filters: [{ name: 'router', typed_config: { '@type': `${FILTERS}.http.router.v3.Router` } }],
              },
            },
          ],
        },
      ],
    }),
  },
};

function bootstrap(port: number): object {
  const address = { socket_address: { address: '127.0.0.1', port_value: port } };
  const endpoints = [{ lb_endpoints: [{ endpoint: { address } }] }];
  const http2 = { explicit_http_config: { http2_protocol_options: {} } };
  return {
    node: { id: 'envoy', cluster: 'envoy' },
    static_resources: {
      clusters: [
        {
          name: 'control-plane',
          type: 'STATIC',
          load_assignment: { cluster_name: 'control-plane', endpoints },
          typed_extension_protocol_options: {
            'envoy.extensions.upstreams.http.v3.HttpProtocolOptions': {
              '@type': 'type.googleapis.com/envoy.extensions.upstreams.http.v3.HttpProtocolOptions',
              ...http2,
            },
          },
        },
      ],
    },
    dynamic_resources: {
      ads_config: {
        api_type: 'GRPC',
        transport_api_version: 'V3',
        grpc_services: [{ envoy_grpc: { cluster_name: 'control-plane' } }],
      },
      lds_config: BY_ADS,
      cds_config: BY_ADS,
    },
  };
}
