import { fieldOf, findAll, type LocatedValue, numberOf } from './located-value.js';
import type { Implementation } from './note.js';
import { exceeds, isPresent } from './resource-parts.js';
import { resourceOf, type Subject } from './subject.js';

const UINT32_MAX = 0xffffffff;
const INT32_MAX = 2 ** 31 - 1;

export function localities(subject: Subject): LocatedValue[] {
  return findAll(resourceOf(subject, 'ClusterLoadAssignment'), 'endpoints[]');
}

/** gRPC skips localities without a weight, before or after it has validated their endpoints. */
export function withWeight(subject: Subject): LocatedValue[] {
  return localities(subject).filter(({ value }) => (numberOf(fieldOf(value, 'loadBalancingWeight')) ?? 0) > 0);
}

/** grpc-java reads weights as signed numbers, and skips localities whose weight is not positive. */
export function withPositiveWeight(subject: Subject): LocatedValue[] {
  return withWeight(subject).filter((locality) => !hasNegativeWeight(locality));
}

/** Whether the weight is negative as a signed number of 32 bits. */
export function hasNegativeWeight({ value }: LocatedValue): boolean {
  return exceeds(fieldOf(value, 'loadBalancingWeight'), INT32_MAX);
}

export function withLocality(subject: Subject): LocatedValue[] {
  return localities(subject).filter(({ value }) => isPresent(value, 'locality'));
}

export function duplicateLocalities(localityList: readonly LocatedValue[]): LocatedValue[] {
  const seen = new Set<string>();
  return localityList.filter(({ value }) => {
    const key = JSON.stringify([fieldOf(value, 'locality') ?? {}, priorityOf(value)]);
    const isDuplicate = seen.has(key);
    seen.add(key);
    return isDuplicate;
  });
}

export function hasGap(localityList: readonly LocatedValue[]): boolean {
  const priorities = new Set(localityList.map(({ value }) => priorityOf(value)));
  return [...priorities].some((priority) => priority > 0 && !priorities.has(priority - 1));
}

function exceedsWeightSum(localityList: readonly LocatedValue[]): boolean {
  const sums = new Map<number, number>();
  for (const { value } of localityList) {
    const weight = numberOf(fieldOf(value, 'loadBalancingWeight')) ?? 0;
    sums.set(priorityOf(value), (sums.get(priorityOf(value)) ?? 0) + weight);
  }
  return [...sums.values()].some((sum) => sum > UINT32_MAX);
}

function priorityOf(locality: LocatedValue['value']): number {
  return numberOf(fieldOf(locality, 'priority')) ?? 0;
}

/**
 * Whether an implementation accepts the priorities, names and weights of all localities. C-core drops a locality with an
 * invalid endpoint before it compares localities, so it does not report these problems. The others compare all
 * localities that they do not skip. @grpc/grpc-js-xds has rules for gaps and duplicates (DE11, DE13); Envoy checks none
 * of this.
 */
export function areLocalitiesAccepted(subject: Subject, implementation: Implementation): boolean {
  switch (implementation) {
    case 'grpc-go': {
      const read = withWeight(subject);
      return !hasGap(read) && duplicateLocalities(read).length === 0 && !exceedsWeightSum(read);
    }
    case 'grpc-java': {
      const read = withPositiveWeight(subject);
      return !hasGap(read) && duplicateLocalities(read).length === 0;
    }
    case 'grpc-js-xds':
      return !exceedsWeightSum(localities(subject));
    case 'envoy':
      return true;
  }
}
