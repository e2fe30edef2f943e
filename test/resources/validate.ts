import { Problems } from '../../src/base/problem.js';
import { xdsCatalogue } from '../../src/proto/json/catalogue.js';
import { parseAny } from '../../src/proto/json/parse.js';
import { typeUrlOf } from '../../src/proto/resource-types.js';
import type { ResourceContext } from '../../src/resources/context.js';
import { RESOURCE_VALIDATORS } from '../../src/resources/registry.js';
import type { XdsResource } from '../../src/resources/resource.js';
import type { ValidationResult } from '../../src/resources/validation-result.js';
import { CONTEXT } from './context.js';

/** Encodes a resource from proto JSON. `type` is its short name. */
export function bytesOf(type: string, json: object): Uint8Array {
  const problems = new Problems();
  const any = parseAny(xdsCatalogue, { '@type': typeUrlOf(type), ...json }, problems);
  if (any === undefined) throw new Error(JSON.stringify(problems.list));
  return any.value;
}

export function validateBytes(
  type: string,
  bytes: Uint8Array,
  context: ResourceContext = CONTEXT,
): ValidationResult<XdsResource> {
  const validated = RESOURCE_VALIDATORS.get(typeUrlOf(type).split('/')[1] as string)?.(bytes, context);
  if (validated?.kind !== 'validated') throw new Error(validated?.message ?? `no validator for ${type}`);
  return validated.result;
}

export function validateJson(
  type: string,
  json: object,
  context: ResourceContext = CONTEXT,
): ValidationResult<XdsResource> {
  return validateBytes(type, bytesOf(type, json), context);
}

/** Validates a resource that must be valid. */
export function acceptedJson(type: string, json: object, context: ResourceContext = CONTEXT): XdsResource {
  const result = validateJson(type, json, context);
  if (!result.ok) throw new Error(result.message);
  return result.resource;
}
