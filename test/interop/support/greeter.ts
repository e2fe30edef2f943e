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

/** Routes all calls to one cluster, except those whose path begins with the name of another. */
export function routes(cluster: string, name = 'routes', others: string[] = []): object {
  const special = others.map((other) => ({ match: { prefix: `/${other}` }, route: { cluster: other } }));
  return {
    '@type': 'RDS',
    name,
    virtual_hosts: [
      { name: 'all', domains: ['*'], routes: [...special, { match: { prefix: '' }, route: { cluster } }] },
    ],
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

/** Endpoints with distinct addresses, as gRPC requires. */
export function manyEndpoints(cluster: string, count: number): object {
  const lbEndpoints = Array.from({ length: count }, (_, i) => {
    const address = `2001:db8:0:0:0:0:${(i >> 16).toString(16)}:${(i & 0xffff).toString(16)}`;
    return {
      endpoint: {
        address: { socket_address: { address, port_value: 20_000 } },
        hostname: `host-number-${i}.of-a-very-large-service.example.com`,
      },
    };
  });
  return {
    '@type': 'EDS',
    cluster_name: cluster,
    endpoints: [{ locality: { region: 'here' }, load_balancing_weight: 1, lb_endpoints: lbEndpoints }],
  };
}
