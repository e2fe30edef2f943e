import { LimitedText } from '../base/validation-errors.js';
import { parseXdsName } from '../base/xds-name.js';
import { type DiscoveryResponse, Resource, type ResourceError } from '../proto/generated/envoy.service.discovery.v3.js';
import type { Any } from '../proto/generated/google.protobuf.js';
import { decode } from '../proto/message-type.js';
import type { ResourceContext } from './context.js';
import { RESOURCE_VALIDATORS, type Validator } from './registry.js';
import type { ResponseValidator, ResponseVerdict, ValidatedResource } from './response-validator.js';
import type { CachedValidation, ValidationCache } from './validation-cache.js';

const PREFIX = 'type.googleapis.com/';

export interface ValidatedResponse {
  verdict: ResponseVerdict;
  /** The exact NACK message (R1.20). */
  nack: string | undefined;
  resources: ValidatedResource[];
}

/** The validator of a response in the implementation that the context selects, by default C-core. */
export function responseValidator(
  typeUrl: string,
  context: ResourceContext,
  cache?: ValidationCache,
  isWatched?: (name: string) => boolean,
): ResponseValidator {
  const { newValidator = newCCoreValidator } = context;
  return newValidator(typeUrl, context, cache, isWatched);
}

/** Validates every resource of a response, and every error that the server reports. */
export function validateResponse(
  response: DiscoveryResponse,
  context: ResourceContext,
  cache?: ValidationCache,
): ValidatedResponse {
  const validator = responseValidator(response.typeUrl, context, cache);
  const resources: ValidatedResource[] = [];
  for (const [index, any] of response.resources.entries()) {
    const validated = validator.validate(any, index);
    if (validated !== undefined) resources.push(validated);
  }
  for (const [index, reported] of response.resourceErrors.entries()) validator.checkError(reported, index);
  const { verdict, nack } = validator;
  return { verdict, nack, resources };
}

/** Validates as C-core does. */
function newCCoreValidator(typeUrl: string, context: ResourceContext, cache?: ValidationCache): ResponseValidator {
  return new CCoreValidator(typeUrl, context, cache);
}

class CCoreValidator implements ResponseValidator {
  /** Undefined for a type that gRPC does not support. */
  readonly #inResponse: ResponseContext | undefined;
  readonly #errors = new LimitedText();

  constructor(typeUrl: string, context: ResourceContext, cache?: ValidationCache) {
    const type = withoutPrefix(typeUrl);
    const validate = RESOURCE_VALIDATORS.get(type);
    this.#inResponse = validate && { typeUrl, type, validate, context, cache };
  }

  /** Returns undefined for a type that gRPC does not support. */
  validate(any: Any, index: number): ValidatedResource | undefined {
    const validated = this.#inResponse && validateResource(any, index, this.#inResponse);
    for (const error of validated?.errors ?? NO_ERRORS) this.#errors.add(error);
    return validated;
  }

