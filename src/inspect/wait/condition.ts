import type { What } from '../expect/expectations.js';

/** What can be waited for. */
export type Waited = Extract<What, { kind: 'verdict' | 'acked' | 'stable' | 'status' | 'version' | 'endpoints' }>;

/** An expectation as `--until` spells it; `text` is how it was typed. */
export type Condition = { text: string } & Waited;
