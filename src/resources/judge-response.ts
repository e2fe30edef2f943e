import { parseXdsName } from '../base/xds-name.js';
import { type DiscoveryResponse, Resource, type ResourceError } from '../proto/generated/envoy.service.discovery.v3.js';
import type { Any } from '../proto/generated/google.protobuf.js';
import { decode } from '../proto/message-type.js';
import type { ResourceContext } from './context.js';
import { type Judge, RESOURCE_JUDGES } from './registry.js';
import type { XdsResource } from './resource.js';
import type { Verdict } from './verdict.js';
import type { Known, VerdictMemory } from './verdict-memory.js';

const PREFIX = 'type.googleapis.com/';

/** One resource of a response: what it is called, whether it is good, and C-core's words if not. */
export interface JudgedResource {
  index: number;
  /** `undefined` where it cannot be told. */
  name: string | undefined;
  /** Out of its wrapper, where it had one; `undefined` where that could not be opened. */
  resource: Any | undefined;
  /** The resource's bytes are a copy, and may be kept. */
  isOwn: boolean;
  /** `undefined` where there was nothing to judge: undecodable, or of another type. */
  verdict: Verdict<XdsResource> | undefined;
  /** Its entries in the NACK. */
  errors: readonly string[];
}

export interface JudgedResponse {
  /** IGNORED: of a type that gRPC does not know; neither ACK nor NACK follows. */
  verdict: 'ACK' | 'NACK' | 'IGNORED';
  /** The message of the NACK, to the letter (R1.20). */
  nack: string | undefined;
  resources: JudgedResource[];
}

/** Judges every resource of a response, and every error that the server reports, as C-core does. */
export function judgeResponse(
  response: DiscoveryResponse,
  context: ResourceContext,
  memory?: VerdictMemory,
): JudgedResponse {
  const type = withoutPrefix(response.typeUrl);
  const judge = RESOURCE_JUDGES.get(type);
  if (judge === undefined) return { verdict: 'IGNORED', nack: undefined, resources: [] };
  const judging: Judging = { typeUrl: response.typeUrl, type, judge, context, memory };
  const resources = response.resources.map((any, index) => judgeResource(any, index, judging));
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

interface Judging {
  /** Of the response, with and without its prefix. */
  typeUrl: string;
  type: string;
  judge: Judge;
  context: ResourceContext;
  memory: VerdictMemory | undefined;
}

const NO_ERRORS: readonly string[] = [];

function judgeResource(any: Any, index: number, judging: Judging): JudgedResource {
  const unwrapped = any.typeUrl === judging.typeUrl ? { resource: any, wrapperName: '' } : unwrap(any);
  if ('error' in unwrapped) return refused(index, unwrapped.error, undefined, undefined);
  const { resource, wrapperName } = unwrapped;
  const { type } = judging;
  const found = resource.typeUrl === judging.typeUrl ? type : withoutPrefix(resource.typeUrl);
  if (found !== type) {
    // Whose resource this was meant to be is not asked, even if the wrapper says so.
    const problem = `incorrect resource type "${found}" (should be "${type}")`;
    return { ...refused(index, problem, wrapperName, resource), name: undefined };
  }
  const { bytes, judged, isOwn } = judgeOnce(resource.value, index, judging);
  if (judged.kind === 'undecodable') {
    const bad = refused(index, `INVALID_ARGUMENT: ${judged.message}`, wrapperName, resource);
    return isGoodName(wrapperName, judging) ? bad : { ...bad, errors: [...bad.errors, badName(index, wrapperName)] };
  }
  const { verdict } = judged;
  const name = wrapperName || verdict.name;
  const hasGoodName = isGoodName(name, judging);
  const kept = { typeUrl: resource.typeUrl, value: bytes };
  if (verdict.ok && hasGoodName) return { index, name, resource: kept, isOwn, verdict, errors: NO_ERRORS };
  const errors: string[] = [];
  if (!verdict.ok) errors.push(`resource index ${index}: ${name}: INVALID_ARGUMENT: ${verdict.message}`);
  if (!hasGoodName) errors.push(badName(index, name));
  return { index, name, resource: kept, isOwn, verdict, errors };
}

function isGoodName(name: string, { type, context }: Judging): boolean {
  return !name.startsWith('xdstp:') || parseXdsName(name, type, context.switches.federation) !== undefined;
}

function badName(index: number, name: string): string {
  return `resource index ${index}: ${name}: Cannot parse xDS resource name`;
}

function refused(index: number, problem: string, name: string | undefined, resource: Any | undefined): JudgedResource {
  const known = name === undefined || name === '' ? '' : `${name}: `;
  return {
    index,
    name,
    resource,
    isOwn: false,
    verdict: undefined,
    errors: [`resource index ${index}: ${known}${problem}`],
  };
}

function judgeOnce(bytes: Uint8Array, index: number, { typeUrl, judge, context, memory }: Judging): Known {
  const recalled = memory?.recall(typeUrl, index, bytes);
  if (recalled !== undefined) return recalled;
  const judged = judge(bytes, context);
  return memory?.remember(typeUrl, index, bytes, judged) ?? { bytes, judged, isOwn: false };
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
