import { thousands } from '../base/count-text.js';
import { serverAddress } from '../bootstrap/target.js';
import type { Cause, CauseCode, Verdict, VerdictWord } from '../inspect/verdict/verdict.js';
import { visibleMessage } from './visible-text.js';
import { isGoodState, type StateCounts, worstStatesFirst } from './worst-first.js';

/** The contents of line 1. */
export interface ShownVerdict extends Pick<Verdict, 'target' | 'verdict'> {
  cause: Pick<Cause, 'code' | 'message' | 'resource'> | null;
  /** The reason of the verdict `unknown`. */
  reason?: string;
}

/** Line 1 after the target: the verdict, then its cause. */
export interface VerdictHead {
  /** The verdict in capitals, which is coloured. */
  word: string;
  /** The rest of the line, with its separator. */
  tail: string;
}

export const VERDICT_WORDS: Record<VerdictWord, string> = {
  ok: 'OK',
  partly: 'PARTLY',
  fails: 'FAILS',
  waiting: 'WAITING',
  unknown: 'UNKNOWN',
};

/** Causes that are not a current problem. */
const HARMLESS: ReadonlySet<CauseCode> = new Set(['config-tear']);

/**
 * The verdict, in the same words in every view: `FAILS  no listener "inventory"; …`, `OK, on the fallback server …`. If
 * RPCs work, it also counts resources with errors that the cause does not name.
 */
export function verdictHead(facts: ShownVerdict, counts: StateCounts = {}): VerdictHead {
  const { verdict, cause } = facts;
  const word = VERDICT_WORDS[verdict];
  if (cause === null) {
    const also = alsoText(verdict, counts, undefined);
    return { word, tail: also === '' ? `  ${plainText(facts)}` : `, but  ${also.slice(2)}` };
  }
  const text = `${visibleMessage(cause.message)}${alsoText(verdict, counts, cause.resource)}`;
  if (verdict !== 'ok' || HARMLESS.has(cause.code)) return { word, tail: `  ${text}` };
  return { word, tail: cause.code === 'on-fallback' ? `, ${text}` : `, but  ${text}` };
}

/** The text of a verdict without a cause. */
function plainText({ target, verdict, reason }: ShownVerdict): string {
  switch (verdict) {
    case 'ok':
      return serverAddress(target) === undefined
        ? 'every route finds a usable endpoint'
        : 'the listener has a usable filter chain';
    case 'waiting':
      return 'the configuration is incomplete';
    case 'unknown':
      return visibleMessage(reason ?? 'CSDS does not show the contents of its resources');
    default:
      return 'RPCs fail';
  }
}

/** `; 1 NACKED` if RPCs work; a resource that the cause names is not counted again. */
function alsoText(verdict: VerdictWord, counts: StateCounts, named: object | null | undefined): string {
  if (verdict !== 'ok') return '';
  const bad = worstStatesFirst(counts).filter(([state]) => !isGoodState(state));
  const total = bad.reduce((sum, [, count]) => sum + count, 0);
  if (total === 0 || (named !== undefined && named !== null && total === 1)) return '';
  return `; ${bad.map(([state, count]) => `${thousands(count)} ${state}`).join(', ')}`;
}
