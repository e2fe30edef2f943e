import { Problems } from '../../src/base/problem.js';
import { xdsCatalogue } from '../../src/proto/json/catalogue.js';
import { parseAny } from '../../src/proto/json/parse.js';
import { typeUrlOf } from '../../src/proto/resource-types.js';
import type { ResourceContext } from '../../src/resources/context.js';
import { RESOURCE_JUDGES } from '../../src/resources/registry.js';
import type { XdsResource } from '../../src/resources/resource.js';
import type { Verdict } from '../../src/resources/verdict.js';
import { CONTEXT } from './context.js';

/** The bytes of a resource in proto JSON; `type` is its short name. */
export function bytesOf(type: string, json: object): Uint8Array {
  const problems = new Problems();
  const any = parseAny(xdsCatalogue, { '@type': typeUrlOf(type), ...json }, problems);
  if (any === undefined) throw new Error(JSON.stringify(problems.list));
  return any.value;
}

export function judgeBytes(type: string, bytes: Uint8Array, context: ResourceContext = CONTEXT): Verdict<XdsResource> {
  const judged = RESOURCE_JUDGES.get(typeUrlOf(type).split('/')[1] as string)?.(bytes, context);
  if (judged?.kind !== 'judged') throw new Error(judged?.message ?? `no judge for ${type}`);
  return judged.verdict;
}

export function judgeJson(type: string, json: object, context: ResourceContext = CONTEXT): Verdict<XdsResource> {
  return judgeBytes(type, bytesOf(type, json), context);
}

/** A resource that has to be good. */
export function acceptedJson(type: string, json: object, context: ResourceContext = CONTEXT): XdsResource {
  const verdict = judgeJson(type, json, context);
  if (!verdict.ok) throw new Error(verdict.message);
  return verdict.resource;
}
