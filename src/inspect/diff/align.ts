/** Which elements of two sequences belong together, in order. */
export interface Alignment {
  /** For each element of the first sequence, the index of its partner in the second; -1 if it has none. */
  partner: Int32Array;
  /** False if the search was cut short: then there may be an alignment with more partners. */
  isComplete: boolean;
}

/** The most insertions and deletions that Myers' algorithm looks for: its memory grows with their square. */
const MAX_EDITS = 1000;

/** Work that several alignments share, so that many lists that are hard to align do not take long in total. */
export class AlignBudget {
  left: number;

  constructor(steps = 20_000_000) {
    this.left = steps;
  }
}

interface Range {
  a: number;
  aEnd: number;
  b: number;
  bEnd: number;
}

/**
 * Aligns two sequences of numbers so that partners are equal. Elements that only one sequence has cost nothing, because
 * they are removed first. The rest is aligned with Myers' algorithm, which finds the longest alignment. If there are too
 * many differences, the elements that occur once in both sequences are aligned first, in n log n, and then what is
 * between them.
 */
export function align(a: readonly number[], b: readonly number[], budget: AlignBudget): Alignment {
  const partner = new Int32Array(a.length).fill(-1);
  const { start, end } = commonEnds(a, b);
  for (let i = 0; i < start; i++) partner[i] = i;
  for (let i = 1; i <= end; i++) partner[a.length - i] = b.length - i;
  const [aMiddle, bMiddle] = [a.slice(start, a.length - end), b.slice(start, b.length - end)];
  const [aCommon, bCommon] = [indexesOfCommon(aMiddle, bMiddle), indexesOfCommon(bMiddle, aMiddle)];
  const left = aCommon.map((i) => aMiddle[i] as number);
  const right = bCommon.map((i) => bMiddle[i] as number);
  const isComplete = alignCommon(left, right, budget, (i, j) => {
    partner[start + (aCommon[i] as number)] = start + (bCommon[j] as number);
  });
  return { partner, isComplete };
}

type OnPair = (i: number, j: number) => void;

function alignCommon(a: readonly number[], b: readonly number[], budget: AlignBudget, onPair: OnPair): boolean {
  const found = myers(a, b, { a: 0, aEnd: a.length, b: 0, bEnd: b.length }, budget);
  for (const [i, j] of found ?? []) onPair(i, j);
  if (found !== undefined) return true;
  let isComplete = true;
  let [from, fromB] = [0, 0];
  for (const [i, j] of [...increasing(uniquePairs(a, b)), [a.length, b.length] as const]) {
    if (!alignRange(a, b, { a: from, aEnd: i, b: fromB, bEnd: j }, budget, onPair)) isComplete = false;
    if (i < a.length) onPair(i, j);
    [from, fromB] = [i + 1, j + 1];
  }
  return isComplete;
}

/** Aligns a range; returns false if only its ends could be aligned in the time that is left. */
function alignRange(
  a: readonly number[],
  b: readonly number[],
  range: Range,
  budget: AlignBudget,
  onPair: OnPair,
): boolean {
  let { a: low, aEnd: high, b: lowB, bEnd: highB } = range;
  while (low < high && lowB < highB && a[low] === b[lowB]) onPair(low++, lowB++);
  while (low < high && lowB < highB && a[high - 1] === b[highB - 1]) onPair(--high, --highB);
  if (low === high || lowB === highB) return true;
  const found = myers(a, b, { a: low, aEnd: high, b: lowB, bEnd: highB }, budget);
  for (const [i, j] of found ?? []) onPair(i, j);
  return found !== undefined;
}

