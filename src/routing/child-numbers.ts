import type { EndpointResource } from '../resources/endpoint.js';

/**
 * A74: the children of the priority policy, by number: a priority keeps its child as long as one of its localities was in
 * it before, wherever it has moved, so that connections outlive a change of order.
 */
export function childNumbers(
  { priorities }: EndpointResource,
  before: { numbers: readonly number[]; priorities: EndpointResource['priorities'] } = { numbers: [], priorities: [] },
): number[] {
  const childOf = new Map<string, number>();
  before.priorities.forEach((localities, priority) => {
    for (const { name } of localities) childOf.set(key(name), before.numbers[priority] as number);
  });
  const taken = new Set<number>();
  let next = 0;
  return priorities.map((localities) => {
    const known = localities.map(({ name }) => childOf.get(key(name))).find((n) => n !== undefined && !taken.has(n));
    let number = known;
    if (number === undefined) {
      while (taken.has(next) || before.numbers.includes(next)) next++;
      number = next++;
    }
    taken.add(number);
    return number;
  });
}

function key({ region, zone, subZone }: { region: string; zone: string; subZone: string }): string {
  return JSON.stringify([region, zone, subZone]);
}

/** As gRPC names such a child. */
export function childName(cluster: string, number: number): string {
  return `{cluster=${cluster}, child_number=${number}}`;
}
