import { ClusterLoadAssignment } from '../proto/generated/envoy.config.endpoint.v3.js';
import { decode, type MessageType } from '../proto/message-type.js';
import type { ResourceContext } from './context.js';
import { judgeEndpoints } from './endpoint.js';
import type { Verdict } from './verdict.js';

/** Judges the bytes of a resource; those that are no such message have no name. */
type Judge = (
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

/** The resource types that can be judged so far, by name. */
export const RESOURCE_JUDGES: ReadonlyMap<string, Judge> = new Map([judgeOf(ClusterLoadAssignment, judgeEndpoints)]);
