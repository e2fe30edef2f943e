import { GRPC_MESSAGE_LIMIT_BYTES } from '../../base/limits.js';
import { formatPath } from '../../base/problem.js';
import { LimitedText } from '../../base/validation-errors.js';
import type { Any } from '../../proto/generated/google.protobuf.js';
import type { ResourceContext } from '../../resources/context.js';
import { RESOURCE_VALIDATORS, type ValidatedBytes } from '../../resources/registry.js';
import type { XdsResource } from '../../resources/resource.js';
import type {
  NewResponseValidator,
  ResponseValidator,
  ResponseVerdict,
  ValidatedResource,
} from '../../resources/response-validator.js';
import { validateOnce } from '../../resources/validate-response.js';
import type { ValidationCache } from '../../resources/validation-cache.js';
import type { ValidationResult } from '../../resources/validation-result.js';
import { validateCluster } from './cluster.js';
import { validateEndpoints } from './endpoint.js';
import { type NodeContext, nodeContext } from './environment.js';
import { validateListener } from './listener.js';
import { modelOf } from './model.js';
import type { ProblemList } from './problem-list.js';
import { decodeAsProtobufJs, type ProtobufJsMessage } from './protobufjs-message.js';
import { checkResourceName } from './resource-name.js';
import { endsStream, receivedTypeUrl } from './response-type.js';
import { validateRouteConfiguration } from './route-configuration.js';
import { ThrownError } from './thrown-error.js';
import { CLUSTER, ENDPOINTS, LISTENER, ROUTE_CONFIGURATION, urlOf } from './types.js';

/** How grpc-js-xds validates a resource type. */
interface NodeType {
  name: string;
  nameField: string;
  /** The name of the type in error texts. */
  label: string;
  validate(message: ProtobufJsMessage, context: NodeContext): ProblemList;
}

const nodeType = (name: string, nameField: string, validate: NodeType['validate']): [string, NodeType] => [
  urlOf(name),
  { name, nameField, label: name.slice(name.lastIndexOf('.') + 1), validate },
];

const NODE_TYPES: ReadonlyMap<string, NodeType> = new Map([
  nodeType(LISTENER, 'name', validateListener),
  nodeType(ROUTE_CONFIGURATION, 'name', validateRouteConfiguration),
  nodeType(CLUSTER, 'name', validateCluster),
  nodeType(ENDPOINTS, 'cluster_name', validateEndpoints),
]);

/** Validates as @grpc/grpc-js-xds 1.14 does. */
export const newGrpcNodeValidator: NewResponseValidator = (typeUrl, context, cache, isWatched = () => true) =>
  new GrpcNodeValidator(typeUrl, context, cache, isWatched);

class GrpcNodeValidator implements ResponseValidator {
  readonly #typeUrl: string;
  readonly #type: NodeType | undefined;
  readonly #context: ResourceContext;
  readonly #nodeContext: NodeContext;
  readonly #cache: ValidationCache | undefined;
  readonly #isWatched: (name: string) => boolean;
  readonly #errors = new LimitedText();
  /** The stream ended, because protobufjs could not decode the response. */
  #isBroken = false;
  /** C-core's result for the resource that is being validated. */
  #cCore: ValidationResult<XdsResource> | undefined;

  constructor(
    typeUrl: string,
    context: ResourceContext,
    cache: ValidationCache | undefined,
    isWatched: (name: string) => boolean,
  ) {
    this.#typeUrl = typeUrl;
    this.#type = NODE_TYPES.get(typeUrl);
    this.#context = { ...context, keepsInvalidParts: true };
    this.#nodeContext = nodeContext(context);
    this.#cache = cache;
    this.#isWatched = isWatched;
  }

