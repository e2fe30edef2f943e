import { type Document, isNode, isScalar, LineCounter, type Node, parseAllDocuments, parseDocument } from 'yaml';
import type { JsonNode } from './json/node.js';
import { keyOffsetOf, LineIndex } from './json/position.js';
import { readJson } from './json/reader.js';
import type { PathStep, Problem } from './problem.js';

/** A problem with its position in a file; lines and columns count from 1. */
export interface LocatedProblem extends Problem {
  line: number;
  column: number;
}

/** A YAML or JSON text: its value, its syntax errors, and the positions of its parts. */
export interface SourceDocument {
  value: unknown;
  problems: LocatedProblem[];
  /** Adds positions to problems and sorts them by position. */
  locate(problems: readonly Problem[]): LocatedProblem[];
}

/** Limit on nodes that aliases repeat, against malicious files. */
const MAX_ALIASES = 1000;

/** Parses YAML 1.2, which includes JSON. Integers become BigInts if a double would lose precision. */
export function parseSource(text: string): SourceDocument {
  return (/^\s*[{[]/.test(text) ? parseJson(text) : undefined) ?? parseYaml(text, false);
}

/** Parses a file that may contain several YAML documents, which become a list. */
export function parseSources(text: string): SourceDocument {
  return (/^\s*[{[]/.test(text) ? parseJson(text) : undefined) ?? parseYaml(text, true);
}

/** Parses JSON with its own reader, which is much faster than the YAML parser. Text that it rejects may still be YAML. */
function parseJson(text: string): SourceDocument | undefined {
  const bytes = new TextEncoder().encode(text);
  const read = readJson(bytes);
  if (!read.ok) return undefined;
  const { root } = read;
  const lines = new LineIndex(bytes);
  return {
    value: plainValue(root),
    problems: [],
    locate: (list) =>
      sorted(list.map((problem) => ({ ...problem, ...lines.positionOf(keyOffsetOf(root, problem.path)) }))),
  };
}

function plainValue(node: JsonNode): unknown {
  switch (node.kind) {
    case 'object':
      return Object.fromEntries([...node.fields].map(([key, { node: inner }]) => [key, plainValue(inner)]));
    case 'array':
      return node.elements.map(plainValue);
    case 'number':
      return /^-?\d{16,}$/.test(node.text) ? safeIntegers(BigInt(node.text)) : Number(node.text);
    case 'null':
      return null;
    default:
      return node.value;
  }
}

function sorted(problems: LocatedProblem[]): LocatedProblem[] {
  return problems.sort((a, b) => a.line - b.line || a.column - b.column);
}

function parseYaml(text: string, mayBeMany: boolean): SourceDocument {
  const lines = new LineCounter();
  const place = (offset: number): { line: number; column: number } => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(1, line), column: Math.max(1, col) };
  };
  try {
    const options = { lineCounter: lines, prettyErrors: false, intAsBigInt: true, stringKeys: true };
    const documents: Document[] = mayBeMany ? filled(parseAllDocuments(text, options)) : [parseDocument(text, options)];
    const problems = documents
      .flatMap(({ errors }) => errorsOf(errors))
      .map((error) => ({ path: [], message: userMessage(error), ...place(error.pos[0]) }));
    const values = problems.length > 0 ? [] : documents.map((one) => one.toJS({ maxAliasCount: MAX_ALIASES }));
    const isList = documents.length > 1;
    const offset = (path: readonly PathStep[]): number =>
      isList ? offsetOf(documents[Number(path[0] ?? 0)], path.slice(1)) : offsetOf(documents[0], path);
    return {
      value: problems.length > 0 ? undefined : safeIntegers(isList ? values : (values[0] ?? null)),
      problems,
      locate: (list) => sorted(list.map((problem) => ({ ...problem, ...place(offset(problem.path)) }))),
    };
  } catch (error) {
    // Too many aliases, or nesting that overflows the parser's stack.
    const message = error instanceof RangeError ? 'nested too deeply' : (error as Error).message;
    return { value: undefined, problems: [{ path: [], message, line: 1, column: 1 }], locate: () => [] };
  }
}

/** Removes empty documents, such as the one after a separator at the end of a file. */
function filled(documents: readonly Document[]): Document[] {
  const isEmpty = ({ contents }: Document): boolean =>
    contents === null || (isScalar(contents) && contents.value === null && contents.source === '');
  return documents.filter((one) => !isEmpty(one) || one.errors.length > 0);
}

function errorsOf(errors: Document['errors']): Document['errors'] | { message: string; pos: [number, number] }[] {
  const tooDeep = errors.find((error) => error.message.startsWith('Maximum call stack'));
  return tooDeep === undefined ? errors : [{ ...tooDeep, message: 'nested too deeply' }];
}

/** Replaces messages of the YAML package that are meant for programmers. */
function userMessage({ code, message }: { code?: string; message: string }): string {
  return code === 'MULTIPLE_DOCS' ? 'a second document begins here: use one document, which may be a list' : message;
}

/** Returns the offset of the key at a path, or of its nearest existing parent. */
function offsetOf(document: Document | undefined, path: readonly PathStep[]): number {
  const root = document?.contents as Node | null | undefined;
  for (let length = path.length; length > 0; length--) {
    const parent = length === 1 ? root : document?.getIn(path.slice(0, length - 1), true);
    const key = keyOffset(parent, path[length - 1] as PathStep);
    if (key !== undefined) return key;
  }
  return root?.range?.[0] ?? 0;
}

function keyOffset(parent: unknown, step: PathStep): number | undefined {
  if (!isNode(parent) || !('items' in parent)) return undefined;
  if (typeof step === 'number') return (parent.items[step] as Node | undefined)?.range?.[0];
  for (const item of parent.items as { key?: Node & { value?: unknown } }[])
    if (item.key?.value === step) return item.key.range?.[0];
  return undefined;
}

function safeIntegers(value: unknown): unknown {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : value;
  if (Array.isArray(value)) return value.map(safeIntegers);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, safeIntegers(inner)]));
}
