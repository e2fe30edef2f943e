import type { What } from '../expect/expectations.js';

/** An expectation as `--until` spells it; `text` is how it was typed. */
export type Condition = { text: string } & Extract<
  What,
  { kind: 'ready' | 'acked' | 'stable' | 'status' | 'version' | 'endpoints' }
>;
