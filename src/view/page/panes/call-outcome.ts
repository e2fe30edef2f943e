import { type CallState, callOutcome } from '../../call-over-time.js';
import type { Explanation } from '../../explain.js';
import type { IconKind } from '../icons.js';

export const CALL_ICONS: Record<CallState, IconKind> = {
  ok: 'ok',
  partly: 'partly',
  fails: 'error',
  waiting: 'waiting',
  unknown: 'unknown',
};

/** What the RPC gets. If no RPC is given, the verdict of the target. */
export function outcomeOf(view: Explanation): { state: CallState; word: string; message: string } {
  if (!view.coversAllCalls) return callOutcome(view);
  const { verdict, cause } = view;
  return { state: verdict, word: verdict.toUpperCase(), message: cause?.message ?? '' };
}
