import type { ClusterResource } from '../resources/cluster.js';
import type { EndpointResource } from '../resources/endpoint.js';
import type { ConnectionManager } from '../resources/http-connection-manager.js';
import type { ListenerResource } from '../resources/listener.js';
import type { RouteConfigResource } from '../resources/route-configuration.js';

export type VirtualHost = RouteConfigResource['virtualHosts'][number];

/** What is known of a cluster's endpoints, from a resource or from DNS. */
export interface EndpointState {
  endpoints: EndpointResource | undefined;
  /** What is wrong with them, or '' (R7.16). */
  note: string;
}

/** A cluster that RPCs can be sent to, or why they cannot. */
export type ClusterConfig =
  | { kind: 'error'; message: string }
  | { kind: 'endpoints'; cluster: ClusterResource; note: string; endpoints: EndpointState }
  /** Its leaves in the order in which they are used; `note` names the children that cannot be. */
  | { kind: 'aggregate'; cluster: ClusterResource; leaves: readonly string[]; note: string };

/** A whole configuration, as it is published (A74). */
export interface XdsConfig {
  listener: ConnectionManager;
  /** '' where the routes stand in the listener. */
  routeConfigName: string;
  routeConfig: RouteConfigResource;
  virtualHost: VirtualHost;
  /** Every cluster that routes lead to, also through others. */
  clusters: ReadonlyMap<string, ClusterConfig>;
  /** Errors beside the listener and the routes; they concern all clusters. */
  listenerNote: string;
  routesNote: string;
}

/** What RPCs have to go by: nothing yet, a configuration, or the reason why there is none. */
export type ConfigState =
  | { kind: 'none' }
  | { kind: 'published'; config: XdsConfig }
  /** A server's: the filter chains that it serves by. */
  | { kind: 'served'; listener: ListenerResource }
  | { kind: 'error'; message: string };
