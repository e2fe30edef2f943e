import type { ShortType } from '../../proto/resource-types.js';
import type { CountRule } from '../expect/count-rule.js';
import type { ExpectedFact } from '../expect/expectations.js';

/** The number of resources of a type. */
export interface CountCondition {
  kind: 'count';
  type: ShortType;
  count: CountRule;
}

/** The expectations that `wait` supports. */
export type WaitedExpectation =
  | Extract<ExpectedFact, { kind: 'verdict' | 'acked' | 'stable' | 'status' | 'version' | 'endpoints' }>
  | CountCondition;

/** An expectation from `--until`; `text` is the typed condition. */
export type WaitCondition = { text: string } & WaitedExpectation;
