import { Resource } from '../../../src/proto/generated/envoy.service.discovery.v3.js';
import { Any } from '../../../src/proto/generated/google.protobuf.js';
import { encode } from '../../../src/proto/message-type.js';
import { typeUrlOf } from '../../../src/proto/resource-types.js';
import { referencesOf } from '../../../src/resources/references.js';
import type { XdsResource } from '../../../src/resources/resource.js';
import { bytesOf } from '../../resources/validate.js';

export type Short = 'LDS' | 'RDS' | 'CDS' | 'EDS';

const HCM = 'type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager';
const ROUTER = {
  name: 'router',
  typed_config: { '@type': 'type.googleapis.com/envoy.extensions.filters.http.router.v3.Router' },
};

const any = (type: Short, json: object): Any => Any.create({ typeUrl: typeUrlOf(type), value: bytesOf(type, json) });

/** Endpoints that can be told apart by the weight of their locality. */
export function endpoints(name: string, value = 1): Any {
  const address = { socket_address: { address: '127.0.0.1', port_value: 80 } };
  const locality = {
    locality: { region: 'r' },
    load_balancing_weight: value,
    lb_endpoints: [{ endpoint: { address } }],
  };
  return any('EDS', { cluster_name: name, endpoints: [locality] });
}

/** A cluster that can be told apart by how many requests it takes at a time. */
export function cluster(name: string, value = 1, endpointsName = ''): Any {
  return any('CDS', {
    name,
    type: 'EDS',
    eds_cluster_config: { eds_config: { ads: {} }, service_name: endpointsName },
    circuit_breakers: { thresholds: [{ max_requests: value }] },
  });
}

/** Routes that lead to some clusters, of which the first that matches would be used. */
export function routes(name: string, ...clusters: string[]): Any {
  const list = clusters.map((one) => ({ match: { prefix: '' }, route: { cluster: one } }));
  return any('RDS', { name, virtual_hosts: [{ domains: ['*'], routes: list }] });
}

/** A client's listener that leads to some routes. */
export function listener(name: string, routesName = 'r'): Any {
  const rds = { route_config_name: routesName, config_source: { ads: {} } };
  return any('LDS', { name, api_listener: { api_listener: { '@type': HCM, http_filters: [ROUTER], rds } } });
}

/** A good one of any type; `value` is what `labelOf` finds in it. */
export function good(type: Short, name: string, value: string | number): Any {
  if (type === 'EDS') return endpoints(name, Number(value));
  if (type === 'CDS') return cluster(name, Number(value));
  return type === 'RDS' ? routes(name, `${value}`) : listener(name, `${value}`);
}

/** A resource that has a name, and that gRPC refuses with `REASONS`. */
export function bad(type: Short, name: string): Any {
  if (type === 'EDS') return any('EDS', { cluster_name: name, endpoints: [{ load_balancing_weight: 1 }] });
  return any(type, type === 'RDS' ? { name, virtual_hosts: [{}] } : { name });
}

export const REASONS: Record<Short, string> = {
  LDS: 'Listener has neither address nor ApiListener',
  RDS: 'errors validating RouteConfiguration resource: [field:virtual_hosts[0].domains error:must be non-empty]',
  CDS: 'errors validating Cluster resource: [field:type error:unknown discovery type]',
  EDS: 'errors parsing EDS resource: [field:endpoints[0].locality error:field not present]',
};

/** No message at all, so that nobody can tell whose resource it was. */
export function garbage(type: Short): Any {
  return Any.create({ typeUrl: typeUrlOf(type), value: Uint8Array.of(0) });
}

export const EMPTY = Any.create();

const WRAPPER_URL = `type.googleapis.com/${Resource.typeName}`;

export const BAD_WRAPPER = Any.create({ typeUrl: WRAPPER_URL, value: Uint8Array.of(0) });

export function wrapped(name: string, resource: Any): Any {
  return Any.create({ typeUrl: WRAPPER_URL, value: encode(Resource, Resource.create({ name, resource })) });
}

/** By what a resource can be told apart: its number, or where it leads. */
export function labelOf(resource: XdsResource): string {
  if (resource.type === 'EDS') return `${resource.value.priorities[0]?.[0]?.weight}`;
  if (resource.type === 'CDS') return `${resource.value.maxConcurrentRequests}`;
  return referencesOf('', resource)
    .map(({ name }) => name)
    .join(' ');
}
