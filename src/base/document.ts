import { Composer, type CST, type Document, isScalar, LineCounter, Parser } from 'yaml';
import type { JsonNode } from './json/node.js';
import { keyOffsetOf, LineIndex, type Position } from './json/position.js';
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

/** The YAML package needs gigabytes for more. JSON has a reader of its own, which needs much less. */
const MAX_YAML_CHARACTERS = 16 * 1024 * 1024;

/** The most errors between the parts of a file. After them the rest of the file is not read. */
const MAX_STREAM_ERRORS = 1000;

/** Directives do not change the rules: YAML 1.1 would merge `<<` and read `on` as true. Duplicate keys: see yamlValue. */
const YAML_1_2 = { schema: 'core', merge: false, uniqueKeys: false, stringKeys: true, intAsBigInt: true } as const;

/** Parses YAML 1.2, which includes JSON. Integers become BigInts if a double would lose precision. */
export function parseSource(text: string): SourceDocument {
  return parse(text, false);
}

/** Parses a file that may contain several YAML documents, which become a list. */
export function parseSources(text: string): SourceDocument {
  return parse(text, true);
}

function parse(text: string, mayBeMany: boolean): SourceDocument {
  const json = /^\s*[{[]/.test(text) ? parseJson(text) : undefined;
  // Text that is not JSON may still be YAML.
  const isFinal = json !== undefined && (json.problems.length === 0 || text.length > MAX_YAML_CHARACTERS);
  return isFinal ? json : parseYaml(text, mayBeMany);
}

/** Parses JSON with its own reader, which is much faster than the YAML parser. */
function parseJson(text: string): SourceDocument {
  const bytes = new TextEncoder().encode(text);
  const read = readJson(bytes);
  const lines = new LineIndex(bytes);
  if (!read.ok) return refused(read.message, lines.positionOf(read.offset));
  const { root } = read;
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
  if (text.length > MAX_YAML_CHARACTERS) return refused(TOO_LARGE, START);
  const lines = new LineCounter();
  const pairs = new SurrogatePairs(text);
  const place = (offset: number): { line: number; column: number } => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(1, line), column: Math.max(1, col - pairs.countIn(offset - col + 1, offset)) };
  };
  const tokens = firstTokens(new Parser(lines.addNewLine).parse(text));
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

/** Counts characters that are two code units, since columns count characters. */
class SurrogatePairs {
  readonly #text: string;
  #offsets: readonly number[] | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  /** The pairs that begin from `start` to before `end`. */
  countIn(start: number, end: number): number {
    this.#offsets ??= [...this.#text.matchAll(/[\ud800-\udbff][\udc00-\udfff]/g)].map(({ index }) => index);
    return this.#before(end) - this.#before(start);
  }

  #before(offset: number): number {
    const offsets = this.#offsets ?? [];
    let [low, high] = [0, offsets.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((offsets[middle] as number) < offset) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

const TOO_LARGE = 'YAML is read up to 16 MiB: convert it to JSON, or split it into several files';
const START: Position = { line: 1, column: 1 };

/** A text that has no value, for one reason. */
function refused(message: string, position: Position): SourceDocument {
  return {
    value: undefined,
    problems: [{ path: [], message, ...position }],
    locate: (list) => list.map((problem) => ({ ...problem, ...START })),
  };
}

/** Returns the tokens up to the first 1,000 errors. */
function firstTokens(tokens: Iterable<CST.Token>): CST.Token[] {
  const first: CST.Token[] = [];
  let errors = 0;
  for (const token of tokens) {
    if (token.type === 'error' && ++errors > MAX_STREAM_ERRORS) {
      // The package appends the source, if there is one.
      first.push({ ...token, source: '', message: 'More errors follow: the rest of the file was not read' });
      break;
    }
    first.push(token);
  }
  return first;
}

function compose(tokens: readonly CST.Token[], length: number, mayBeMany: boolean): Document[] {
  const { stackTraceLimit } = Error;
  // A file may have an error in every character. The package creates an Error for each, and nobody reads its stack trace.
  Error.stackTraceLimit = 0;
  try {
    const documents = [...new Composer({ ...YAML_1_2, prettyErrors: false }).compose(tokens, true, length)];
    return mayBeMany ? filled(documents) : documents;
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
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
