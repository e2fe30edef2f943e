import { isLost } from '../engine/lost-servers.js';
import type { ScopeSnapshot } from '../engine/scope.js';
import type { ClientInspection } from './inspection.js';
import type { Condition } from './until.js';

/** If nothing changes for this time, no further responses are expected. */
export const QUIET_MS = 200;

/** Added to the longest resource timer, so that an expired timer is still reported. */
const GRACE_MS = 10_000;

/** The default time limit for an inspection to settle: the longest resource timer plus a grace period. */
export function defaultTimeLimit({ longestTimerMs }: Pick<ClientInspection, 'longestTimerMs'>): number {
  return longestTimerMs + GRACE_MS;
}

/**
 * Holds if each channel has a configuration or an error, no watched resource is REQUESTED, and nothing has changed for
 * `QUIET_MS`; or if every server of a needed authority has failed. Reads the cache only after the quiet period.
 */
export function settled({ changedAt, snapshot }: Pick<ClientInspection, 'changedAt' | 'snapshot'>): Condition {
  return (now) => {
    const quietAt = changedAt() + QUIET_MS;
    return now < quietAt ? { isMet: false, nextCheck: quietAt } : { isMet: snapshot().every(isComplete) };
  };
}

/** Whether no resource is missing, or no usable server is left that could send it. */
export function isComplete({ authorities, entries, channels }: ScopeSnapshot): boolean {
  const lost = new Set(authorities.filter(isLost).map(({ name }) => name));
  const isReceived = entries.every(({ status, authority }) => status !== 'REQUESTED' || lost.has(authority));
  return (
    isReceived && channels.every(({ state, isWithheld }) => lost.size > 0 || (state.kind !== 'none' && !isWithheld))
  );
}
