import { sameBytes } from '../base/bytes.js';
import { type LocatedProblem, parseSources } from '../base/document.js';
import { Problems } from '../base/problem.js';
import { describeValue, isMapping } from '../base/shape.js';
import { RESOURCE_TYPES } from '../proto/resource-types.js';
import { fromJson } from './read-resources.js';
import type { ServedResource, ServedType } from './scenario.js';

export interface SourceFile {
  path: string;
  text: string;
}

export interface FileProblem extends LocatedProblem {
  file: string;
}

/** Reads YAML or JSON files, each with one resource, a list, several YAML documents, or a mapping with `resources`. */
export function readResourceFiles(files: readonly SourceFile[]): {
  resources: ServedResource[];
  problems: FileProblem[];
} {
  const problems: FileProblem[] = [];
  const byName = new Map<string, { resource: ServedResource; file: string }>();
  for (const file of files) {
    const { resources, problems: found } = readFile(file.text);
    problems.push(...found.map((problem) => ({ ...problem, file: file.path })));
    for (const resource of resources) {
      const key = `${resource.typeUrl}\n${resource.name}`;
      const other = byName.get(key);
      if (other === undefined) byName.set(key, { resource, file: file.path });
      else {
        const where = other.file === file.path ? 'in this file twice' : `also in ${other.file}`;
        const message = `"${resource.name}" is ${where}`;
        problems.push({ file: file.path, path: [], line: 1, column: 1, message });
      }
    }
  }
  return { resources: [...byName.values()].map((entry) => entry.resource), problems };
}

function readFile(text: string): { resources: ServedResource[]; problems: LocatedProblem[] } {
  const document = parseSources(text);
  if (document.problems.length > 0) return { resources: [], problems: document.problems };
  const problems = new Problems();
  const { value } = document;
  const one = (resource: unknown): ServedResource | undefined => readOne(resource, problems);
  let resources: (ServedResource | undefined)[];
  if (Array.isArray(value)) resources = value.map((resource, i) => problems.at(i, () => one(resource)));
  else if (isMapping(value) && Array.isArray(value.resources) && value['@type'] === undefined) {
    resources = problems.at('resources', () =>
      (value.resources as unknown[]).map((resource, i) => problems.at(i, () => one(resource))),
    );
  } else resources = [one(value)];
  return { resources: resources.filter((r) => r !== undefined), problems: document.locate(problems.list) };
}

function readOne(value: unknown, problems: Problems): ServedResource | undefined {
  if (isMapping(value) && value['@type'] !== undefined) {
    const resource = fromJson(value, problems);
    if (resource?.name === '') problems.add('the resource has no name');
    return resource?.name === '' ? undefined : resource;
  }
  return problems.add(
    `expected a resource with "@type" (${Object.keys(RESOURCE_TYPES).join(', ')} or a type URL)${isMapping(value) ? '' : `, got ${describeValue(value)}`}`,
  );
}

/** Groups resources by type. A type with changed resources gets the next version; other types keep their version. */
export function servedTypes(resources: readonly ServedResource[], before: readonly ServedType[]): ServedType[] {
  const types = new Set([...resources.map((r) => r.typeUrl), ...before.map((h) => h.typeUrl)]);
  return [...types].map((typeUrl) => {
    const old = before.find((h) => h.typeUrl === typeUrl);
    const mine = resources.filter((r) => r.typeUrl === typeUrl);
    if (old !== undefined && isSameSet(old, mine)) return old;
    const version = String(Number(old?.version ?? 0) + 1);
    return { typeUrl, version, errors: [], resources: mine.map((resource) => ({ resource, wrapper: undefined })) };
  });
}

function isSameSet(old: ServedType, resources: readonly ServedResource[]): boolean {
  const before = new Map(old.resources.map(({ resource }) => [resource?.name, resource]));
  return (
    before.size === resources.length &&
    resources.every((r) => before.has(r.name) && sameBytes(before.get(r.name)?.value ?? NOTHING, r.value))
  );
}

const NOTHING = new Uint8Array(0);
