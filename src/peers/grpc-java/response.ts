import { formatPath } from '../../base/problem.js';
import { LimitedText } from '../../base/validation-errors.js';
import { Resource } from '../../proto/generated/envoy.service.discovery.v3.js';
import { type Any, newAny } from '../../proto/generated/google.protobuf.js';
import { RESOURCE_TYPES, type ShortType } from '../../proto/resource-types.js';
import type { ResourceContext } from '../../resources/context.js';
import type { XdsResource } from '../../resources/resource.js';
import type {
  NewResponseValidator,
  ResponseValidator,
  ResponseVerdict,
  ValidatedResource,
} from '../../resources/response-validator.js';
import { responseValidator } from '../../resources/validate-response.js';
import type { ValidationCache } from '../../resources/validation-cache.js';
import type { ValidationResult } from '../../resources/validation-result.js';
import { validateCluster } from './cluster.js';
import { unpack } from './decode-message.js';
import { validateEndpoints } from './endpoints.js';
import { JavaError } from './java-error.js';
import { validateListener } from './listener.js';
import type { ProtoMessage } from './proto-message.js';
import { canonicalName, isReadableName } from './resource-name.js';
import { validateRouteConfiguration } from './route-configuration.js';
import { type Settings, settingsOf } from './settings.js';

interface ResourceType {
  short: ShortType;
  typeName: string;
  nameField: string;
  /** grpc-java does not validate resources of this type that have no watcher. */
  onlyWatched: boolean;
  validate(message: ProtoMessage, settings: Settings): void;
}

function resourceType(
  short: ShortType,
  onlyWatched: boolean,
  validate: ResourceType['validate'],
  nameField = 'name',
): ResourceType {
  return { short, typeName: RESOURCE_TYPES[short].replace(PREFIX, ''), nameField, onlyWatched, validate };
}

const PREFIX = 'type.googleapis.com/';

const TYPES: ReadonlyMap<string, ResourceType> = new Map(
  [
    resourceType('LDS', false, validateListener),
    resourceType('RDS', false, validateRouteConfiguration),
    resourceType('CDS', true, validateCluster),
    resourceType('EDS', true, validateEndpoints, 'cluster_name'),
  ].map((type) => [PREFIX + type.typeName, type]),
);

/** Validates responses as grpc-java does. The model of an accepted resource is C-core's. */
export const newGrpcJavaValidator: NewResponseValidator = (typeUrl, context, cache, isWatched) =>
  new GrpcJavaValidator(typeUrl, context, cache, isWatched);

class GrpcJavaValidator implements ResponseValidator {
  readonly #typeUrl: string;
  readonly #type: ResourceType | undefined;
  readonly #settings: Settings;
  readonly #cCore: ResponseValidator;
  readonly #isWatched: (name: string) => boolean;
  readonly #errors = new LimitedText('\n');

  constructor(
    typeUrl: string,
    { newValidator: _, ...context }: ResourceContext,
    cache?: ValidationCache,
    isWatched: (name: string) => boolean = () => true,
  ) {
    this.#typeUrl = typeUrl;
    this.#type = TYPES.get(typeUrl);
    this.#settings = settingsOf(context);
    // The model has additional addresses only if grpc-java reads them, which is off by default.
    const { dualstackEndpoints } = this.#settings.flags;
    const switches = { ...context.switches, dualstackEndpoints };
    this.#cCore = responseValidator(typeUrl, { ...context, switches, keepsInvalidParts: true }, cache);
    this.#isWatched = isWatched;
  }

  validate(any: Any, index: number): ValidatedResource | undefined {
    const type = this.#type;
    if (type === undefined) return undefined;
    const validated = this.#validateResource(type, any, index);
    for (const error of validated.errors) this.#errors.add(error);
    return validated;
  }

  /** grpc-java does not read the errors that servers report for resources (xRFC TP3). */
  checkError(): void {}

