import { Problems } from '../../../src/base/problem.ts';
import { xdsCatalogue } from '../../../src/proto/json/catalogue.ts';
import { parseAny } from '../../../src/proto/json/parse.ts';
import { RESOURCE_TYPES } from '../../../src/proto/resource-types.ts';
import { LISTENER } from './listener.ts';

export type Type = keyof typeof RESOURCE_TYPES;

const ROUTES = 'routes';
const ENDPOINTS = 3;

function listener(): object {
  return {
    name: LISTENER,
    api_listener: {
      api_listener: {
        '@type':
          'type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager',
        rds: { route_config_name: ROUTES, config_source: { ads: {}, resource_api_version: 'V3' } },
        http_filters: [
          {
            name: 'router',
            typed_config: { '@type': 'type.googleapis.com/envoy.extensions.filters.http.router.v3.Router' },
          },
        ],
      },
    },
  };
}

/** One route for each cluster, so that a client requests the whole mesh. */
function routes(count: number): object {
  return {
    name: ROUTES,
    virtual_hosts: [
      {
        name: 'all',
        domains: ['*'],
        routes: Array.from({ length: count }, (_, i) => ({
          match: { prefix: `/package.Service${i}/` },
          route: { cluster: `cluster-${i}` },
        })),
      },
    ],
  };
}

/** A cluster whose revision is in a field that both clients read. */
function cluster(i: number, revision: number): object {
  return {
    name: `cluster-${i}`,
    type: 'EDS',
    eds_cluster_config: { eds_config: { ads: {}, resource_api_version: 'V3' } },
    connect_timeout: '10s',
    lb_policy: 'ROUND_ROBIN',
    circuit_breakers: { thresholds: [{ max_requests: 1024 + revision }] },
  };
}

function assignment(i: number, revision: number): object {
  return {
    cluster_name: `cluster-${i}`,
    endpoints: [
      {
        locality: { region: 'eu-west-1', zone: 'eu-west-1a' },
        load_balancing_weight: 1,
        lb_endpoints: Array.from({ length: ENDPOINTS }, (_, j) => ({
          endpoint: {
            address: {
              socket_address: {
                address: `${127 - (i >> 16)}.${(i >> 8) & 255}.${i & 255}.${j + 1}`,
                port_value: 8080 + revision,
              },
            },
          },
          health_status: 'HEALTHY',
          load_balancing_weight: 1,
        })),
      },
    ],
  };
}

function encode(type: Type, json: object): Uint8Array {
  const problems = new Problems();
  const any = parseAny(xdsCatalogue, { '@type': RESOURCE_TYPES[type], ...json }, problems);
  if (any === undefined) throw new Error(problems.list[0]?.message);
  return any.value;
}

/** A listener, its routes, and `count` clusters with their endpoints, already encoded. */
export class Mesh {
  readonly count: number;
  readonly #resources: Record<Type, Uint8Array[]>;
  #revision = 0;

  constructor(count: number) {
    this.count = count;
    const each = (type: Type, make: (i: number, revision: number) => object): Uint8Array[] =>
      Array.from({ length: count }, (_, i) => encode(type, make(i, 0)));
    this.#resources = {
      LDS: [encode('LDS', listener())],
      RDS: [encode('RDS', routes(count))],
      CDS: each('CDS', cluster),
      EDS: each('EDS', assignment),
    };
  }

  all(type: Type): readonly Uint8Array[] {
    return this.#resources[type];
  }

  /** Changes one resource and returns the resources to send: all clusters (as SotW requires), or one load assignment. */
  change(type: 'CDS' | 'EDS'): readonly Uint8Array[] {
    const revision = ++this.#revision;
    const at = revision % this.count;
    const resource = encode(type, type === 'CDS' ? cluster(at, revision) : assignment(at, revision));
    this.#resources[type][at] = resource;
    return type === 'CDS' ? this.all('CDS') : [resource];
  }
}
