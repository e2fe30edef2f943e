import type { Outcome } from '../outcome.js';

/** What an LB policy reports to its parent when its connections have settled. */
export interface LbState {
  /** READY or IDLE. */
  isUsable: boolean;
  /** IDLE: it connects when it is asked for an endpoint, and reports `picks` then. */
  isIdle?: boolean;
  /** What its picker does with an RPC, with how often it does; the shares add up to 1. */
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

/** R9.13 (A56): the priority policy takes the first child that is usable; if none is, the last one fails the RPC. */
export function firstUsable(children: readonly LbState[]): LbState | undefined {
  return children.find(({ isUsable }) => isUsable) ?? children.at(-1);
}
