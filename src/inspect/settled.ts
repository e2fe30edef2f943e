import { isLost } from '../engine/lost-servers.js';
import type { ScopeSnapshot } from '../engine/scope.js';
import type { ClientInspection } from './inspection.js';
import type { Condition } from './until.js';

/** Nothing has changed for this long: what was requested is there, or will not come. */
export const QUIET_MS = 200;

/** So that a timeout can still show its reason. */
const GRACE_MS = 10_000;

/** How long to wait for an inspection to settle: the longest resource timer, and a little more. */
export function defaultTimeLimit({ longestTimerMs }: Pick<ClientInspection, 'longestTimerMs'>): number {
  return longestTimerMs + GRACE_MS;
}

/**
 * Each channel has a configuration or an error, no watched resource is REQUESTED, and nothing has changed for a while; or
 * every server of a needed authority has failed. The cache is looked at only after that while.
 */
export function settled({ changedAt, snapshot }: Pick<ClientInspection, 'changedAt' | 'snapshot'>): Condition {
  return (now) => {
    const quietAt = changedAt() + QUIET_MS;
    return now < quietAt ? { isMet: false, nextCheck: quietAt } : { isMet: snapshot().every(isComplete) };
  };
}

/** Nothing is missing, or no server is left that could send it. */
export function isComplete({ authorities, entries, channels }: ScopeSnapshot): boolean {
  const lost = new Set(authorities.filter(isLost).map(({ name }) => name));
  const isReceived = entries.every(({ status, authority }) => status !== 'REQUESTED' || lost.has(authority));
  return (
    isReceived && channels.every(({ state, isWithheld }) => lost.size > 0 || (state.kind !== 'none' && !isWithheld))
  );
}
