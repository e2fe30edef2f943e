import { Problems } from '../../../src/base/problem.js';
import { xdsCatalogue } from '../../../src/proto/json/catalogue.js';
import { parseAny } from '../../../src/proto/json/parse.js';
import { RESOURCE_TYPES } from '../../../src/proto/resource-types.js';

export interface Any {
  typeUrl: string;
  value: Uint8Array;
}

/** A resource from proto JSON; `@type` may be short. */
export function resource(json: object): Any {
  const problems = new Problems();
  const { '@type': type } = json as { '@type': keyof typeof RESOURCE_TYPES };
  const any = parseAny(xdsCatalogue, { ...json, '@type': RESOURCE_TYPES[type] ?? type }, problems);
  if (any === undefined) throw new Error(`a resource cannot be read: ${JSON.stringify(problems.list)}`);
  return any;
}

/** The names of the resources from a listener to its endpoints. */
export interface ResourceNames {
  listener: string;
  routes: string;
  cluster: string;
  endpoints: string;
}

const PREFIX = 'type.googleapis.com/envoy.extensions.filters';

/** Valid resources by type; each names the next. */
export function usableResources(names: ResourceNames): Record<keyof typeof RESOURCE_TYPES, Any> {
  const ads = { ads: {}, resource_api_version: 'V3' };
  return {
    LDS: resource({
      '@type': 'LDS',
      name: names.listener,
      api_listener: {
        api_listener: {
          '@type': `${PREFIX}.network.http_connection_manager.v3.HttpConnectionManager`,
          rds: { route_config_name: names.routes, config_source: ads },
          http_filters: [{ name: 'router', typed_config: { '@type': `${PREFIX}.http.router.v3.Router` } }],
        },
      },
    }),
    RDS: resource({
      '@type': 'RDS',
      name: names.routes,
      virtual_hosts: [
        { name: 'all', domains: ['*'], routes: [{ match: { prefix: '' }, route: { cluster: names.cluster } }] },
      ],
    }),
    CDS: resource({
      '@type': 'CDS',
      name: names.cluster,
      type: 'EDS',
      eds_cluster_config: { eds_config: ads, service_name: names.endpoints },
    }),
    EDS: resource({
      '@type': 'EDS',
      cluster_name: names.endpoints,
      endpoints: [
        {
          locality: { region: 'here' },
          load_balancing_weight: 1,
          lb_endpoints: [{ endpoint: { address: { socket_address: { address: '127.0.0.1', port_value: 1 } } } }],
        },
      ],
    }),
  };
}
