import type { EndpointResource } from '../resources/endpoint.js';

/**
 * A74: the numbers of the children of the priority policy. A priority keeps the child of one of its localities, even if the
 * order of priorities changes, so that connections survive.
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

/** The name that gRPC gives to such a child. */
export function childName(cluster: string, number: number): string {
  return `{cluster=${cluster}, child_number=${number}}`;
}
