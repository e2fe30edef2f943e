import { align } from './align.js';
import type { Comparison } from './comparison.js';
import { keysOf } from './identity.js';
import { isObject, type ListRule, type Rule } from './rule.js';
import { entryRule, ruleOf } from './schema.js';

/** Gaps with more combinations than this are compared index by index. */
const MAX_COMBINATIONS = 4096;

/** Values without fields, and messages with one field, are the same element only if there is no better partner. */
const SAME_SHAPE = 0.1;

interface SimilarPairs {
  /** Indexes in both lists; both increase. */
  pairs: [number, number][];
  isExact: boolean;
}

type Elements = readonly unknown[];

/**
 * Pairs elements that are probably the same element with another content: by the keys of the list, then by the number of
 * equal fields. Elements that remain are additions and removals.
 */
export function pairSimilar(
  a: Elements,
  b: Elements,
  rule: ListRule | undefined,
  elements: Rule,
  comparison: Comparison,
): SimilarPairs {
  const similarity = new Similarity(elements, comparison);
  const keys = rule?.keys ?? [];
  const result: SimilarPairs = { pairs: [], isExact: true };
  const pairRange = (range: [number, number, number, number], depth: number): void => {
    const [low, high, lowB, highB] = range;
    if (low >= high || lowB >= highB) return;
    const key = keys[depth];
    if (key === undefined) {
      if (rule?.isStrict === true) return;
      const isSmall = (high - low) * (highB - lowB) <= MAX_COMBINATIONS;
      const pair = isSmall ? bestPairs : pairsByIndex;
      if (!isSmall) result.isExact = false;
      const found = pair(a.slice(low, high), b.slice(lowB, highB), similarity);
      for (const [i, j] of found) result.pairs.push([low + i, lowB + j]);
      return;
    }
    // Elements without a key get numbers that no other element has, so that they are not aligned.
    const numbers = new Map<string, number>();
    let alone = -1;
    const numberOf = (element: unknown): number => {
      const text = key(element, (value) => comparison.identify(value));
      if (text === undefined) return alone--;
      if (!numbers.has(text)) numbers.set(text, numbers.size);
      return numbers.get(text) as number;
    };
    const [left, right] = [a.slice(low, high).map(numberOf), b.slice(lowB, highB).map(numberOf)];
    const { partner, isComplete } = align(left, right, comparison.budget);
    if (!isComplete) result.isExact = false;
    let [from, fromB] = [low, lowB];
    partner.forEach((j, i) => {
      if (j < 0) return;
      pairRange([from, low + i, fromB, lowB + j], depth + 1);
      result.pairs.push([low + i, lowB + j]);
      [from, fromB] = [low + i + 1, lowB + j + 1];
    });
    pairRange([from, high, fromB, highB], depth + 1);
  };
  pairRange([0, a.length, 0, b.length], 0);
  return result;
}

/** The pairs in order with the greatest sum of similarities. */
function bestPairs(a: Elements, b: Elements, similarity: Similarity): [number, number][] {
  const width = b.length + 1;
  const best = new Float64Array((a.length + 1) * width);
  const at = (i: number, j: number): number => best[i * width + j] as number;
  const withPair = (i: number, j: number): number => {
    const score = similarity.of(a[i], b[j]);
    return score === 0 ? -1 : score + at(i + 1, j + 1);
  };
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--) best[i * width + j] = Math.max(withPair(i, j), at(i + 1, j), at(i, j + 1));
  const pairs: [number, number][] = [];
  let [i, j] = [0, 0];
  while (i < a.length && j < b.length) {
    if (at(i, j) === withPair(i, j)) pairs.push([i++, j++]);
    else if (at(i, j) === at(i + 1, j)) i++;
    else j++;
  }
  return pairs;
}

function pairsByIndex(a: Elements, b: Elements, similarity: Similarity): [number, number][] {
  return a
    .slice(0, b.length)
    .flatMap((one, index): [number, number][] => (similarity.of(one, b[index]) > 0 ? [[index, index]] : []));
}

class Similarity {
  readonly #rule: Rule;
  readonly #comparison: Comparison;
  readonly #fields = new Map<object, Map<string, number>>();

  constructor(rule: Rule, comparison: Comparison) {
    this.#rule = rule;
    this.#comparison = comparison;
  }

  /** The number of equal fields; 0 if one element cannot have become the other. */
  of(a: unknown, b: unknown): number {
    if (!isObject(a) || !isObject(b))
      return isObject(a) === isObject(b) && Array.isArray(a) === Array.isArray(b) ? SAME_SHAPE : 0;
    const [inA, inB] = [this.#fieldsOf(a), this.#fieldsOf(b)];
    if (inA.get('@type') !== inB.get('@type')) return 0;
    let equal = 0;
    for (const [name, id] of inA) if (name !== '@type' && inB.get(name) === id) equal++;
    return equal === 0 && Math.max(inA.size, inB.size) > 1 ? 0 : equal + SAME_SHAPE;
  }

  #fieldsOf(element: Record<string, unknown>): Map<string, number> {
    const known = this.#fields.get(element);
    if (known !== undefined) return known;
    const rule = ruleOf(element, this.#rule);
    const { identities } = this.#comparison;
    const fields = new Map(
      keysOf(element).map((key) => [key, identities.of(element[key], entryRule(rule, key))] as const),
    );
    this.#fields.set(element, fields);
    return fields;
  }
}
