import { getOrAdd } from '../../base/get-or-add.js';
import { align } from './align.js';
import type { Comparison } from './comparison.js';
import type { ElementMatch } from './element-match.js';
import type { ListRule, Rule } from './rule.js';
import { pairSimilar } from './similar.js';

/** The elements of an ordered list that are not in the same place in the other one. */
export interface OrderedMatches {
  matches: ElementMatch[];
  /** False if a smaller set of changes may exist. */
  isExact: boolean;
}

/**
 * Aligns two ordered lists: equal elements first, then changed elements between them. An equal element that has no
 * partner in order has moved; so has a filter with the same name.
 */
export function matchOrdered(
  before: readonly unknown[],
  after: readonly unknown[],
  rule: Rule,
  comparison: Comparison,
): OrderedMatches {
  const list = new OrderedMatching(before, after, rule, comparison);
  return { matches: list.matches(), isExact: list.isExact };
}

class OrderedMatching {
  isExact = true;
  readonly #sides: readonly [readonly unknown[], readonly unknown[]];
  readonly #rule: ListRule | undefined;
  readonly #elements: Rule;
  readonly #comparison: Comparison;
  readonly #ids: readonly [number[], number[]];
  /** Alignments have ties. Resolving them in the same direction makes the difference of b and a mirror that of a and b. */
  readonly #isSwapped: boolean;
  /** Of each element before, its partner after, and whether the pair is out of order. */
  readonly #partner: Int32Array;
  readonly #reverse: Int32Array;
  readonly #moved = new Set<number>();

  constructor(before: readonly unknown[], after: readonly unknown[], rule: Rule, comparison: Comparison) {
    this.#rule = rule.kind === 'list' ? rule : undefined;
    this.#elements = rule.kind === 'list' ? rule.elements : rule;
    this.#comparison = comparison;
    this.#sides = [before, after];
    this.#ids = [this.#identify(before), this.#identify(after)];
    this.#isSwapped = comesLater(this.#ids[0], this.#ids[1], comparison);
    this.#partner = this.#align(this.#ids[0], this.#ids[1]);
    this.#reverse = new Int32Array(after.length).fill(-1);
    this.#partner.forEach((j, i) => {
      if (j >= 0) this.#reverse[j] = i;
    });
  }

  matches(): ElementMatch[] {
    this.#pairMoved((side, index) => String((this.#ids[side] as number[])[index]));
    this.#pairGaps();
    const [key] = this.#rule?.isStrict === true ? this.#rule.keys : [];
    if (key !== undefined) this.#pairMoved((side, index) => key(this.#sides[side]?.[index], this.#identifyOne));
    return this.#inOrder();
  }

  #identify(list: readonly unknown[]): number[] {
    return list.map((one) => this.#comparison.identities.of(one, this.#elements));
  }

  readonly #identifyOne = (value: unknown): number => this.#comparison.identify(value);

  #align(before: readonly number[], after: readonly number[]): Int32Array {
    const [a, b] = this.#isSwapped ? [after, before] : [before, after];
    const { partner, isComplete } = align(a, b, this.#comparison.budget);
    if (!isComplete) this.isExact = false;
    if (!this.#isSwapped) return partner;
    const reversed = new Int32Array(before.length).fill(-1);
    partner.forEach((j, i) => {
      if (j >= 0) reversed[j] = i;
    });
    return reversed;
  }

  #pair(i: number, j: number): void {
    this.#partner[i] = j;
    this.#reverse[j] = i;
  }

  /** Pairs elements that are still alone, wherever they are, by a key. */
  #pairMoved(keyOf: (side: 0 | 1, index: number) => string | undefined): void {
    const waiting = new Map<string, number[]>();
    this.#partner.forEach((j, i) => {
      const key = j < 0 ? keyOf(0, i) : undefined;
      if (key !== undefined) getOrAdd(waiting, key, () => []).push(i);
    });
    for (const indexes of waiting.values()) indexes.reverse();
    if (waiting.size === 0) return;
    this.#reverse.forEach((partner, j) => {
      const key = partner < 0 ? keyOf(1, j) : undefined;
      const i = key === undefined ? undefined : waiting.get(key)?.pop();
      if (i === undefined) return;
      this.#pair(i, j);
      this.#moved.add(i);
    });
  }

  /** Pairs changed elements between two pairs that are in order. */
  #pairGaps(): void {
    const [before, after] = this.#sides;
    let [i, j] = [0, 0];
    while (i < before.length || j < after.length) {
      const gap: [number[], number[]] = [[], []];
      for (; i < before.length && !this.#isInOrder(i); i++) if ((this.#partner[i] as number) < 0) gap[0].push(i);
      const end = i < before.length ? (this.#partner[i] as number) : after.length;
      for (; j < end; j++) if ((this.#reverse[j] as number) < 0) gap[1].push(j);
      this.#pairGap(gap[0], gap[1]);
      i++;
      j++;
    }
  }

  #isInOrder(i: number): boolean {
    return (this.#partner[i] as number) >= 0 && !this.#moved.has(i);
  }

  #pairGap(before: readonly number[], after: readonly number[]): void {
    if (before.length === 0 || after.length === 0) return;
    const [a, b] = [before.map((i) => this.#sides[0][i]), after.map((j) => this.#sides[1][j])];
    const [left, right] = this.#isSwapped ? [b, a] : [a, b];
    const { pairs, isExact } = pairSimilar(left, right, this.#rule, this.#elements, this.#comparison);
    if (!isExact) this.isExact = false;
    for (const [x, y] of pairs) {
      const [i, j] = this.#isSwapped ? [y, x] : [x, y];
      this.#pair(before[i] as number, after[j] as number);
    }
  }

  /** What differs, in the order of the list after; removed elements stand before those that took their place. */
  #inOrder(): ElementMatch[] {
    const [before, after] = this.#sides;
    const matches: ElementMatch[] = [];
    let [i, j] = [0, 0];
    while (i < before.length || j < after.length) {
      for (; i < before.length && !this.#isInOrder(i); i++)
        if ((this.#partner[i] as number) < 0) matches.push({ before: i, after: undefined });
      const end = i < before.length ? (this.#partner[i] as number) : after.length;
      for (; j < end; j++) matches.push(this.#newPlace(j));
      if (i < before.length && this.#ids[0][i] !== this.#ids[1][j]) matches.push({ before: i, after: j });
      i++;
      j++;
    }
    return matches;
  }

  #newPlace(j: number): ElementMatch {
    const i = this.#reverse[j] as number;
    return i < 0 ? { before: undefined, after: j } : { before: i, after: j, isMoved: true };
  }
}

/** Whether the first list comes after the second in an order that depends only on their contents. */
function comesLater(a: readonly number[], b: readonly number[], { identities }: Comparison): boolean {
  if (a.length !== b.length) return a.length > b.length;
  const at = a.findIndex((id, index) => id !== b[index]);
  return at >= 0 && identities.hash(a[at] as number) > identities.hash(b[at] as number);
}
