import type { ExpectedFact } from '../expect/expectations.js';

/** The expectations that `wait` supports. */
export type WaitedExpectation = Extract<
  ExpectedFact,
  { kind: 'verdict' | 'acked' | 'stable' | 'status' | 'version' | 'endpoints' }
>;

/** An expectation from `--until`; `text` is the typed condition. */
export type WaitCondition = { text: string } & WaitedExpectation;
