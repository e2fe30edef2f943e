import { countText, firstFew, thousands } from '../base/count-text.js';
import type { CacheEntry } from '../core/resource-cache.js';
import type { ClientInspection } from '../inspect/inspection.js';
import { waitedText } from '../inspect/verdict/phrases.js';
import type { Cause } from '../inspect/verdict/verdict.js';
import { shortType } from '../proto/resource-types.js';
import { visibleMessage, visibleName } from './visible-text.js';

const MAX_NAMES = 3;

/** The text of a progress line. Names are cut first if it is too long. */
export interface ProgressText {
  what: string;
  names?: string;
  /** The text contains the remaining time. */
  hasTimeLeft?: true;
  /** How many resources are known, without text from a control plane. */
  counts?: string;
}

/** The missing resources and when their resource timers expire; `leftUntil` formats the time that is left. */
export function settlingText(
  inspections: readonly ClientInspection[],
  leftUntil: (end: number) => string,
): ProgressText {
  const entries = inspections.flatMap(({ snapshot }) => snapshot().flatMap((scope) => scope.entries));
  const open = entries.filter(({ status }) => status === 'REQUESTED');
  const known = `waiting: ${thousands(entries.length - open.length)} of ${countText(entries.length, 'resource')} known`;
  const counts = { counts: known };
  if (open.length === 0) return { what: `${known}, settling`, ...counts };
  const ends = inspections.flatMap(({ nextTimerEnd }) => nextTimerEnd(open) ?? []);
  if (ends.length > 0 && open.length <= MAX_NAMES) {
    const likely = likelyCauseText(inspections, open, leftUntil(Math.min(...ends)));
    if (likely !== undefined) return { what: likely, hasTimeLeft: true, ...counts };
  }
  const timer = ends.length === 0 ? 'not requested yet' : `resource timer ${leftUntil(Math.min(...ends))}`;
  const names = listedNames(open, ({ typeUrl, name }) => `${shortType(typeUrl)} ${visibleName(name)}`);
  return { what: `${known}, ${timer}`, names, ...counts };
}

/**
 * The likely cause of a missing resource, before its resource timer expires:
 * `waiting (11 s left): no listener "a": 10.0.0.7:18000 answered version 5 without it · gRPC waits up to 15 s before it fails`
 */
function likelyCauseText(
  inspections: readonly ClientInspection[],
  open: readonly CacheEntry[],
  left: string,
): string | undefined {
  const isOpen = ({ resource }: Cause): boolean =>
    open.some(({ typeUrl, name }) => resource?.name === name && resource.type === shortType(typeUrl));
  const waiting = inspections.flatMap(({ verdict }) => verdict().filter((one) => one.verdict === 'waiting'));
  const cause = waiting.flatMap((one) => one.cause ?? []).find(isOpen);
  if (cause === undefined) return undefined;
  const others = open.length === 1 ? '' : ` (and ${open.length - 1} more)`;
  const timer = waitedText(Math.max(...inspections.map(({ longestTimerMs }) => longestTimerMs)));
  return `waiting (${left} left): ${visibleMessage(cause.message)}${others} · gRPC waits up to ${timer} before it fails`;
}

/** The first few names, and the number of the others. */
export function listedNames<T>(list: readonly T[], textOf: (one: T) => string): string {
  return firstFew(list, MAX_NAMES, textOf, (more) => ` and ${thousands(more)} more`);
}

export function tearsText({ snapshot }: ClientInspection): string {
  const scopes = snapshot();
  const resources = scopes.reduce((sum, { entries }) => sum + entries.length, 0);
  const tearCount = scopes.flatMap(({ channels }) => channels).reduce((sum, channel) => sum + channel.tears.length, 0);
  return `observing ${countText(resources, 'resource')}: ${tearCount === 0 ? 'no tear' : countText(tearCount, 'tear')} so far`;
}
