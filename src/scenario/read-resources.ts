import { fromBase64 } from '../base/base64.js';
import { parseSource } from '../base/document.js';
import { didYouMean } from '../base/nearest.js';
import { formatPath, Problems } from '../base/problem.js';
import { describeValue, isMapping } from '../base/shape.js';
import { xdsCatalogue } from '../proto/json/catalogue.js';
import { parseAny } from '../proto/json/parse.js';
import { resourceName } from '../proto/resource-name.js';
import { typeUrlOf } from '../proto/resource-types.js';
import type { ResourcesByName } from './read-response.js';
import type { ServedResource } from './scenario.js';

/** Reads a file that a scenario names, relative to the scenario; returns an error as text. */
export type ReadFile = (path: string) => { text: string } | { failure: string };

/** Reads the resources of a scenario: inline with "@type", `file: path`, or `type` with `base64` bytes. */
export function readResources(
  entries: ReadonlyMap<string, unknown>,
  readFile: ReadFile,
  problems: Problems,
): ResourcesByName {
  const resources = new Map<string, ServedResource>();
  for (const [key, value] of entries) {
    const resource = problems.at(key, () => readResource(value, readFile, problems));
    if (resource !== undefined) resources.set(key, resource);
  }
  return resources;
}

function readResource(value: unknown, readFile: ReadFile, problems: Problems): ServedResource | undefined {
  if (!isMapping(value))
    problems.add(`expected a resource with "@type", or "file", or "type" and "base64"; got ${describeValue(value)}`);
  else if ('file' in value) {
    checkKeys(value, ['file'], problems);
    return problems.at('file', () => fromFile(value.file, readFile, problems));
  } else if ('base64' in value) return fromBytes(value, problems);
  else return fromJson(value, problems);
  return undefined;
}

/** A resource that is not in proto JSON has no other keys. */
function checkKeys(value: Record<string, unknown>, keys: readonly string[], problems: Problems): void {
  const hint = `: expected ${keys.join(', ')}`;
  for (const key of Object.keys(value))
    if (!keys.includes(key)) problems.addAt([key], `unknown key${didYouMean(key, keys) || hint}`);
}

/** Reads a resource in proto JSON; also accepts short type names. */
function fromJson(value: unknown, problems: Problems): ServedResource | undefined {
  const typed =
    isMapping(value) && typeof value['@type'] === 'string' ? { ...value, '@type': typeUrlOf(value['@type']) } : value;
  const any = parseAny(xdsCatalogue, typed, problems);
  return any && { ...any, name: resourceName(any.value) };
}

function fromBytes(value: Record<string, unknown>, problems: Problems): ServedResource | undefined {
  const { type, base64, name } = value;
  checkKeys(value, ['type', 'base64', 'name'], problems);
  const bytes = typeof base64 === 'string' ? fromBase64(base64) : undefined;
  if (bytes === undefined) problems.addAt(['base64'], `expected base64, got ${describeValue(base64)}`);
  if (typeof type !== 'string') problems.add('"type" is missing');
  if (name !== undefined && typeof name !== 'string')
    problems.addAt(['name'], `expected text, got ${describeValue(name)}`);
  if (bytes === undefined || typeof type !== 'string') return undefined;
  return { typeUrl: typeUrlOf(type), value: bytes, name: typeof name === 'string' ? name : resourceName(bytes) };
}

function fromFile(path: unknown, readFile: ReadFile, problems: Problems): ServedResource | undefined {
  if (typeof path !== 'string') return problems.add(`expected the path of a file, got ${describeValue(path)}`);
  const file = readFile(path);
  if ('failure' in file) return problems.add(file.failure);
  const document = parseSource(file.text);
  const inside = new Problems();
  const resource = document.problems.length === 0 ? fromJson(document.value, inside) : undefined;
  for (const problem of [...document.problems, ...document.locate(inside.list)]) {
    problems.add(
      `${path}:${problem.line}:${problem.column}: ${[formatPath(problem.path), problem.message].filter((t) => t !== '').join(': ')}`,
    );
  }
  return resource;
}
