import type { ChannelSnapshot } from '../../engine/follower.js';
import type { ScopeSnapshot } from '../../engine/scope.js';
import type { VerdictWord } from '../verdict/verdict.js';
import type { Observation } from './observation.js';

/** Returns why RPCs have no configuration (A74); undefined if they have one. */
export function missingConfiguration({ state }: ChannelSnapshot): string | undefined {
  if (state.kind === 'none') return 'configuration incomplete: RPCs are queued';
  return state.kind === 'error' ? `RPCs fail: ${state.message}` : undefined;
}

/** A fallback drill is useful only if at least some RPCs work while no server is blocked. */
export function isDrillable(verdict: VerdictWord): boolean {
  return verdict === 'ok' || verdict === 'partly';
}

/**
 * Whether a client in a fallback drill is as good as before: its verdict is not worse, and no request is outstanding. The
 * verdict alone is not sufficient, because it is about the configuration in use, which may be an old one.
 */
export function isAsGoodAs(before: VerdictWord, { scope, verdict }: Observation): boolean {
  const isSame = verdict.verdict === 'ok' || verdict.verdict === before;
  return isSame && !scope.entries.some(isRequested);
}

export function isRequested({ status }: ScopeSnapshot['entries'][number]): boolean {
  return status === 'REQUESTED';
}
