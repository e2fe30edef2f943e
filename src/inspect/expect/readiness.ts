import type { ChannelSnapshot } from '../../engine/follower.js';
import type { ScopeSnapshot } from '../../engine/scope.js';
import type { VerdictWord } from '../verdict/verdict.js';
import type { Observation } from './observation.js';

/** Why RPCs have no configuration (A74); undefined if they have one. */
export function missingConfiguration({ state }: ChannelSnapshot): string | undefined {
  if (state.kind === 'none') return 'configuration incomplete: RPCs are queued';
  return state.kind === 'error' ? `RPCs fail: ${state.message}` : undefined;
}

/** A fallback drill shows something only if at least a part of the RPCs work while all servers are there. */
export function isDrillable(verdict: VerdictWord): boolean {
  return verdict === 'ok' || verdict === 'partly';
}

/**
 * A client in a fallback drill is as good as before: its verdict is no worse, and no request is outstanding. The verdict
 * alone would not do, since it is about the configuration in use, which may be an older one.
 */
export function isAsGoodAs(before: VerdictWord, { scope, verdict }: Observation): boolean {
  const isSame = verdict.verdict === 'ok' || verdict.verdict === before;
  return isSame && !scope.entries.some(isRequested);
}

export function isRequested({ status }: ScopeSnapshot['entries'][number]): boolean {
  return status === 'REQUESTED';
}
