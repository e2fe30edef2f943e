import { type LocatedProblem, parseSources, type SourceDocument } from '../../base/document.js';
import { type PathStep, type Problem, Problems } from '../../base/problem.js';
import { describeValue, isMapping } from '../../base/shape.js';
import { DiscoveryResponse, Resource } from '../../proto/generated/envoy.service.discovery.v3.js';
import type { Any } from '../../proto/generated/google.protobuf.js';
import { xdsCatalogue } from '../../proto/json/catalogue.js';
import { parseAny, parseMessage } from '../../proto/json/parse.js';
import { typeNameOf } from '../../proto/json/type-name.js';
import { decode } from '../../proto/message-type.js';
import { RESOURCE_TYPES, typeUrlOf } from '../../proto/resource-types.js';
import { guessType } from './guess-type.js';

/**
 * A response that a file contains, or that xds-inspect builds from its resources, with the path of each resource in the
 * file.
 */
export interface FileResponse {
  response: DiscoveryResponse;
  places: (readonly PathStep[])[];
}

/** The content of a file. `locate` finds lines and columns; for a binary file it returns the start of the file. */
export type FileContent =
  | { ok: true; responses: FileResponse[]; value: unknown; locate: SourceDocument['locate'] }
  | { ok: false; problems: LocatedProblem[] };

/** Reads a file with a binary DiscoveryResponse. */
export function readBinaryFile(bytes: Uint8Array): FileContent {
  const decoded = decode(DiscoveryResponse, bytes);
  if (decoded.ok)
    return { ok: true, responses: [{ response: decoded.value, places: [] }], value: undefined, locate: locateAtStart };
  const message = `not a DiscoveryResponse: ${decoded.reason} at byte ${decoded.offset}`;
  return { ok: false, problems: [{ path: [], message, line: 1, column: 1 }] };
}

function locateAtStart(problems: readonly Problem[]): LocatedProblem[] {
  return problems.map((problem) => ({ ...problem, line: 1, column: 1 }));
}

/**
 * Reads resources in YAML or JSON: one resource, a list or several documents, with or without "@type", or a whole
 * DiscoveryResponse.
 */
export function readTextFile(text: string): FileContent {
  const document = parseSources(text);
  if (document.problems.length > 0) return { ok: false, problems: document.problems };
  const { value } = document;
  const problems = new Problems();
  const responses = isResponse(value) ? readResponse(value, problems) : readList(value, problems);
  if (problems.any) return { ok: false, problems: document.locate(problems.list) };
  return { ok: true, responses, value, locate: document.locate };
}

const RESPONSE_KEYS = ['resources', 'resource_errors', 'resourceErrors'];

function isResponse(value: unknown): value is Record<string, unknown> {
  if (!isMapping(value)) return false;
  const type = value['@type'];
  if (typeof type === 'string') return typeNameOf(type) === DiscoveryResponse.typeName;
  return type === undefined && RESPONSE_KEYS.some((key) => key in value);
}

function readResponse(value: Record<string, unknown>, problems: Problems): FileResponse[] {
  const { '@type': _type, ...fields } = value;
  const json = { ...fields, ...shortTypes(fields) };
  const bytes = parseMessage(xdsCatalogue, DiscoveryResponse.typeName, json, problems);
  const decoded = bytes && decode(DiscoveryResponse, bytes);
  if (!decoded?.ok) return [];
  const response = decoded.value;
  const places = response.resources.map((any, i) => ['resources', i, ...pathInWrapper(any)]);
  if (response.typeUrl !== '') return [{ response, places }];
  // A response without a type has the type of its first resource.
  const [first] = response.resources;
  return [{ response: { ...response, typeUrl: first?.typeUrl ?? '' }, places }];
}

/** Replaces short type names by type URLs. */
function shortTypes(fields: Record<string, unknown>): Record<string, unknown> {
  const resources = Array.isArray(fields.resources) ? { resources: fields.resources.map(withTypeUrl) } : {};
  for (const key of ['type_url', 'typeUrl']) {
    if (typeof fields[key] === 'string') return { ...resources, [key]: typeUrlOf(fields[key]) };
  }
  return resources;
}

function withTypeUrl(value: unknown): unknown {
  if (!isMapping(value)) return value;
  const type = value['@type'];
  return typeof type === 'string' ? { ...value, '@type': typeUrlOf(type) } : value;
}

/** Groups the resources by type into responses, in the order of the file. */
function readList(value: unknown, problems: Problems): FileResponse[] {
  const read = Array.isArray(value)
    ? value.map((element, i) => ({
        any: problems.at(i, () => readResource(element, problems)),
        place: [i] as PathStep[],
      }))
    : [{ any: readResource(value, problems), place: [] as PathStep[] }];
  if (read.length === 0) problems.add('the list contains no resources');
  const byType = new Map<string, { resources: Any[]; places: PathStep[][] }>();
  for (const { any, place } of read) {
    if (any === undefined) continue;
    const type = innerType(any);
    const group = byType.get(type) ?? { resources: [], places: [] };
    byType.set(type, group);
    group.resources.push(any);
    group.places.push([...place, ...pathInWrapper(any)]);
  }
  return [...byType].map(([typeUrl, { resources, places }]) => ({
    response: DiscoveryResponse.create({ typeUrl, resources }),
    places,
  }));
}

function readResource(value: unknown, problems: Problems): Any | undefined {
  if (!isMapping(value)) return problems.add(`expected a resource, got ${describeValue(value)}`);
  if (value['@type'] !== undefined) return parseAny(xdsCatalogue, withTypeUrl(value), problems);
  const type = guessType(value);
  if (type === undefined) {
    const names = Object.keys(RESOURCE_TYPES).join(', ');
    return problems.add(`cannot determine the type of this resource: add "@type" (${names} or a type URL)`);
  }
  return parseAny(xdsCatalogue, { '@type': type, ...value }, problems);
}

/** Returns the type of a resource, without its Resource wrapper if it has one. */
function innerType({ typeUrl, value }: Any): string {
  const wrapper = typeNameOf(typeUrl) === Resource.typeName ? decode(Resource, value) : undefined;
  return wrapper?.ok ? (wrapper.value.resource?.typeUrl ?? typeUrl) : typeUrl;
}

/** Returns the path from an Any to the resource in it. */
function pathInWrapper({ typeUrl }: Any): PathStep[] {
  return typeNameOf(typeUrl) === Resource.typeName ? ['resource'] : [];
}
