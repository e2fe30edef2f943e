import { getOrAdd } from '../../base/get-or-add.js';
import { Comparison } from './comparison.js';
import { keysOf } from './identity.js';
import { matchOrdered } from './ordered.js';
import { isObject, type Rule } from './rule.js';
import { elementRule, entryRule, resourceRule, ruleOf } from './schema.js';
import { matchUnordered } from './unordered.js';

/** As in the comparison, values that are nested deeper stay as they are. */
const MAX_DEPTH = 300;

/**
 * Returns the second resource with the order of the first where order does not matter, so that a comparison of both as
 * text shows only differences. Equal parts become those of the first resource.
 */
export function inSameOrder(before: unknown, after: unknown, typeUrl: string): unknown {
  return new Reordering().reorder(before, after, resourceRule(typeUrl), 0);
}

class Reordering {
  readonly #comparison = new Comparison();

  reorder(before: unknown, after: unknown, rule: Rule, depth: number): unknown {
    const { identities } = this.#comparison;
    if (identities.of(before, rule) === identities.of(after, rule)) return before;
    if (depth > MAX_DEPTH) return after;
    if (Array.isArray(before) && Array.isArray(after)) return this.#list(before, after, rule, depth);
    if (isObject(before) && isObject(after)) return this.#object(before, after, ruleOf(after, rule), depth);
    return after;
  }

  #list(before: readonly unknown[], after: readonly unknown[], rule: Rule, depth: number): unknown[] {
    const elements = elementRule(rule);
    const isUnordered = rule.kind === 'list' && !rule.isOrdered;
    const idOf = (element: unknown): number => this.#comparison.identities.of(element, elements);
    const matches = isUnordered
      ? matchUnordered(before, after, rule, this.#comparison)
      : matchOrdered(before, after, rule, this.#comparison).matches;
    const partners = new Map(matches.map((match) => [match.after, match.before]));
    const equal = new Map<number, number[]>();
    // From the end, so that the first of several equal elements is taken first.
    for (let i = before.length - 1; i >= 0; i--) getOrAdd(equal, idOf(before[i]), () => []).push(i);
    const placed = after.map((element, j) => {
      const i = partners.has(j) ? partners.get(j) : equal.get(idOf(element))?.pop();
      return { i, value: i === undefined ? element : this.reorder(before[i], element, elements, depth + 1) };
    });
    // The sort is stable: elements that only the second list has follow in their order.
    if (isUnordered) placed.sort((a, b) => (a.i ?? before.length) - (b.i ?? before.length));
    return placed.map(({ value }) => value);
  }

  #object(before: Record<string, unknown>, after: Record<string, unknown>, rule: Rule, depth: number): unknown {
    const entries = orderedKeys(keysOf(before), keysOf(after)).map((key): [string, unknown] => [
      key,
      Object.hasOwn(before, key) ? this.reorder(before[key], after[key], entryRule(rule, key), depth + 1) : after[key],
    ]);
    return Object.fromEntries(entries);
  }
}

/** Fields are printed in the order of their message, which stays. Keys of a map have no order. */
function orderedKeys(before: readonly string[], after: readonly string[]): readonly string[] {
  const [inBefore, inAfter] = [new Set(before), new Set(after)];
  const [was, is] = [before.filter((key) => inAfter.has(key)), after.filter((key) => inBefore.has(key))];
  if (was.every((key, i) => key === is[i])) return after;
  return [...was, ...after.filter((key) => !inBefore.has(key))];
}
