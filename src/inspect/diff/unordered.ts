import { getOrAdd } from '../../base/get-or-add.js';
import type { Comparison } from './comparison.js';
import type { ElementMatch } from './element-match.js';
import type { ListRule } from './rule.js';

/** The elements that differ between two lists whose order does not matter. */
export function matchUnordered(
  before: readonly unknown[],
  after: readonly unknown[],
  { elements, keys }: ListRule,
  comparison: Comparison,
): ElementMatch[] {
  const idOf = (element: unknown): string => String(comparison.identities.of(element, elements));
  const identify = (value: unknown): number => comparison.identify(value);
  const partners = new Map<number, number>();
  // Equal elements do not count as a difference, however often they occur; only surplus ones remain.
  let left = pairBy(idOf, before, after, { before: [...before.keys()], after: [...after.keys()] }, () => {});
  const onPair = (i: number, j: number): void => void partners.set(i, j);
  for (const key of keys) left = pairBy((element) => key(element, identify), before, after, left, onPair);
  const hasNoKey = (element: unknown): '' | undefined =>
    keys.every((key) => key(element, identify) === undefined) ? '' : undefined;
  left = pairBy(hasNoKey, before, after, left, onPair);
  const removed = new Set(left.before);
  const differing = [...partners.keys(), ...removed].sort((i, j) => i - j);
  return [
    ...differing.map((i): ElementMatch => ({ before: i, after: partners.get(i) })),
    ...left.after.map((j): ElementMatch => ({ before: undefined, after: j })),
  ];
}

interface Unpaired {
  before: readonly number[];
  after: readonly number[];
}

/** Pairs elements with the same key, those with a repeated key in their order. Returns the elements without a partner. */
function pairBy(
  keyOf: (element: unknown) => string | undefined,
  before: readonly unknown[],
  after: readonly unknown[],
  unpaired: Unpaired,
  onPair: (i: number, j: number) => void,
): Unpaired {
  const waiting = new Map<string, number[]>();
  for (const j of [...unpaired.after].reverse()) {
    const key = keyOf(after[j]);
    if (key !== undefined) getOrAdd(waiting, key, () => []).push(j);
  }
  const paired = new Set<number>();
  const alone = unpaired.before.filter((i) => {
    const key = keyOf(before[i]);
    const j = key === undefined ? undefined : waiting.get(key)?.pop();
    if (j === undefined) return true;
    paired.add(j);
    onPair(i, j);
    return false;
  });
  return { before: alone, after: unpaired.after.filter((j) => !paired.has(j)) };
}
