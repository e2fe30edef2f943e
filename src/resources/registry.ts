import { Cluster } from '../proto/generated/envoy.config.cluster.v3.js';
import { ClusterLoadAssignment } from '../proto/generated/envoy.config.endpoint.v3.js';
import { Listener } from '../proto/generated/envoy.config.listener.v3.js';
import { RouteConfiguration } from '../proto/generated/envoy.config.route.v3.js';
import { decode, type MessageType } from '../proto/message-type.js';
import { judgeCluster } from './cluster.js';
import type { ResourceContext } from './context.js';
import { judgeEndpoints } from './endpoint.js';
import { judgeListener } from './listener.js';
import { judgeRoutes } from './route-configuration.js';
import type { Verdict } from './verdict.js';

/** Judges the bytes of a resource; those that are no such message have no name. */
export type Judge = (
  bytes: Uint8Array,
  context: ResourceContext,
) => { kind: 'judged'; verdict: Verdict<unknown> } | { kind: 'undecodable'; message: string };

function judgeOf<T>(
  type: MessageType<T>,
  judge: (message: T, context: ResourceContext) => Verdict<unknown>,
): [string, Judge] {
  const message = `Can't parse ${type.typeName.slice(type.typeName.lastIndexOf('.') + 1)} resource.`;
  return [
    type.typeName,
    (bytes, context) => {
      const decoded = decode(type, bytes);
      return decoded.ok ? { kind: 'judged', verdict: judge(decoded.value, context) } : { kind: 'undecodable', message };
    },
  ];
}

/** The resource types that gRPC knows, by name. */
export const RESOURCE_JUDGES: ReadonlyMap<string, Judge> = new Map([
  judgeOf(Listener, judgeListener),
  judgeOf(RouteConfiguration, judgeRoutes),
  judgeOf(Cluster, judgeCluster),
  judgeOf(ClusterLoadAssignment, judgeEndpoints),
]);