  /** Checks an error that the server reports for a resource (xRFC TP3). */
  checkError(reported: ResourceError, index: number): void {
    if (this.#inResponse?.context.switches.dataErrorHandling !== true) return;
    const error = resourceErrorProblem(reported, index, this.#inResponse);
    if (error !== undefined) this.#errors.add(error);
  }

  get verdict(): ResponseVerdict {
    if (this.#inResponse === undefined) return 'IGNORED';
    return this.#errors.isEmpty ? 'ACK' : 'NACK';
  }

  /** The exact NACK message (R1.20). */
  get nack(): string | undefined {
    return this.#errors.isEmpty ? undefined : `xDS response validation errors: [${this.#errors.joined}]`;
  }
}

interface ResponseContext {
  /** The type URL of the response. */
  typeUrl: string;
  /** The type without the `type.googleapis.com/` prefix. */
  type: string;
  validate: Validator;
  context: ResourceContext;
  cache: ValidationCache | undefined;
}

const NO_ERRORS: readonly string[] = [];

function validateResource(any: Any, index: number, inResponse: ResponseContext): ValidatedResource {
  const isBare = any.typeUrl === inResponse.typeUrl;
  const unwrapped = isBare ? undefined : unwrap(any);
  if (unwrapped !== undefined && 'error' in unwrapped) {
    return rejectedResource(index, unwrapped.error, undefined, undefined);
  }
  const { resource, wrapperName } = unwrapped ?? { resource: any, wrapperName: '' };
  const { type } = inResponse;
  const resourceType = resource.typeUrl === inResponse.typeUrl ? type : withoutPrefix(resource.typeUrl);
  if (resourceType !== type) {
    // C-core does not use the name of the wrapper here.
    const problem = `incorrect resource type "${resourceType}" (should be "${type}")`;
    return { ...rejectedResource(index, problem, wrapperName, resource), name: undefined };
  }
  const found = validateOnce(resource.value, index, inResponse);
  if (isBare && found.accepted?.index === index) return found.accepted;
  const { bytes, validated, isOwn } = found;
  if (validated.kind === 'undecodable') {
    const rejected = rejectedResource(index, `INVALID_ARGUMENT: ${validated.message}`, wrapperName, resource);
    return isValidName(wrapperName, inResponse)
      ? rejected
      : { ...rejected, errors: [...rejected.errors, nameError(index, wrapperName)] };
  }
  const { result } = validated;
  const name = wrapperName || result.name;
  const hasValidName = isValidName(name, inResponse);
  const kept = { typeUrl: resource.typeUrl, value: bytes };
  if (result.ok && hasValidName) {
    const accepted = { index, name, resource: kept, isOwn, result, errors: NO_ERRORS };
    if (isBare) found.accepted = accepted;
    return accepted;
  }
  const errors: string[] = [];
  if (!result.ok) errors.push(`resource index ${index}: ${name}: INVALID_ARGUMENT: ${result.message}`);
  if (!hasValidName) errors.push(nameError(index, name));
  return { index, name, resource: kept, isOwn, result, errors };
}

function isValidName(name: string, { type, context }: ResponseContext): boolean {
  return !name.startsWith('xdstp:') || parseXdsName(name, type, context.switches.federation) !== undefined;
}

function nameError(index: number, name: string): string {
  return `resource index ${index}: ${name}: Cannot parse xDS resource name`;
}

function rejectedResource(
  index: number,
  problem: string,
  name: string | undefined,
  resource: Any | undefined,
): ValidatedResource {
  const namePrefix = name === undefined || name === '' ? '' : `${name}: `;
  return {
    index,
    name,
    resource,
    isOwn: false,
    result: undefined,
    errors: [`resource index ${index}: ${namePrefix}${problem}`],
  };
}

/** Validates bytes by the rules of an implementation, or recalls the result. */
export function validateOnce(
  bytes: Uint8Array,
  index: number,
  { typeUrl, validate, context, cache }: Omit<ResponseContext, 'type'>,
): CachedValidation {
  const cached = cache?.recall(typeUrl, index, bytes);
  if (cached !== undefined) return cached;
  const validated = validate(bytes, context);
  return cache?.remember(typeUrl, index, bytes, validated) ?? { bytes, validated, isOwn: false };
}

/** Unpacks a resource from its `Resource` wrapper, if it has one. */
function unwrap(any: Any): { resource: Any; wrapperName: string } | { error: string } {
  if (!any.typeUrl.endsWith(Resource.typeName) || withoutPrefix(any.typeUrl) !== Resource.typeName)
    return { resource: any, wrapperName: '' };
  const wrapper = decode(Resource, any.value);
  if (!wrapper.ok) return { error: "Can't decode Resource proto wrapper" };
  // C-core's message lacks the last letter.
  if (wrapper.value.resource === undefined) return { error: 'No resource present in Resource proto wrappe' };
  return { resource: wrapper.value.resource, wrapperName: wrapper.value.name };
}

/**
 * Returns the problem of an error that the server reports for a resource (xRFC TP3), or `undefined` if the report is
 * valid.
 */
function resourceErrorProblem(
  { resourceName, errorDetail }: ResourceError,
  index: number,
  { type, context }: ResponseContext,
): string | undefined {
  const name = resourceName?.name ?? '';
  if (name === '') return `resource_errors index ${index}: resource_name unset`;
  if (errorDetail === undefined || errorDetail.code === 0)
    return `resource_errors index ${index}: ${name}: error_detail must be non-OK`;
  if (parseXdsName(name, type, context.switches.federation) === undefined)
    return `resource_errors index ${index}: ${name}: Cannot parse xDS resource name`;
  return undefined;
}

/** C-core removes only this prefix. A type URL with another host has an unknown type. */
function withoutPrefix(typeUrl: string): string {
  return typeUrl.startsWith(PREFIX) ? typeUrl.slice(PREFIX.length) : typeUrl;
}
