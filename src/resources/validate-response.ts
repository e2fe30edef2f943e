import { parseXdsName } from '../base/xds-name.js';
import { type DiscoveryResponse, Resource, type ResourceError } from '../proto/generated/envoy.service.discovery.v3.js';
import type { Any } from '../proto/generated/google.protobuf.js';
import { decode } from '../proto/message-type.js';
import type { ResourceContext } from './context.js';
import { RESOURCE_VALIDATORS, type Validator } from './registry.js';
import type { XdsResource } from './resource.js';
import type { CachedValidation, ValidationCache } from './validation-cache.js';
import type { ValidationResult } from './validation-result.js';

const PREFIX = 'type.googleapis.com/';

/** One resource of a response: what it is called, whether it is good, and C-core's words if not. */
export interface ValidatedResource {
  index: number;
  /** `undefined` where it cannot be told. */
  name: string | undefined;
  /** Out of its wrapper, where it had one; `undefined` where that could not be opened. */
  resource: Any | undefined;
  /** The resource's bytes are a copy, and may be kept. */
  isOwn: boolean;
  /** `undefined` where there was nothing to judge: undecodable, or of another type. */
  result: ValidationResult<XdsResource> | undefined;
  /** Its entries in the NACK. */
  errors: readonly string[];
}

export interface ValidatedResponse {
  /** IGNORED: of a type that gRPC does not know; neither ACK nor NACK follows. */
  verdict: 'ACK' | 'NACK' | 'IGNORED';
  /** The message of the NACK, to the letter (R1.20). */
  nack: string | undefined;
  resources: ValidatedResource[];
}

/** Judges every resource of a response, and every error that the server reports, as C-core does. */
export function validateResponse(
  response: DiscoveryResponse,
  context: ResourceContext,
  cache?: ValidationCache,
): ValidatedResponse {
  const type = withoutPrefix(response.typeUrl);
  const validate = RESOURCE_VALIDATORS.get(type);
  if (validate === undefined) return { verdict: 'IGNORED', nack: undefined, resources: [] };
  const inResponse: ResponseContext = { typeUrl: response.typeUrl, type, validate, context, cache };
  const resources = response.resources.map((any, index) => validateResource(any, index, inResponse));
  const errors: string[] = [];
  for (const resource of resources) for (const error of resource.errors) errors.push(error);
  if (context.switches.dataErrorHandling) {
    for (const [index, reported] of response.resourceErrors.entries()) {
      const error = checkReported(reported, index, type, context);
      if (error !== undefined) errors.push(error);
    }
  }
  const nack = errors.length === 0 ? undefined : `xDS response validation errors: [${errors.join('; ')}]`;
  return { verdict: nack === undefined ? 'ACK' : 'NACK', nack, resources };
}

interface ResponseContext {
  /** Of the response, with and without its prefix. */
  typeUrl: string;
  type: string;
  validate: Validator;
  context: ResourceContext;
  cache: ValidationCache | undefined;
}

const NO_ERRORS: readonly string[] = [];

function validateResource(any: Any, index: number, inResponse: ResponseContext): ValidatedResource {
  const unwrapped = any.typeUrl === inResponse.typeUrl ? { resource: any, wrapperName: '' } : unwrap(any);
  if ('error' in unwrapped) return rejectedResource(index, unwrapped.error, undefined, undefined);
  const { resource, wrapperName } = unwrapped;
  const { type } = inResponse;
  const found = resource.typeUrl === inResponse.typeUrl ? type : withoutPrefix(resource.typeUrl);
  if (found !== type) {
    // Whose resource this was meant to be is not asked, even if the wrapper says so.
    const problem = `incorrect resource type "${found}" (should be "${type}")`;
    return { ...rejectedResource(index, problem, wrapperName, resource), name: undefined };
  }
  const { bytes, validated, isOwn } = validateOnce(resource.value, index, inResponse);
  if (validated.kind === 'undecodable') {
    const bad = rejectedResource(index, `INVALID_ARGUMENT: ${validated.message}`, wrapperName, resource);
    return isGoodName(wrapperName, inResponse) ? bad : { ...bad, errors: [...bad.errors, badName(index, wrapperName)] };
  }
  const { result } = validated;
  const name = wrapperName || result.name;
  const hasGoodName = isGoodName(name, inResponse);
  const kept = { typeUrl: resource.typeUrl, value: bytes };
  if (result.ok && hasGoodName) return { index, name, resource: kept, isOwn, result, errors: NO_ERRORS };
  const errors: string[] = [];
  if (!result.ok) errors.push(`resource index ${index}: ${name}: INVALID_ARGUMENT: ${result.message}`);
  if (!hasGoodName) errors.push(badName(index, name));
  return { index, name, resource: kept, isOwn, result, errors };
}

function isGoodName(name: string, { type, context }: ResponseContext): boolean {
  return !name.startsWith('xdstp:') || parseXdsName(name, type, context.switches.federation) !== undefined;
}

function badName(index: number, name: string): string {
  return `resource index ${index}: ${name}: Cannot parse xDS resource name`;
}

function rejectedResource(
  index: number,
  problem: string,
  name: string | undefined,
  resource: Any | undefined,
): ValidatedResource {
  const known = name === undefined || name === '' ? '' : `${name}: `;
  return {
    index,
    name,
    resource,
    isOwn: false,
    result: undefined,
    errors: [`resource index ${index}: ${known}${problem}`],
  };
}

function validateOnce(
  bytes: Uint8Array,
  index: number,
  { typeUrl, validate, context, cache }: ResponseContext,
): CachedValidation {
  const recalled = cache?.recall(typeUrl, index, bytes);
  if (recalled !== undefined) return recalled;
  const validated = validate(bytes, context);
  return cache?.remember(typeUrl, index, bytes, validated) ?? { bytes, validated, isOwn: false };
}

/** Takes a resource out of its Resource wrapper, where it has one. */
function unwrap(any: Any): { resource: Any; wrapperName: string } | { error: string } {
  if (!any.typeUrl.endsWith(Resource.typeName) || withoutPrefix(any.typeUrl) !== Resource.typeName)
    return { resource: any, wrapperName: '' };
  const wrapper = decode(Resource, any.value);
  if (!wrapper.ok) return { error: "Can't decode Resource proto wrapper" };
  // The last letter is missing in C-core's message, too.
  if (wrapper.value.resource === undefined) return { error: 'No resource present in Resource proto wrappe' };
  return { resource: wrapper.value.resource, wrapperName: wrapper.value.name };
}

/** An error that the server reports for a resource (xRFC TP3); what is wrong with the report itself, if anything. */
function checkReported(
  { resourceName, errorDetail }: ResourceError,
  index: number,
  type: string,
  context: ResourceContext,
): string | undefined {
  const name = resourceName?.name ?? '';
  if (name === '') return `resource_errors index ${index}: resource_name unset`;
  if (errorDetail === undefined || errorDetail.code === 0)
    return `resource_errors index ${index}: ${name}: error_detail must be non-OK`;
  if (parseXdsName(name, type, context.switches.federation) === undefined)
    return `resource_errors index ${index}: ${name}: Cannot parse xDS resource name`;
  return undefined;
}

/** Only this prefix is taken off; any other host stays and makes the type a wrong one. */
function withoutPrefix(typeUrl: string): string {
  return typeUrl.startsWith(PREFIX) ? typeUrl.slice(PREFIX.length) : typeUrl;
}
