import type { ResourceContext } from '../../resources/context.js';
import { RESOURCE_VALIDATORS, type ValidatedBytes } from '../../resources/registry.js';
import type { XdsResource } from '../../resources/resource.js';
import { encodeForCCore } from './protobufjs-encoder.js';
import type { ProtobufJsMessage } from './protobufjs-message.js';

/** A server listener without address. C-core rejects it before it reads the rest. */
const NO_LISTENER: XdsResource = {
  type: 'LDS',
  value: { kind: 'server', address: '', filterChains: [], defaultFilterChain: undefined },
};

/**
 * Returns the model of a resource that grpc-js-xds accepts: C-core's, also if C-core rejects the resource. If C-core cannot
 * read the bytes, it reads what protobufjs made of them.
 */
export function modelOf(
  typeName: string,
  message: ProtobufJsMessage,
  cCore: ValidatedBytes | undefined,
  context: ResourceContext,
): XdsResource {
  const fromBytes = resourceIn(cCore, true);
  return (
    fromBytes ?? resourceIn(RESOURCE_VALIDATORS.get(typeName)?.(encodeForCCore(message), context), false) ?? NO_LISTENER
  );
}

function resourceIn(validated: ValidatedBytes | undefined, isStrict: boolean): XdsResource | undefined {
  if (validated?.kind !== 'validated') return undefined;
  const { result } = validated;
  if (result.ok) return result.resource;
  return isStrict ? undefined : result.despiteProblems;
}
