import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AlignBudget, type Alignment, align } from '../../../src/inspect/diff/align.js';

/** The length of the longest common subsequence, by the textbook's table. */
function longest(a: readonly number[], b: readonly number[]): number {
  const table = [...Array(a.length + 1)].map(() => new Array<number>(b.length + 1).fill(0));
  const at = (i: number, j: number): number => table[i]?.[j] as number;
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      (table[i] as number[])[j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  return at(0, 0);
}

/** The number of partners, after a check that they are equal and in order. */
function partners(a: readonly number[], b: readonly number[], { partner }: Alignment): number {
  const pairs = [...partner.entries()].filter(([, j]) => j >= 0);
  expect(partner.length).toBe(a.length);
  for (const [i, j] of pairs) expect(a[i]).toBe(b[j]);
  expect(pairs.every(([, j], index) => index === 0 || j > (pairs[index - 1]?.[1] as number))).toBe(true);
  return pairs.length;
}

const numbers = (count: number): number[] => [...Array(count).keys()];
const sequence = fc.array(fc.nat(4), { maxLength: 40 });

describe('alignment of two sequences', () => {
  it('is as long as possible', () => {
    fc.assert(
      fc.property(sequence, sequence, (a, b) => {
        const alignment = align(a, b, new AlignBudget());
        expect(partners(a, b, alignment)).toBe(longest(a, b));
        expect(alignment.isComplete).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });

  it('is valid if no time is left, and says so', () => {
    fc.assert(
      fc.property(sequence, sequence, (a, b) => {
        const alignment = align(a, b, new AlignBudget(0));
        const count = partners(a, b, alignment);
        if (alignment.isComplete) return;
        expect(count).toBeLessThanOrEqual(longest(a, b));
      }),
    );
    expect(align([1, 2, 1, 2], [2, 1, 1, 1, 2, 2, 1], new AlignBudget(0)).isComplete).toBe(false);
  });

  it('counts its work, so that many alignments together are limited', () => {
    const budget = new AlignBudget(1000);
    const isComplete = () => align([1, 2, 3, 4, 1, 2], [4, 3, 2, 1, 2, 1], budget).isComplete;
    expect(isComplete()).toBe(true);
    for (let i = 0; i < 1000; i++) isComplete();
    expect(isComplete()).toBe(false);
  });

  it('ignores any number of elements that only one sequence has', () => {
    const a = numbers(20_000);
    const b = a.map((n) => (n % 2 === 0 ? n : -n));
    const budget = new AlignBudget();
    const before = budget.left;
    const alignment = align(a, b, budget);
    expect(partners(a, b, alignment)).toBe(10_000);
    expect(before - budget.left).toBeLessThan(20_000);
  });

  it('aligns unique elements if there are too many differences', () => {
    // Two halves that change places: the longest alignment has one of them.
    const a = numbers(10_000);
    const b = [...a.slice(4_000), ...a.slice(0, 4_000)];
    const alignment = align(a, b, new AlignBudget());
    expect(partners(a, b, alignment)).toBe(6_000);
    expect(alignment.isComplete).toBe(true);
  });

  it('aligns repeated elements between unique ones', () => {
    const part = (n: number) => [n, -1, -2, -1];
    const a = numbers(4_000).flatMap(part);
    const b = [...numbers(4_000).slice(2_000), ...numbers(2_000)].flatMap((n) => [n, -2, -1]);
    const alignment = align(a, b, new AlignBudget());
    expect(partners(a, b, alignment)).toBeGreaterThanOrEqual(2_000 * 3);
  });
});
