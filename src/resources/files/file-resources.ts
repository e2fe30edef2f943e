import { didYouMean } from '../../base/nearest.js';
import type { PathStep, Problems } from '../../base/problem.js';
import { isMapping } from '../../base/shape.js';
import { DiscoveryResponse, Resource } from '../../proto/generated/envoy.service.discovery.v3.js';
import type { Any } from '../../proto/generated/google.protobuf.js';
import { xdsCatalogue } from '../../proto/json/catalogue.js';
import type { UnknownPart } from '../../proto/json/message-encoder.js';
import { parseAny, parseMessage } from '../../proto/json/parse.js';
import { typeNameOf } from '../../proto/json/type-name.js';
import { decode } from '../../proto/message-type.js';
import { RESOURCE_TYPES, typeUrlOf } from '../../proto/resource-types.js';
import { type DumpedResource, resourcesInDump } from './config-dump.js';

/** A resource of a file. */
export interface FileResource {
  any: Any;
  /** The path in the file to the resource, without its wrapper. */
  place: readonly PathStep[];
  /** Unknown fields and types. They are not part of the bytes. */
  unknownParts: readonly UnknownPart[];
  /** Set for a resource of a dump. */
  dumped: Pick<DumpedResource, 'state' | 'version' | 'status' | 'dump'> | undefined;
}

/** A whole DiscoveryResponse in a file. The response has the same resources as the list. */
export interface FileEnvelope {
  response: DiscoveryResponse;
  resources: FileResource[];
}

/** Returns the type URL of a value without "@type", or adds a problem. */
export type UntypedReader = (value: unknown, problems: Problems) => string | undefined;

/** Fields by which a DiscoveryResponse without "@type" is recognized. */
export const RESPONSE_KEYS = ['resources', 'resource_errors', 'resourceErrors', 'type_url', 'typeUrl'];

export function isDiscoveryResponse(value: unknown): value is Record<string, unknown> {
  if (!isMapping(value)) return false;
  const type = value['@type'];
  if (typeof type === 'string') return typeNameOf(type) === DiscoveryResponse.typeName;
  return type === undefined && RESPONSE_KEYS.some((key) => key in value);
}

/** Whether a document contains resources, and not a scenario: a list, a dump, a response, or a resource with "@type". */
export function hasResources(value: unknown): boolean {
  if (!isMapping(value)) return Array.isArray(value);
  if ('servers' in value) return false;
  return typeof value['@type'] === 'string' || Array.isArray(value.resources) || resourcesInDump(value) !== undefined;
}

/** Reads one resource, a list of resources, or a dump. A resource with a problem is omitted. */
export function readFileResources(value: unknown, untyped: UntypedReader, problems: Problems): FileResource[] {
  if (!Array.isArray(value)) return readElement(value, untyped, problems);
  return value.flatMap((element, i) => problems.at(i, () => readElement(element, untyped, problems)));
}

/** Reads a DiscoveryResponse. A resource with a problem is omitted. */
export function readEnvelope(
  value: Record<string, unknown>,
  untyped: UntypedReader,
  problems: Problems,
): FileEnvelope | undefined {
  const { '@type': _type, resources: list, ...fields } = value;
  for (const key of ['type_url', 'typeUrl']) if (typeof fields[key] === 'string') fields[key] = typeUrlOf(fields[key]);
  const unknownParts: UnknownPart[] = [];
  // Resources that are not a list are a problem of the response.
  const json = list === undefined || Array.isArray(list) ? fields : { ...fields, resources: list };
  const bytes = parseMessage(xdsCatalogue, DiscoveryResponse.typeName, json, problems, unknownParts);
  const decoded = bytes && decode(DiscoveryResponse, bytes);
  if (!decoded?.ok) return undefined;
  const resources = problems.at('resources', () =>
    Array.isArray(list)
      ? list.flatMap((one, i) => problems.at(i, () => readResource(one, untyped, problems, undefined)))
      : [],
  );
  // A finding belongs to a resource: those of the response belong to the first.
  const [first, ...rest] = resources;
  const all = first && [{ ...first, unknownParts: [...unknownParts, ...first.unknownParts] }, ...rest];
  return { response: { ...decoded.value, resources: resources.map(({ any }) => any) }, resources: all ?? [] };
}

function readElement(value: unknown, untyped: UntypedReader, problems: Problems): FileResource[] {
  const dumped = resourcesInDump(value);
  if (dumped === undefined) return readResource(value, untyped, problems, undefined);
  return dumped.flatMap(({ json, path, ...rest }) =>
    problems.below(path, () => readResource(json, untyped, problems, rest)),
  );
}

function readResource(
  value: unknown,
  untyped: UntypedReader,
  problems: Problems,
  dumped: FileResource['dumped'],
): FileResource[] {
  const typed = isMapping(value) && value['@type'] !== undefined;
  const type = typed ? value['@type'] : untyped(value, problems);
  if (!isMapping(value) || type === undefined) return [];
  const typeUrl = typeof type === 'string' ? typeUrlOf(type) : type;
  if (typeof typeUrl === 'string' && !/[./]/.test(typeUrl)) return problems.addAt(['@type'], noType(typeUrl)) ?? [];
  const unknownParts: UnknownPart[] = [];
  const json = { ...value, '@type': typeUrl };
  const any = parseAny(xdsCatalogue, json, problems, unknownParts);
  if (any === undefined) return [];
  return [{ any, place: problems.pathTo(pathInWrapper(any)), unknownParts, dumped }];
}

function noType(text: string): string {
  const names = Object.keys(RESOURCE_TYPES);
  return `"${text}" is not a type: expected ${names.join(', ')} or a type URL${didYouMean(text, names)}`;
}

/** Returns the path from an Any to the resource in it. */
function pathInWrapper({ typeUrl }: Any): PathStep[] {
  return typeNameOf(typeUrl) === Resource.typeName ? ['resource'] : [];
}
