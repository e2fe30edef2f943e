import type { ElementMatch } from './element-match.js';
import type { ElementStep } from './path.js';
import type { ElementLabel, Rule } from './rule.js';

/** Finds texts for the elements of two lists: the shortest label that only one element has. */
export class ElementLabels {
  readonly #before: readonly unknown[];
  readonly #after: readonly unknown[];
  readonly #labels: readonly { labelOf: ElementLabel; repeated: ReadonlySet<string> }[];

  constructor(before: readonly unknown[], after: readonly unknown[], rule: Rule) {
    this.#before = before;
    this.#after = after;
    this.#labels = (rule.kind === 'list' ? rule.labels : []).map((labelOf) => ({
      labelOf,
      repeated: new Set([...repeatedIn(before, labelOf), ...repeatedIn(after, labelOf)]),
    }));
  }

  step({ before, after }: ElementMatch): ElementStep {
    const element = after === undefined ? this.#before[before as number] : this.#after[after];
    let last: string | undefined;
    for (const { labelOf, repeated } of this.#labels) {
      last = labelOf(element);
      if (last !== undefined && !repeated.has(last)) return { before, after, label: last };
    }
    if (last === undefined) return { before, after };
    return { before, after, label: `${last}, index ${after ?? before}` };
  }
}

function repeatedIn(list: readonly unknown[], labelOf: ElementLabel): string[] {
  const seen = new Set<string>();
  return list.flatMap((element) => {
    const label = labelOf(element);
    if (label === undefined || !seen.has(label)) {
      if (label !== undefined) seen.add(label);
      return [];
    }
    return [label];
  });
}
