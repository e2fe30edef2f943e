import { type CST, type Document, isAlias, isMap, isScalar, isSeq, type Node, type Scalar, type YAMLMap } from 'yaml';
import type { PathStep } from './problem.js';

/** As deep as C-core reads JSON. */
const MAX_DEPTH = 255;

/** The most values that aliases may repeat, against files that grow when they are read. */
const MAX_REPEATED = 100_000;

const TOO_DEEP = 'nested too deeply';

export interface YamlProblem {
  message: string;
  offset: number;
}

/** A value with the number of values in it, and of levels. */
interface Counted {
  value: unknown;
  size: number;
  height: number;
}

/** Finds a part that is nested too deeply. The YAML package would overflow its stack on it. */
export function tooDeep(tokens: Iterable<CST.Token>): YamlProblem | undefined {
  const open = [...tokens].map((token) => ({ token, depth: 0 }));
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { token, depth } = next;
    if (depth > MAX_DEPTH) return { message: TOO_DEEP, offset: token.offset };
    if (token.type === 'document' && token.value !== undefined) open.push({ token: token.value, depth });
    if (!('items' in token)) continue;
    for (const { key, value } of token.items as CST.CollectionItem[])
      for (const inner of [key, value]) if (inner) open.push({ token: inner, depth: depth + 1 });
  }
  return undefined;
}

/** Stops the conversion of a document. */
class Stop {
  readonly problem: YamlProblem;
  constructor(message: string, offset: number) {
    this.problem = { message, offset };
  }
}

/**
 * Converts a document to plain values in one pass. The YAML package compares every key of a mapping with all others, and
 * searches the whole document for each alias: work that grows with the square of the size.
 */
export function yamlValue({ contents }: Document): { value: unknown; problems: YamlProblem[] } {
  const converter = new Converter();
  try {
    const { value } = converter.convert(contents as Node | null, 0);
    return { value, problems: converter.problems };
  } catch (error) {
    if (!(error instanceof Stop)) throw error;
    return { value: undefined, problems: [...converter.problems, error.problem] };
  }
}

class Converter {
  readonly problems: YamlProblem[] = [];
  /** The last value of each anchor; undefined while the value is read. */
  readonly #anchors = new Map<string, Counted | undefined>();
  #repeated = 0;

  convert(node: Node | null, depth: number): Counted {
    if (isAlias(node)) return this.#repeat(node.source, node.range?.[0] ?? 0, depth);
    const anchor = isScalar(node) || isMap(node) || isSeq(node) ? node.anchor : undefined;
    if (anchor !== undefined) this.#anchors.set(anchor, undefined);
    const counted = this.#plain(node, depth);
    if (anchor !== undefined) this.#anchors.set(anchor, counted);
    return counted;
  }

  #plain(node: Node | null, depth: number): Counted {
    if (isMap(node)) return this.#mapping(node, depth);
    if (isSeq(node)) {
      const items = node.items.map((item) => this.convert(item as Node | null, depth + 1));
      return { value: items.map(({ value }) => value), ...measured(items) };
    }
    return { value: isScalar(node) ? safeInteger(node.value) : null, size: 1, height: 0 };
  }

  #mapping(map: YAMLMap, depth: number): Counted {
    const fields = new Map<string, Counted>();
    for (const { key, value } of map.items) {
      const name = keyOf(key);
      if (fields.has(name)) this.problems.push({ message: 'Map keys must be unique', offset: offsetOfKey(key) });
      // An anchor of a key is for later aliases; keys are not counted.
      if (isScalar(key) && key.anchor !== undefined) this.convert(key, depth + 1);
      fields.set(name, this.convert(value as Node | null, depth + 1));
    }
    const entries = [...fields].map(([name, { value }]) => [name, value] as const);
    return { value: Object.fromEntries(entries), ...measured([...fields.values()]) };
  }

  #repeat(anchor: string, offset: number, depth: number): Counted {
    if (!this.#anchors.has(anchor))
      throw new Stop(`Unresolved alias (the anchor must be set before the alias): ${anchor}`, offset);
    const counted = this.#anchors.get(anchor);
    if (counted === undefined) throw new Stop(`the alias *${anchor} is part of the value that it repeats`, offset);
    this.#repeated += counted.size;
    if (this.#repeated > MAX_REPEATED) throw new Stop(`aliases repeat more than ${MAX_REPEATED} values`, offset);
    if (depth + counted.height > MAX_DEPTH) throw new Stop(TOO_DEEP, offset);
    return counted;
  }
}

function measured(items: readonly Counted[]): { size: number; height: number } {
  let [size, height] = [1, 1];
  for (const item of items) {
    size += item.size;
    height = Math.max(height, item.height + 1);
  }
  return { size, height };
}

function keyOf(key: unknown): string {
  const value = isScalar(key) ? key.value : key;
  return value === null || value === undefined ? '' : String(value);
}

function offsetOfKey(key: unknown): number {
  return (key as Scalar | null)?.range?.[0] ?? 0;
}

/** Large integers stay BigInts, because a double would lose precision. */
export function safeInteger(value: unknown): unknown {
  return typeof value === 'bigint' && Number.isSafeInteger(Number(value)) ? Number(value) : value;
}

/** Finds the offsets of keys. Remembers the keys of each mapping, because a large mapping may have many problems. */
export class KeyOffsets {
  readonly #maps = new WeakMap<YAMLMap, Map<string, YAMLMap['items'][number]>>();

  /** Returns the offset of the key at a path, or of its nearest existing parent. */
  offsetOf(document: Document | undefined, path: readonly PathStep[]): number {
    let node = document?.contents as Node | null | undefined;
    let offset = node?.range?.[0] ?? 0;
    for (const step of path) {
      const child = this.#childOf(node, step);
      if (child === undefined) break;
      offset = child.offset ?? offset;
      node = child.node;
    }
    return offset;
  }

  #childOf(
    node: Node | null | undefined,
    step: PathStep,
  ): { offset: number | undefined; node: Node | null | undefined } | undefined {
    if (isSeq(node) && typeof step === 'number' && step in node.items) {
      const item = node.items[step] as Node | null;
      return { offset: item?.range?.[0], node: item };
    }
    if (!isMap(node)) return undefined;
    const pair = this.#keysOf(node).get(String(step));
    return pair && { offset: (pair.key as Scalar | null)?.range?.[0], node: pair.value as Node | null };
  }

  #keysOf(map: YAMLMap): Map<string, YAMLMap['items'][number]> {
    let keys = this.#maps.get(map);
    if (keys === undefined) {
      keys = new Map(map.items.map((pair) => [keyOf(pair.key), pair]));
      this.#maps.set(map, keys);
    }
    return keys;
  }
}
