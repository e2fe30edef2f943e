import { Composer, type CST, type Document, isScalar, LineCounter, Parser } from 'yaml';
import type { JsonNode } from './json/node.js';
import { keyOffsetOf, LineIndex } from './json/position.js';
import { readJson } from './json/reader.js';
import type { PathStep, Problem } from './problem.js';
import { KeyOffsets, safeInteger, tooDeep, type YamlProblem, yamlValue } from './yaml-value.js';

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

/** Directives do not change the rules: YAML 1.1 would merge `<<` and read `on` as true. Duplicate keys: see yamlValue. */
const YAML_1_2 = { schema: 'core', merge: false, uniqueKeys: false, stringKeys: true, intAsBigInt: true } as const;

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
      return /^-?\d{16,}$/.test(node.text) ? safeInteger(BigInt(node.text)) : Number(node.text);
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
  const tokens = [...new Parser(lines.addNewLine).parse(text)];
  const deep = tooDeep(tokens);
  const documents = deep === undefined ? compose(tokens, text.length, mayBeMany) : [];
  const read = documents.map((document) => yamlValue(document));
  const found = [
    ...(deep === undefined ? [] : [deep]),
    ...documents.flatMap(({ errors }) => errors.map(({ message, pos }): YamlProblem => ({ message, offset: pos[0] }))),
    ...read.flatMap((one) => one.problems),
    ...(mayBeMany ? [] : documents.slice(1, 2).map(secondDocument)),
  ];
  const problems = found.map(({ message, offset }) => ({ path: [], message, ...place(offset) }));
  const isList = documents.length > 1;
  const keys = new KeyOffsets();
  const offsetOf = (path: readonly PathStep[]): number =>
    isList ? keys.offsetOf(documents[Number(path[0] ?? 0)], path.slice(1)) : keys.offsetOf(documents[0], path);
  const values = read.map(({ value }) => value);
  return {
    value: problems.length > 0 ? undefined : isList ? values : (values[0] ?? null),
    problems: sorted(problems),
    locate: (list) => sorted(list.map((problem) => ({ ...problem, ...place(offsetOf(problem.path)) }))),
  };
}

function compose(tokens: readonly CST.Token[], length: number, mayBeMany: boolean): Document[] {
  const documents = [...new Composer({ ...YAML_1_2, prettyErrors: false }).compose(tokens, true, length)];
  return mayBeMany ? filled(documents) : documents;
}

function secondDocument({ range }: Document): YamlProblem {
  return { message: 'a second document begins here: use one document, which may be a list', offset: range?.[0] ?? 0 };
}

/** Removes empty documents, such as the one after a separator at the end of a file. */
function filled(documents: readonly Document[]): Document[] {
  const isEmpty = ({ contents }: Document): boolean =>
    contents === null || (isScalar(contents) && contents.value === null && contents.source === '');
  return documents.filter((one) => !isEmpty(one) || one.errors.length > 0);
}
