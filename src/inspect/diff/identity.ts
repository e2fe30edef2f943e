import { isObject, type Rule } from './rule.js';
import { elementRule, entryRule, ruleOf } from './schema.js';

/** A list or an object of which the parts are being numbered. */
interface Frame {
  value: object;
  rule: Rule;
  /** Names of the entries; `undefined` for a list. */
  names: string[] | undefined;
  partRule: (index: number) => Rule;
  parts: readonly unknown[];
  ids: number[];
}

/**
 * Numbers values: two values have the same number if they are equal, where the order of unordered lists and of keys does
 * not matter. Comparing two values then takes constant time, however large they are. Nothing recurses, so that deeply
 * nested values do not exhaust the stack.
 */
export class Identities {
  readonly #texts = new Map<string, number>();
  /** Numbers of all other values, by a text that describes them in terms of the numbers of their parts. */
  readonly #ids = new Map<string, number>();
  readonly #hashes: number[] = [];
  /** By rule, because two places with different rules may share an object. */
  readonly #known = new Map<Rule, Map<object, number>>();
  /** Whether the printer has left out a part of some value. */
  hasOmissions = false;

  of(value: unknown, rule: Rule): number {
    const simple = this.#simple(value, rule);
    if (simple !== undefined) return simple;
    const stack = [this.#open(value as object, rule)];
    for (;;) {
      const frame = stack.at(-1) as Frame;
      if (frame.ids.length === frame.parts.length) {
        const id = this.#close(frame);
        stack.pop();
        const parent = stack.at(-1);
        if (parent === undefined) return id;
        parent.ids.push(id);
        continue;
      }
      const part = frame.parts[frame.ids.length];
      const partRule = frame.partRule(frame.ids.length);
      const id = this.#simple(part, partRule);
      if (id === undefined) stack.push(this.#open(part as object, partRule));
      else frame.ids.push(id);
    }
  }

  /** A number that depends only on the value, and not on the values that were numbered before. Collisions are possible. */
  hash(id: number): number {
    return this.#hashes[id] as number;
  }

  /** The number of a value that has no parts, or that has a number already. */
  #simple(value: unknown, rule: Rule): number | undefined {
    if (typeof value === 'object' && value !== null) return this.#known.get(rule)?.get(value);
    if (typeof value === 'string') return this.#text(value);
    const text = `${typeof value} ${Object.is(value, -0) ? '-0' : String(value)}`;
    return this.#number(text, () => textHash(text));
  }

  #text(text: string): number {
    const known = this.#texts.get(text);
    if (known !== undefined) return known;
    const id = this.#hashes.push(textHash(text)) - 1;
    this.#texts.set(text, id);
    return id;
  }

  #open(value: object, rule: Rule): Frame {
    let known = this.#known.get(rule);
    if (known === undefined) {
      known = new Map();
      this.#known.set(rule, known);
    }
    // A value that contains itself is not JSON; its inner occurrence counts as a text.
    known.set(
      value,
      this.#number('cycle', () => 0),
    );
    if (!isObject(value)) {
      const elements = elementRule(rule);
      return { value, rule, names: undefined, partRule: () => elements, parts: value as unknown[], ids: [] };
    }
    const own = ruleOf(value, rule);
    const names = keysOf(value).sort();
    if (names.includes('@omitted')) this.hasOmissions = true;
    const partRule = (index: number): Rule => entryRule(own, names[index] as string);
    return { value, rule, names, partRule, parts: names.map((name) => value[name]), ids: [] };
  }

  #close({ value, rule, names, ids }: Frame): number {
    const id = names === undefined ? this.#list(ids, rule) : this.#object(names, ids);
    (this.#known.get(rule) as Map<object, number>).set(value, id);
    return id;
  }

  #list(ids: number[], rule: Rule): number {
    if (rule.kind !== 'list' || rule.isOrdered)
      return this.#number(`[${ids}`, () => ids.reduce((hash, id) => mixed(hash, this.hash(id)), 1));
    const sorted = Int32Array.from(ids).sort();
    return this.#number(`(${sorted}`, () => ids.reduce((sum, id) => (sum + mixed(2, this.hash(id))) | 0, 2));
  }

  #object(names: readonly string[], ids: readonly number[]): number {
    let key = '{';
    names.forEach((name, i) => {
      key += `${this.#text(name)}:${ids[i]},`;
    });
    return this.#number(key, () =>
      names.reduce((hash, name, i) => mixed(mixed(hash, this.hash(this.#text(name))), this.hash(ids[i] as number)), 3),
    );
  }

  #number(key: string, hash: () => number): number {
    const known = this.#ids.get(key);
    if (known !== undefined) return known;
    const id = this.#hashes.push(hash()) - 1;
    this.#ids.set(key, id);
    return id;
  }
}

/** The keys of an object that have a value. */
export function keysOf(value: Record<string, unknown>): string[] {
  return Object.keys(value).filter((key) => value[key] !== undefined);
}

function textHash(text: string): number {
  let hash = 7;
  for (let i = 0; i < text.length; i++) hash = mixed(hash, text.charCodeAt(i));
  return hash;
}

function mixed(hash: number, next: number): number {
  const product = Math.imul(hash ^ next, 0x9e3779b1);
  return ((product ^ (product >>> 15)) + 1) | 0;
}