  validate(any: Any, index: number): ValidatedResource | undefined {
    if (this.#type === undefined) return undefined;
    const validated = any.typeUrl === this.#typeUrl ? this.#validate(any, index, this.#type) : this.#reject(any, index);
    for (const error of validated.errors) this.#errors.add(error);
    return validated;
  }

  /** Rejects a resource of another type, which has no name for grpc-js-xds. */
  #reject(any: Any, index: number): ValidatedResource {
    if (endsStream(any)) {
      this.#isBroken = true;
      return thrown(any, index, 'the response cannot be decoded');
    }
    return thrown(any, index, `incorrect resource type "${receivedTypeUrl(any)}" (should be "${this.#typeUrl}")`);
  }

  #validate(any: Any, index: number, type: NodeType): ValidatedResource {
    const inResponse = {
      typeUrl: this.#typeUrl,
      validate: (bytes: Uint8Array) => this.#validateBytes(bytes, type),
      context: this.#context,
      cache: this.#cache,
    };
    this.#cCore = undefined;
    const { bytes, validated, isOwn } = validateOnce(any.value, index, inResponse);
    if (validated.kind === 'undecodable') return thrown(any, index, validated.message);
    const { result } = validated;
    const { name } = result;
    const isRejected = !result.ok && this.#isWatched(name);
    return {
      index,
      name,
      resource: { typeUrl: any.typeUrl, value: bytes },
      isOwn,
      result,
      cCore: this.#cCore,
      errors: isRejected ? [`resource index ${index}: ${result.message}`] : [],
      ...(!result.ok && { watcherMessage: result.message }),
    };
  }

  #validateBytes(bytes: Uint8Array, type: NodeType): ValidatedBytes {
    const cCore = RESOURCE_VALIDATORS.get(type.name)?.(bytes, this.#context);
    this.#cCore = cCore?.kind === 'validated' ? cCore.result : undefined;
    // Larger resources do not reach gRPC with its default limit. Reading all their fields would need too much memory.
    if (cCore !== undefined && bytes.length > GRPC_MESSAGE_LIMIT_BYTES) return cCore;
    try {
      const message = decodeAsProtobufJs(type.name, bytes);
      const problems = type.validate(message, this.#nodeContext);
      const name = message.text(type.nameField);
      checkResourceName(name, type.name, this.#nodeContext.switches.federation);
      return { kind: 'validated', result: this.#resultOf(name, message, problems, type, cCore) };
    } catch (error) {
      if (error instanceof ThrownError) return { kind: 'undecodable', message: error.message };
      throw error;
    }
  }

  #resultOf(
    name: string,
    message: ProtobufJsMessage,
    problems: ProblemList,
    type: NodeType,
    cCore: ValidatedBytes | undefined,
  ): ValidationResult<XdsResource> {
    const ignored = problems.ignored.map((part) => ({ ...part, path: formatPath(part.steps) }));
    const remarks = this.#cCore?.remarks.filter(({ kind }) => kind === 'unchecked') ?? [];
    if (problems.isEmpty)
      return { ok: true, name, resource: modelOf(type.name, message, cCore, this.#context), ignored, remarks };
    return {
      ok: false,
      name,
      message: `${type.label} message validation failed: [${problems.joined}]`,
      problems: problems.list.map(({ steps, reason }) => ({ path: formatPath(steps), steps, reason })),
      ignored,
      remarks,
    };
  }

  /** grpc-js-xds does not read `resource_errors`. */
  checkError(): void {}

  get verdict(): ResponseVerdict {
    if (this.#type === undefined || this.#isBroken) return 'IGNORED';
    return this.#errors.isEmpty ? 'ACK' : 'NACK';
  }

  get nack(): string | undefined {
    if (this.#errors.isEmpty || this.#isBroken) return undefined;
    return `xDS response validation errors: [${this.#errors.joined}]`;
  }
}

/** A resource without a name, because grpc-js-xds throws an error before it reads the name. */
function thrown(resource: Any, index: number, message: string): ValidatedResource {
  const errors = [`resource index ${index}: ${message}`];
  return { index, name: undefined, resource, isOwn: false, result: undefined, errors };
}
