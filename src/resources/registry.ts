import { GRPC_MESSAGE_LIMIT_BYTES } from '../base/limits.js';
import { Cluster } from '../proto/generated/envoy.config.cluster.v3.js';
import { ClusterLoadAssignment } from '../proto/generated/envoy.config.endpoint.v3.js';
import { Listener } from '../proto/generated/envoy.config.listener.v3.js';
import { RouteConfiguration } from '../proto/generated/envoy.config.route.v3.js';
import { decode, type MessageType } from '../proto/message-type.js';
import { validateCluster } from './cluster.js';
import type { ResourceContext } from './context.js';
import { validateEndpoints } from './endpoint.js';
import { validateListener } from './listener.js';
import type { XdsResource } from './resource.js';
import { validateRouteConfiguration } from './route-configuration.js';
import type { ValidationResult } from './validation-result.js';

/** The result of decoding and validating the bytes of a resource. Bytes that cannot be decoded have no name. */
export type ValidatedBytes =
  | { kind: 'validated'; result: ValidationResult<XdsResource> }
  | { kind: 'undecodable'; message: string };

export type Validator = (bytes: Uint8Array, context: ResourceContext) => ValidatedBytes;

/** Limits the memory for one resource that C-core would never receive (D18). */
const MAX_PARTS = 400_000;
/** An endpoint needs less memory than a route, and large meshes have many. */
const MAX_ENDPOINT_PARTS = 2_000_000;

function validatorOf<T, R>(
  type: MessageType<T>,
  validate: (message: T, context: ResourceContext) => ValidationResult<R>,
  tag: (resource: R) => XdsResource,
  maxParts = MAX_PARTS,
): [string, Validator] {
  const message = `Can't parse ${type.typeName.slice(type.typeName.lastIndexOf('.') + 1)} resource.`;
  return [
    type.typeName,
    (bytes, context) => {
      const decoded = decode(type, bytes);
      if (!decoded.ok) return { kind: 'undecodable', message };
      const isLarge = bytes.length > GRPC_MESSAGE_LIMIT_BYTES;
      const result = validate(decoded.value, isLarge ? { ...context, maxParts } : context);
      if (!result.ok) return { kind: 'validated', result: taggedFailure(result, tag) };
      const { name, resource, ignored, remarks } = result;
      return { kind: 'validated', result: { ok: true, name, resource: tag(resource), ignored, remarks } };
    },
  ];
}

function taggedFailure<R>(
  { despiteProblems, ...failure }: Extract<ValidationResult<R>, { ok: false }>,
  tag: (resource: R) => XdsResource,
): ValidationResult<XdsResource> {
  return { ...failure, ...(despiteProblems !== undefined && { despiteProblems: tag(despiteProblems) }) };
}

/** The validators of the resource types that gRPC supports, by type name. */
export const RESOURCE_VALIDATORS: ReadonlyMap<string, Validator> = new Map([
  validatorOf(Listener, validateListener, (value) => ({ type: 'LDS', value })),
  validatorOf(RouteConfiguration, validateRouteConfiguration, (value) => ({ type: 'RDS', value })),
  validatorOf(Cluster, validateCluster, (value) => ({ type: 'CDS', value })),
  validatorOf(ClusterLoadAssignment, validateEndpoints, (value) => ({ type: 'EDS', value }), MAX_ENDPOINT_PARTS),
]);
