import type { ResourceContext } from '../../resources/context.js';
import { RESOURCE_VALIDATORS, type ValidatedBytes } from '../../resources/registry.js';
import type { XdsResource } from '../../resources/resource.js';
import { clusterModel } from './cluster-model.js';
import { endpointModel } from './endpoint-model.js';
import { nodeContext } from './environment.js';
import { listenerModel } from './listener-model.js';
import { encodeForCCore } from './protobufjs-encoder.js';
import type { ProtobufJsMessage } from './protobufjs-message.js';
import { ENDPOINTS } from './types.js';

/** A server listener without address. C-core rejects it before it reads the rest. */
const NO_LISTENER: XdsResource = {
  type: 'LDS',
  value: { kind: 'server', address: '', filterChains: [], defaultFilterChain: undefined },
};

/**
 * The model of a resource that grpc-js-xds accepts: C-core's, with the parts that grpc-js-xds uses differently. If C-core
 * rejects the resource or skips routes, it reads what protobufjs made of the bytes.
 */
export function modelOf(
  typeName: string,
  message: ProtobufJsMessage,
  cCore: ValidatedBytes | undefined,
  context: ResourceContext,
): XdsResource {
  if (typeName === ENDPOINTS) return { type: 'EDS', value: endpointModel(message, context) };
  const base = acceptedBy(cCore) ?? despiteProblems(typeName, message, context) ?? NO_LISTENER;
  switch (base.type) {
    case 'LDS':
      return { type: 'LDS', value: listenerModel(base.value, message, nodeContext(context)) };
    case 'CDS':
      return { type: 'CDS', value: clusterModel(base.value, message, nodeContext(context)) };
    default:
      return base;
  }
}

/** C-core's model, unless C-core skips a route that grpc-js-xds uses. */
function acceptedBy(cCore: ValidatedBytes | undefined): XdsResource | undefined {
  if (cCore?.kind !== 'validated' || !cCore.result.ok) return undefined;
  return cCore.result.ignored.some(({ kind }) => kind === 'route') ? undefined : cCore.result.resource;
}

function despiteProblems(
  typeName: string,
  message: ProtobufJsMessage,
  context: ResourceContext,
): XdsResource | undefined {
  const validated = RESOURCE_VALIDATORS.get(typeName)?.(encodeForCCore(message), context);
  if (validated?.kind !== 'validated') return undefined;
  return validated.result.ok ? validated.result.resource : validated.result.despiteProblems;
}
