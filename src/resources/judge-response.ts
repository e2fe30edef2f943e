import { parseXdsName } from '../base/xds-name.js';
import { type DiscoveryResponse, Resource, type ResourceError } from '../proto/generated/envoy.service.discovery.v3.js';
import type { Any } from '../proto/generated/google.protobuf.js';
import { decode } from '../proto/message-type.js';
import type { ResourceContext } from './context.js';
import { type Judge, RESOURCE_JUDGES } from './registry.js';
import type { XdsResource } from './resource.js';
import type { Verdict } from './verdict.js';
import type { VerdictMemory } from './verdict-memory.js';

const PREFIX = 'type.googleapis.com/';

/** One resource of a response: what it is called, whether it is good, and C-core's words if not. */
export interface JudgedResource {
  index: number;
  /** `undefined` where it cannot be told. */
  name: string | undefined;
  /** `undefined` where there was nothing to judge: undecodable, or of another type. */
  verdict: Verdict<XdsResource> | undefined;
  /** Its entries in the NACK. */
  errors: string[];
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
  const known = RESOURCE_JUDGES.get(type);
  const judge = known && memory ? remembering(known, type, memory) : known;
  if (judge === undefined) return { verdict: 'IGNORED', nack: undefined, resources: [] };
  const resources = response.resources.map((any, index) => judgeResource(any, index, type, judge, context));
  const reported = context.switches.dataErrorHandling
    ? response.resourceErrors.map((error, index) => checkReported(error, index, type, context))
    : [];
  const errors = [
    ...resources.flatMap((resource) => resource.errors),
    ...reported.filter((error) => error !== undefined),
  ];
  const nack = errors.length === 0 ? undefined : `xDS response validation errors: [${errors.join('; ')}]`;
  return { verdict: nack === undefined ? 'ACK' : 'NACK', nack, resources };
}

function remembering(judge: Judge, type: string, memory: VerdictMemory): Judge {
  return (bytes, context) => {
    const recalled = memory.recall(type, bytes);
    if (recalled !== undefined) return recalled;
    const judged = judge(bytes, context);
    memory.remember(type, bytes, judged);
    return judged;
  };
}

function judgeResource(any: Any, index: number, type: string, judge: Judge, context: ResourceContext): JudgedResource {
  const refused = (problem: string, name?: string): JudgedResource => {
    const known = name === undefined || name === '' ? '' : `${name}: `;
    return { index, name, verdict: undefined, errors: [`resource index ${index}: ${known}${problem}`] };
  };
  const unwrapped = unwrap(any);
  if ('error' in unwrapped) return refused(unwrapped.error);
  const { resource, wrapperName } = unwrapped;
  const found = withoutPrefix(resource.typeUrl);
  if (found !== type) return refused(`incorrect resource type "${found}" (should be "${type}")`, wrapperName);
  const judged = judge(resource.value, context);
  if (judged.kind === 'undecodable') return refused(`INVALID_ARGUMENT: ${judged.message}`, wrapperName);
  const { verdict } = judged;
  const name = wrapperName || verdict.name;
  const errors: string[] = [];
  if (!verdict.ok) errors.push(`resource index ${index}: ${name}: INVALID_ARGUMENT: ${verdict.message}`);
  if (parseXdsName(name, type, context.switches.federation) === undefined) {
    errors.push(`resource index ${index}: ${name}: Cannot parse xDS resource name`);
  }
  return { index, name, verdict, errors };
}

/** Takes a resource out of its Resource wrapper, where it has one. */
function unwrap(any: Any): { resource: Any; wrapperName: string } | { error: string } {
  if (withoutPrefix(any.typeUrl) !== Resource.typeName) return { resource: any, wrapperName: '' };
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
