import type { Policies } from '../bootstrap/policies.js';
import type { ClusterResource } from '../resources/cluster.js';
import type { EndpointResource } from '../resources/endpoint.js';
import type { ConnectionManager } from '../resources/http-connection-manager.js';
import type { ListenerResource } from '../resources/listener.js';
import type { RouteConfigResource } from '../resources/route-configuration.js';

export type VirtualHost = RouteConfigResource['virtualHosts'][number];

/** The endpoints of a cluster, from a resource or from DNS. */
export interface EndpointState {
  endpoints: EndpointResource | undefined;
  /** The resolution note: an error of the endpoints, or '' (R7.16). */
  note: string;
}

/** A cluster that can be used, or the error that prevents it. */
export type ClusterConfig =
  | { kind: 'error'; message: string }
  | {
      kind: 'endpoints';
      cluster: ClusterResource;
      note: string;
      endpoints: EndpointState;
      /** Endpoints of an earlier configuration whose connections stay in use while the current ones are missing. */
      inUse?: EndpointState;
    }
  /** Its leaves by priority; `note` names the children that cannot be used. */
  | { kind: 'aggregate'; cluster: ClusterResource; leaves: readonly string[]; note: string };

/** A complete configuration of a target, as the dependency manager publishes it (A74). */
export interface XdsConfig {
  listener: ConnectionManager;
  /** '' if the routes are inline in the listener. */
  routeConfigName: string;
  routeConfig: RouteConfigResource;
  virtualHost: VirtualHost;
  /** Every cluster that routes refer to, directly or through aggregates. */
  clusters: ReadonlyMap<string, ClusterConfig>;
  /** Ambient errors of the listener and of the routes. They are part of the note of every cluster. */
  listenerNote: string;
  routesNote: string;
  /** The implementation whose texts RPCs get. */
  statusTexts: Policies['statusTexts'];
}

/** The resolved configuration of a target: none yet, a configuration, or an error. */
export type ConfigState =
  | { kind: 'none' }
  | { kind: 'published'; config: XdsConfig }
  /** Of an xDS-enabled gRPC server: the listener with its filter chains. */
  | { kind: 'served'; listener: ListenerResource }
  | {
      kind: 'error';
      message: string;
      statusTexts: Policies['statusTexts'];
      /** The error that this one replaces. */
      previous?: string | undefined;
      /** RPCs are queued instead of failing. */
      isQueued?: true;
    };
