import type { Outcome } from '../outcome.js';

/** The state that an LB policy reports to its parent when its connections are established or have failed. */
export interface LbState {
  /** READY or IDLE. */
  isUsable: boolean;
  /** IDLE: it connects on the first pick, and then has these `picks`. */
  isIdle?: boolean;
  /** The outcomes of its picker; the shares add up to 1. */
  picks: readonly Pick[];
}

export interface Pick {
  share: number;
  outcome: Outcome;
}

/** READY, with one outcome for every RPC. */
export function ready(outcome: Outcome): LbState {
  return { isUsable: true, picks: [{ share: 1, outcome }] };
}

/** TRANSIENT_FAILURE. */
export function failing(outcome: Outcome): LbState {
  return { isUsable: false, picks: [{ share: 1, outcome }] };
}

/** R9.13 (A56): the priority policy uses the first usable child; if there is none, the last child fails the RPC. */
export function firstUsable(children: readonly LbState[]): LbState | undefined {
  return children.find(({ isUsable }) => isUsable) ?? children.at(-1);
}
