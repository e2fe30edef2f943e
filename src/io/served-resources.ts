import { type LocatedProblem, parseSources } from '../base/document.js';
import { getOrAdd } from '../base/get-or-add.js';
import { Problems } from '../base/problem.js';
import { describeValue, isMapping } from '../base/shape.js';
import { resourceName } from '../proto/resource-name.js';
import { RESOURCE_TYPES } from '../proto/resource-types.js';
import { UNKNOWN_PART_CODES } from '../resources/files/catalogue.js';
import type { DumpState } from '../resources/files/config-dump.js';
import {
  type FileResource,
  isDiscoveryResponse,
  readEnvelope,
  readFileResources,
} from '../resources/files/file-resources.js';
import type { ServedResource } from '../scenario/scenario.js';

export interface SourceFile {
  path: string;
  text: string;
}

export interface FileProblem extends LocatedProblem {
  file: string;
}

/** The resources of files, the problems for which they cannot be served, and the parts that are not served. */
export interface ServedResources {
  resources: ServedResource[];
  problems: FileProblem[];
  unknownParts: FileProblem[];
}

/** Of a dump, the resources in these states are served. If a name is in several states, the first of them is. */
const SERVED_STATES: readonly (DumpState | undefined)[] = [undefined, 'active', 'static', 'warming'];

/**
 * Reads YAML or JSON files, each with one resource, a list, several YAML documents, a mapping with `resources`, a dump
 * of a client, or nothing.
 */
export function readServedResources(files: readonly SourceFile[]): ServedResources {
  const all: ServedResources = { resources: [], problems: [], unknownParts: [] };
  const byName = new Map<string, { file: string; resource: FileResource; name: string }[]>();
  for (const { path: file, text } of files) {
    const { resources, problems, unknownParts } = readFile(text);
    all.problems.push(...problems.map((problem) => ({ ...problem, file })));
    all.unknownParts.push(...unknownParts.map((part) => ({ ...part, file })));
    for (const { resource, name } of resources)
      getOrAdd(byName, `${resource.any.typeUrl}\n${name}`, () => []).push({ file, resource, name });
  }
  for (const [first, ...others] of byName.values()) {
    if (first === undefined) continue;
    all.problems.push(...others.flatMap((other) => duplicate(first, other)));
    const rank = ({ resource }: typeof first): number => SERVED_STATES.indexOf(resource.dumped?.state);
    const { resource, name } = others.reduce((best, one) => (rank(one) < rank(best) ? one : best), first);
    all.resources.push({ ...resource.any, name });
  }
  return all;
}

/** A dump has a resource several times, in several states. In other files, this is a mistake. */
function duplicate(
  first: { file: string; resource: FileResource },
  { file, resource, name }: { file: string; resource: FileResource; name: string },
): FileProblem[] {
  const [before, dumped] = [first.resource.dumped, resource.dumped];
  const isDump = before !== undefined && dumped !== undefined;
  const isSameDump = isDump && first.file === file && before.dump === dumped.dump;
  const where = first.file === file ? 'in this file twice' : `also in ${first.file}`;
  return isSameDump ? [] : [{ file, path: [], line: 1, column: 1, message: `"${name}" is ${where}` }];
}

interface ReadFile {
  resources: { resource: FileResource; name: string }[];
  problems: LocatedProblem[];
  unknownParts: LocatedProblem[];
}

function readFile(text: string): ReadFile {
  const { value, problems: syntax, locate } = parseSources(text);
  if (syntax.length > 0) return { resources: [], problems: syntax, unknownParts: [] };
  if (value === null) return { resources: [], problems: [], unknownParts: [] };
  const problems = new Problems();
  const read = isDiscoveryResponse(value)
    ? (readEnvelope(value, untyped, problems)?.resources ?? [])
    : readFileResources(value, untyped, problems);
  const resources = read
    .filter(({ dumped }) => SERVED_STATES.includes(dumped?.state))
    .flatMap((one) => named(one, problems));
  const unknown = resources.flatMap(({ resource }) => resource.unknownParts);
  const parts = unknown.map(({ kind, path, message }) => ({
    path,
    message: `${message} (${UNKNOWN_PART_CODES[kind]})`,
  }));
  return { resources, problems: locate(problems.list), unknownParts: locate(parts) };
}

/** A resource is served by name. Some resources of a dump have none: routes in a listener. */
function named(resource: FileResource, problems: Problems): ReadFile['resources'] {
  const name = resourceName(resource.any.value);
  if (name !== '') return [{ resource, name }];
  if (resource.dumped === undefined)
    problems.below(resource.place, () => {
      for (const { message, path } of resource.unknownParts)
        if (path.length <= resource.place.length + 1) problems.addAt(path.slice(resource.place.length), message);
      problems.add('the resource has no name');
    });
  return [];
}

function untyped(value: unknown, problems: Problems): undefined {
  const types = `${Object.keys(RESOURCE_TYPES).join(', ')} or a type URL`;
  const got = isMapping(value) ? '' : `, got ${describeValue(value)}`;
  return problems.add(`expected a resource with "@type" (${types})${got}`);
}