  get verdict(): ResponseVerdict {
    if (this.#type === undefined) return 'IGNORED';
    return this.#errors.isEmpty ? 'ACK' : 'NACK';
  }

  get nack(): string | undefined {
    return this.#errors.isEmpty ? undefined : this.#errors.joined;
  }

  /** grpc-java reports all errors of a response to the watchers of each invalid resource. */
  get watcherMessage(): string | undefined {
    return this.nack;
  }

  #validateResource(type: ResourceType, any: Any, index: number): ValidatedResource {
    const undecoded = { index, isOwn: false, name: undefined, resource: undefined, result: undefined };
    let decoded: Decoded;
    try {
      decoded = decodeResource(type, any);
    } catch (error) {
      if (!(error instanceof JavaError)) throw error;
      const what = type.typeName.replace(/^.*\./, '');
      const text = `${type.short} response Resource index ${index} - can't decode ${what}: ${error.detail}`;
      return { ...undecoded, errors: [text] };
    }
    const { message, name, resource } = decoded;
    if (!isReadableName(name, resource.typeUrl))
      return { ...undecoded, resource, errors: [`Unsupported resource name: ${name} for type: ${type.short}`] };
    if (type.onlyWatched && !this.#isWatched(name)) return { ...undecoded, name, resource, errors: [] };
    const error = errorOf(() => type.validate(message, this.#settings));
    const validated = this.#cCore.validate({ ...resource, typeUrl: this.#typeUrl }, index);
    const cCore = validated?.result;
    const errors = error === undefined ? [] : [errorText(type, canonicalName(name), error)];
    return {
      index,
      name,
      resource: { typeUrl: resource.typeUrl, value: validated?.resource?.value ?? resource.value },
      isOwn: validated?.isOwn ?? false,
      result: error === undefined ? accepted(cCore, name) : rejected(cCore, name, error),
      cCore,
      errors,
    };
  }
}

interface Decoded {
  message: ProtoMessage;
  name: string;
  resource: Any;
}

function decodeResource(type: ResourceType, any: Any): Decoded {
  const isWrapped = any.typeUrl === PREFIX + Resource.typeName;
  const wrapper = isWrapped ? unpack(any.typeUrl, any.value, Resource.typeName) : undefined;
  const inside = wrapper?.message('resource');
  const resource =
    inside === undefined ? any : { ...newAny(), typeUrl: inside.string('type_url'), value: inside.bytes('value') };
  const message = unpack(resource.typeUrl, resource.value, type.typeName);
  return { message, name: wrapper?.string('name') || message.string(type.nameField), resource };
}

function errorOf(validate: () => void): JavaError | undefined {
  try {
    validate();
    return undefined;
  } catch (error) {
    if (error instanceof JavaError) return error;
    throw error;
  }
}

function errorText({ short, typeName }: ResourceType, name: string, error: JavaError): string {
  if (error.javaClass === 'invalid')
    return `${short} response ${typeName.replace(/^.*\./, '')} '${name}' validation error: ${error.detail}`;
  return `${short} response '${name}' unexpected error: ${unexpected(error)}`;
}

function unexpected({ simpleName, detail }: JavaError): string {
  return detail === undefined ? simpleName : `${simpleName}: ${detail}`;
}

/** Returns `undefined` if C-core cannot decode the resource: then there is no model of it. */
function accepted(
  cCore: ValidationResult<XdsResource> | undefined,
  name: string,
): ValidationResult<XdsResource> | undefined {
  if (cCore === undefined || cCore.ok) return cCore;
  const { despiteProblems, ignored, remarks } = cCore;
  return despiteProblems && { ok: true, name, resource: despiteProblems, ignored, remarks };
}

function rejected(
  cCore: ValidationResult<XdsResource> | undefined,
  name: string,
  error: JavaError,
): ValidationResult<XdsResource> {
  const message = error.javaClass === 'invalid' ? (error.detail ?? '') : unexpected(error);
  const { steps } = error;
  return {
    ok: false,
    name,
    message,
    problems: [{ path: formatPath(steps), steps, reason: message }],
    ignored: cCore?.ignored ?? [],
    remarks: [],
  };
}
