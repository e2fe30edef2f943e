import type { ClusterResource } from './cluster.js';
import type { EndpointResource } from './endpoint.js';
import type { ListenerResource } from './listener.js';
import type { RouteConfigResource } from './route-configuration.js';

/** A resource that gRPC accepted, with its type. */
export type XdsResource =
  | { type: 'LDS'; value: ListenerResource }
  | { type: 'RDS'; value: RouteConfigResource }
  | { type: 'CDS'; value: ClusterResource }
  | { type: 'EDS'; value: EndpointResource };
