import { type LocatedProblem, parseSources, type SourceDocument } from '../../base/document.js';
import { getOrAdd } from '../../base/get-or-add.js';
import { type Problem, Problems } from '../../base/problem.js';
import { describeValue, isMapping } from '../../base/shape.js';
import { DiscoveryResponse, Resource } from '../../proto/generated/envoy.service.discovery.v3.js';
import type { Any } from '../../proto/generated/google.protobuf.js';
import { typeNameOf } from '../../proto/json/type-name.js';
import { decode } from '../../proto/message-type.js';
import { RESOURCE_TYPES } from '../../proto/resource-types.js';
import { type FileResource, isDiscoveryResponse, readEnvelope, readFileResources } from './file-resources.js';
import { guessType } from './guess-type.js';

/**
 * A response that a file contains, or that xds-inspect builds from its resources, with the path and the unknown parts of
 * each resource in the file.
 */
export interface FileResponse {
  response: DiscoveryResponse;
  resources: readonly Pick<FileResource, 'place' | 'unknownParts' | 'dumped'>[];
}

/**
 * The content of a file: its responses, and the problems of resources that are not in them. `locate` finds lines and
 * columns; for a binary file it returns the start of the file.
 */
export interface FileContent {
  responses: FileResponse[];
  problems: LocatedProblem[];
  value: unknown;
  locate: SourceDocument['locate'];
}

/** The extension determines whether a file is binary. */
export function isBinaryFile(source: string): boolean {
  return /\.(binpb|pb)$/i.test(source);
}

/** Reads a binary or a text file. */
export function readResourceFile(source: string, bytes: Uint8Array): FileContent {
  return isBinaryFile(source) ? readBinaryFile(bytes) : readTextFile(new TextDecoder().decode(bytes));
}

/** Reads a file with a binary DiscoveryResponse. */
export function readBinaryFile(bytes: Uint8Array): FileContent {
  const decoded = decode(DiscoveryResponse, bytes);
  const content: FileContent = { responses: [], problems: [], value: undefined, locate: locateAtStart };
  if (decoded.ok)
    return isEmpty(decoded.value) ? content : { ...content, responses: [{ response: decoded.value, resources: [] }] };
  const message = `not a DiscoveryResponse: ${decoded.reason} at byte ${decoded.offset}`;
  return { ...content, problems: [{ path: [], message, line: 1, column: 1 }] };
}

function locateAtStart(problems: readonly Problem[]): LocatedProblem[] {
  return problems.map((problem) => ({ ...problem, line: 1, column: 1 }));
}

/**
 * Reads resources in YAML or JSON: one resource, a list or several documents, with or without "@type", a whole
 * DiscoveryResponse, or a dump of a client. A resource with a problem does not affect the others.
 * An empty file contains no resources, like an empty list.
 */
function readTextFile(text: string): FileContent {
  return readDocument(parseSources(text));
}

/** Reads the resources in a text that has been parsed. */
export function readDocument({ value, problems: syntax, locate }: SourceDocument): FileContent {
  if (syntax.length > 0) return { responses: [], problems: syntax, value, locate };
  const problems = new Problems();
  const responses = isDiscoveryResponse(value) ? readResponse(value, problems) : readList(value, problems);
  return { responses, problems: locate(problems.list), value, locate };
}

/** A response without a type contains nothing that gRPC could accept or reject. */
function isEmpty({ typeUrl, resources, resourceErrors }: DiscoveryResponse): boolean {
  return typeUrl === '' && resources.length === 0 && resourceErrors.length === 0;
}

function readResponse(value: Record<string, unknown>, problems: Problems): FileResponse[] {
  const envelope = readEnvelope(value, untyped, problems);
  if (envelope === undefined || isEmpty(envelope.response)) return [];
  const { response, resources } = envelope;
  if (response.typeUrl !== '') return [envelope];
  // A response without a type has the type of its first resource.
  return [{ response: { ...response, typeUrl: [...response.resources][0]?.typeUrl ?? '' }, resources }];
}

/**
 * Groups the resources by type into responses, in the order of the file. Those of a dump are also grouped by state
 * and dump, because a client does not receive a rejected resource together with the one that it uses, nor those of others.
 */
function readList(value: unknown, problems: Problems): FileResponse[] {
  if (value === null) return [];
  const groups = new Map<string, FileResource[]>();
  for (const resource of readFileResources(value, untyped, problems)) {
    const { dumped, any } = resource;
    const key = JSON.stringify([dumped?.dump, dumped?.state, innerType(any)]);
    getOrAdd(groups, key, () => []).push(resource);
  }
  return [...groups.values()].map((resources) => ({
    response: DiscoveryResponse.create({
      typeUrl: innerType((resources[0] as FileResource).any),
      resources: resources.map(({ any }) => any),
    }),
    resources,
  }));
}

function untyped(value: unknown, problems: Problems): string | undefined {
  if (!isMapping(value)) return problems.add(`expected a resource, got ${describeValue(value)}`);
  const names = Object.keys(RESOURCE_TYPES).join(', ');
  return (
    guessType(value) ?? problems.add(`cannot determine the type of this resource: add "@type" (${names} or a type URL)`)
  );
}

/** Returns the type of a resource, without its Resource wrapper if it has one. */
function innerType({ typeUrl, value }: Any): string {
  const wrapper = typeNameOf(typeUrl) === Resource.typeName ? decode(Resource, value) : undefined;
  return wrapper?.ok ? (wrapper.value.resource?.typeUrl ?? typeUrl) : typeUrl;
}
