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

/** Endpoints with `value` as the weight of their locality. */
export function endpoints(name: string, value = 1): Any {
  const address = { socket_address: { address: '127.0.0.1', port_value: 80 } };
  const locality = {
    locality: { region: 'r' },
    load_balancing_weight: value,
    lb_endpoints: [{ endpoint: { address } }],
  };
  return any('EDS', { cluster_name: name, endpoints: [locality] });
}

/** A cluster with `value` as its limit of concurrent requests. */
export function cluster(name: string, value = 1, endpointsName = ''): Any {
  return any('CDS', {
    name,
    type: 'EDS',
    eds_cluster_config: { eds_config: { ads: {} }, service_name: endpointsName },
    circuit_breakers: { thresholds: [{ max_requests: value }] },
  });
}

/** A route configuration with one route per cluster; all of them match every RPC. */
export function routes(name: string, ...clusters: string[]): Any {
  const list = clusters.map((one) => ({ match: { prefix: '' }, route: { cluster: one } }));
  return any('RDS', { name, virtual_hosts: [{ domains: ['*'], routes: list }] });
}

/** An API listener that names a route configuration. */
export function listener(name: string, routesName = 'r'): Any {
  const rds = { route_config_name: routesName, config_source: { ads: {} } };
  return any('LDS', { name, api_listener: { api_listener: { '@type': HCM, http_filters: [ROUTER], rds } } });
}

/** A valid resource of any type; `labelOf` returns its `value`. */
export function good(type: Short, name: string, value: string | number): Any {
  if (type === 'EDS') return endpoints(name, Number(value));
  if (type === 'CDS') return cluster(name, Number(value));
  return type === 'RDS' ? routes(name, `${value}`) : listener(name, `${value}`);
}

/** A resource with a name that gRPC rejects with the message in `REASONS`. */
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

/** Bytes that cannot be decoded, so the name of the resource is unknown. */
export function garbage(type: Short): Any {
  return Any.create({ typeUrl: typeUrlOf(type), value: Uint8Array.of(0) });
}

export const EMPTY = Any.create();

const WRAPPER_URL = `type.googleapis.com/${Resource.typeName}`;

export const BAD_WRAPPER = Any.create({ typeUrl: WRAPPER_URL, value: Uint8Array.of(0) });

export function wrapped(name: string, resource: Any): Any {
  return Any.create({ typeUrl: WRAPPER_URL, value: encode(Resource, Resource.create({ name, resource })) });
}

/** The value that identifies a resource: its number, or the names that it refers to. */
export function labelOf(resource: XdsResource): string {
  if (resource.type === 'EDS') return `${resource.value.priorities[0]?.[0]?.weight}`;
  if (resource.type === 'CDS') return `${resource.value.maxConcurrentRequests}`;
  return referencesOf('', resource)
    .map(({ name }) => name)
    .join(' ');
}
