import { Cluster } from '../proto/generated/envoy.config.cluster.v3.js';
import { ClusterLoadAssignment } from '../proto/generated/envoy.config.endpoint.v3.js';
import { Listener } from '../proto/generated/envoy.config.listener.v3.js';
import { RouteConfiguration } from '../proto/generated/envoy.config.route.v3.js';
import { decode, type MessageType } from '../proto/message-type.js';
import { judgeCluster } from './cluster.js';
import type { ResourceContext } from './context.js';
import { judgeEndpoints } from './endpoint.js';
import { judgeListener } from './listener.js';
import type { XdsResource } from './resource.js';
import { judgeRoutes } from './route-configuration.js';
import type { Verdict } from './verdict.js';

/** What is said about the bytes of a resource; those that are no such message have no name. */
export type JudgedBytes = { kind: 'judged'; verdict: Verdict<XdsResource> } | { kind: 'undecodable'; message: string };

export type Judge = (bytes: Uint8Array, context: ResourceContext) => JudgedBytes;

function judgeOf<T, R>(
  type: MessageType<T>,
  judge: (message: T, context: ResourceContext) => Verdict<R>,
  tag: (resource: R) => XdsResource,
): [string, Judge] {
  const message = `Can't parse ${type.typeName.slice(type.typeName.lastIndexOf('.') + 1)} resource.`;
  return [
    type.typeName,
    (bytes, context) => {
      const decoded = decode(type, bytes);
      if (!decoded.ok) return { kind: 'undecodable', message };
      const verdict = judge(decoded.value, context);
      if (!verdict.ok) return { kind: 'judged', verdict };
      const { name, resource, ignored, remarks } = verdict;
      return { kind: 'judged', verdict: { ok: true, name, resource: tag(resource), ignored, remarks } };
    },
  ];
}

/** The resource types that gRPC knows, by name. */
export const RESOURCE_JUDGES: ReadonlyMap<string, Judge> = new Map([
  judgeOf(Listener, judgeListener, (value) => ({ type: 'LDS', value })),
  judgeOf(RouteConfiguration, judgeRoutes, (value) => ({ type: 'RDS', value })),
  judgeOf(Cluster, judgeCluster, (value) => ({ type: 'CDS', value })),
  judgeOf(ClusterLoadAssignment, judgeEndpoints, (value) => ({ type: 'EDS', value })),
]);