/** Myers, "An O(ND) Difference Algorithm and Its Variations" (1986), the greedy variant. */
function myers(
  a: readonly number[],
  b: readonly number[],
  range: Range,
  budget: AlignBudget,
): [number, number][] | undefined {
  const [n, m] = [range.aEnd - range.a, range.bEnd - range.b];
  const most = Math.min(n + m, MAX_EDITS);
  /** `reached[d][(k + d) / 2]`: how far d edits reach on the diagonal k = x - y. */
  const reached: Int32Array[] = [];
  for (let d = 0; d <= most; d++) {
    const row = new Int32Array(d + 1);
    reached.push(row);
    for (let k = -d; k <= d; k += 2) {
      const from = stepFrom(reached, d, k);
      let x = from.x;
      let y = x - k;
      while (x < n && y < m && a[range.a + x] === b[range.b + y]) {
        x++;
        y++;
      }
      budget.left -= x - from.x + 1;
      row[(k + d) / 2] = x;
      if (x >= n && y >= m) return backtrack(reached, range, d, k);
    }
    if (budget.left <= 0) return undefined;
  }
  return undefined;
}

/** Where the last of d edits on diagonal k leads to, and from which diagonal: the edit takes an element of a or of b. */
function stepFrom(reached: readonly Int32Array[], d: number, k: number): { x: number; previousK: number } {
  if (d === 0) return { x: 0, previousK: 0 };
  const row = reached[d - 1] as Int32Array;
  const [right, down] = [k === -d ? -1 : (row[(k + d - 2) / 2] as number), k === d ? -1 : (row[(k + d) / 2] as number)];
  return k === -d || (k !== d && right < down) ? { x: down, previousK: k + 1 } : { x: right + 1, previousK: k - 1 };
}

function backtrack(reached: readonly Int32Array[], range: Range, edits: number, diagonal: number): [number, number][] {
  const pairs: [number, number][] = [];
  let k = diagonal;
  for (let d = edits; d >= 0; d--) {
    const { x: start, previousK } = stepFrom(reached, d, k);
    for (let x = (reached[d]?.[(k + d) / 2] as number) - 1; x >= start; x--) pairs.push([range.a + x, range.b + x - k]);
    k = previousK;
  }
  return pairs;
}

function commonEnds(a: readonly number[], b: readonly number[]): { start: number; end: number } {
  const shorter = Math.min(a.length, b.length);
  let start = 0;
  while (start < shorter && a[start] === b[start]) start++;
  let end = 0;
  while (end < shorter - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
  return { start, end };
}

function indexesOfCommon(list: readonly number[], other: readonly number[]): number[] {
  const there = new Set(other);
  return list.flatMap((one, index) => (there.has(one) ? [index] : []));
}

/** The positions of elements that occur exactly once in both sequences, in the order of the first one. */
function uniquePairs(a: readonly number[], b: readonly number[]): [number, number][] {
  const [inA, inB] = [uniqueIndexes(a), uniqueIndexes(b)];
  return [...inA].flatMap(([one, i]): [number, number][] => {
    const j = inB.get(one) ?? -1;
    return i < 0 || j < 0 ? [] : [[i, j]];
  });
}

/** The index of each element, -1 if it occurs more than once. */
function uniqueIndexes(list: readonly number[]): Map<number, number> {
  const indexes = new Map<number, number>();
  list.forEach((one, index) => {
    indexes.set(one, indexes.has(one) ? -1 : index);
  });
  return indexes;
}

/** The longest subsequence of pairs in which the second positions increase too (patience sorting). */
function increasing(pairs: readonly [number, number][]): [number, number][] {
  const tails: number[] = [];
  const previous = new Int32Array(pairs.length).fill(-1);
  pairs.forEach(([, j], index) => {
    let [low, high] = [0, tails.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((pairs[tails[middle] as number] as [number, number])[1] < j) low = middle + 1;
      else high = middle;
    }
    if (low > 0) previous[index] = tails[low - 1] as number;
    tails[low] = index;
  });
  const found: [number, number][] = [];
  for (let at = tails.at(-1) ?? -1; at >= 0; at = previous[at] as number) found.push(pairs[at] as [number, number]);
  return found.reverse();
}
