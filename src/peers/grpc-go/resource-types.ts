import type { MessageView } from '../message-view.js';
import { validateCluster } from './cluster.js';
import { validateEndpoints } from './endpoints.js';
import type { GoContext } from './go-context.js';
import { validateListener } from './listener.js';
import { validateRouteConfiguration } from './route-configuration.js';

/** A resource type, with the words of grpc-go's errors. */
export interface GoResourceType {
  typeUrl: string;
  typeName: string;
  /** The name of the type in NACK messages. */
  goName: string;
  nameField: string;
  /** What it calls a resource without a name. */
  noun: string;
  unexpected: string;
  validate(message: MessageView, context: GoContext): void;
}

const TYPES: Omit<GoResourceType, 'typeUrl'>[] = [
  {
    typeName: 'envoy.config.listener.v3.Listener',
    goName: 'ListenerResource',
    nameField: 'name',
    noun: 'listener resource',
    unexpected: 'unexpected listener resource type',
    validate: validateListener,
  },
  {
    typeName: 'envoy.config.route.v3.RouteConfiguration',
    goName: 'RouteConfigResource',
    nameField: 'name',
    noun: 'route config resource',
    unexpected: 'unexpected resource type',
    validate: validateRouteConfiguration,
  },
  {
    typeName: 'envoy.config.cluster.v3.Cluster',
    goName: 'ClusterResource',
    nameField: 'name',
    noun: 'Cluster resource',
    unexpected: 'unexpected resource type',
    validate: validateCluster,
  },
  {
    typeName: 'envoy.config.endpoint.v3.ClusterLoadAssignment',
    goName: 'EndpointsResource',
    nameField: 'cluster_name',
    noun: 'endpoints resource',
    unexpected: 'unexpected resource type',
    validate: validateEndpoints,
  },
];

/** The resource types of grpc-go by type URL, which must be exact. */
export const RESOURCE_TYPES: ReadonlyMap<string, GoResourceType> = new Map(
  TYPES.map((type) => {
    const typeUrl = `type.googleapis.com/${type.typeName}`;
    return [typeUrl, { ...type, typeUrl }];
  }),
);
