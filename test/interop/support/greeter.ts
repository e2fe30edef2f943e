/** Resources of a small service, as proto JSON. */

const PREFIX = 'type.googleapis.com/envoy.extensions.filters';

export function listener(name = 'greeter', routesName = 'routes'): object {
  return {
    '@type': 'LDS',
    name,
    api_listener: {
      api_listener: {
        '@type': `${PREFIX}.network.http_connection_manager.v3.HttpConnectionManager`,
        rds: { route_config_name: routesName, config_source: { ads: {}, resource_api_version: 'V3' } },
        http_filters: [{ name: 'router', typed_config: { '@type': `${PREFIX}.http.router.v3.Router` } }],
      },
    },
  };
}

export function routes(cluster: string, name = 'routes'): object {
  return {
    '@type': 'RDS',
    name,
    virtual_hosts: [{ name: 'all', domains: ['*'], routes: [{ match: { prefix: '' }, route: { cluster } }] }],
  };
}

export function cluster(name: string, fields: object = {}): object {
  const eds = { eds_config: { ads: {}, resource_api_version: 'V3' } };
  return { '@type': 'CDS', name, type: 'EDS', eds_cluster_config: eds, connect_timeout: '5s', ...fields };
}

export function endpoints(cluster: string, port: number): object {
  const address = { socket_address: { address: '127.0.0.1', port_value: port } };
  return {
    '@type': 'EDS',
    cluster_name: cluster,
    endpoints: [{ locality: { region: 'here' }, load_balancing_weight: 1, lb_endpoints: [{ endpoint: { address } }] }],
  };
}
