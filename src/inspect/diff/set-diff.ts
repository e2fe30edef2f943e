import type { ComparedResource } from './resource-set.js';

/** The differences between the resources of two sides. */
export interface SetDiff {
  before: DiffSide;
  after: DiffSide;
  /** The number of resources that are equal on both sides. */
  equal: number;
  /** How many of the equal ones were compared by version only, because a side has no contents. */
  equalByVersion: number;
  /** Resources of which a side has neither contents nor a version: it is unknown whether they differ. */
  notCompared: { typeUrl: string; name: string }[];
  /** Resources that differ, by type and name. */
  differences: ResourceDifference[];
  /** Sentences on what the comparison does not show. */
  notes: string[];
}

interface DiffSide {
  label: string;
  /** The number of resources with different names. */
  resources: number;
  notes: readonly string[];
}

export type DifferentFact = 'contents' | 'version' | 'status';

/** A resource that differs. Its changes are computed on demand, so that no decoded resource is kept. */
export interface ResourceDifference {
  typeUrl: string;
  name: string;
  change: 'added' | 'removed' | 'changed';
  /** Undefined if the side does not list the resource. A side may list a resource that it does not have, as rejected. */
  before: ComparedResource | undefined;
  after: ComparedResource | undefined;
  /** What differs between two sides that list the resource. */
  facts: readonly DifferentFact[];
  /** The number of different fields; 0 if the contents do not differ, or are unknown. */
  changes: number;
}
