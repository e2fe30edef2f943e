import type { ExpectedFact } from '../expect/expectations.js';

/** What can be waited for. */
export type WaitedExpectation = Extract<
  ExpectedFact,
  { kind: 'verdict' | 'acked' | 'stable' | 'status' | 'version' | 'endpoints' }
>;

/** An expectation as `--until` spells it; `text` is how it was typed. */
export type WaitCondition = { text: string } & WaitedExpectation;
