import { newGrpcNodeValidator } from '../../../src/peers/grpc-node/response-validator.js';
import type { DiscoveryResponse } from '../../../src/proto/generated/envoy.service.discovery.v3.js';
import type { ResourceContext } from '../../../src/resources/context.js';
import type { ValidatedResource } from '../../../src/resources/response-validator.js';

export interface NodeResult {
  /** NONE: the client sends no ACK or NACK. */
  verdict: string;
  nack: string | undefined;
  resources: ValidatedResource[];
}

/** Validates a response as grpc-js-xds does. */
export function validateAsNode(
  { typeUrl, resources, resourceErrors }: DiscoveryResponse,
  context: ResourceContext,
  isWatched?: (name: string) => boolean,
): NodeResult {
  const validator = newGrpcNodeValidator(typeUrl, context, undefined, isWatched);
  const validated = [...resources].flatMap((any, index) => validator.validate(any, index) ?? []);
  for (const [index, error] of resourceErrors.entries()) validator.checkError(error, index);
  const { verdict, nack } = validator;
  return { verdict: verdict === 'IGNORED' ? 'NONE' : verdict, nack, resources: validated };
}
