import { countText, firstFew, thousands } from '../base/count-text.js';
import type { ClientInspection } from '../inspect/inspection.js';
import { shortType } from '../proto/resource-types.js';
import { visibleName } from './visible-text.js';

const MAX_NAMES = 3;

/** What is waited for: first what is short, then names. */
export interface ProgressText {
  what: string;
  names?: string;
}

/** Which resources are still missing, of how many, and when their timers expire; `leftUntil` says how far a time is. */
export function settlingText(
  inspections: readonly ClientInspection[],
  leftUntil: (end: number) => string,
): ProgressText {
  const entries = inspections.flatMap(({ snapshot }) => snapshot().flatMap((scope) => scope.entries));
  const open = entries.filter(({ status }) => status === 'REQUESTED');
  const known = `waiting: ${thousands(entries.length - open.length)} of ${thousands(entries.length)} known`;
  if (open.length === 0) return { what: `${known}, until nothing changes` };
  const ends = inspections.flatMap(({ nextTimerEnd }) => nextTimerEnd(open) ?? []);
  const timer = ends.length === 0 ? 'not requested yet' : `resource timer ${leftUntil(Math.min(...ends))}`;
  const names = listedNames(open, ({ typeUrl, name }) => `${shortType(typeUrl)} ${visibleName(name)}`);
  return { what: `${known}, ${timer}`, names };
}

/** As many names as fit in a sentence. */
export function listedNames<T>(list: readonly T[], textOf: (one: T) => string): string {
  return firstFew(list, MAX_NAMES, textOf, (more) => ` and ${thousands(more)} more`);
}

export function tearsText({ snapshot }: ClientInspection): string {
  const scopes = snapshot();
  const resources = scopes.reduce((sum, { entries }) => sum + entries.length, 0);
  const seen = scopes.flatMap(({ channels }) => channels).reduce((sum, channel) => sum + channel.tears.length, 0);
  return `observing ${countText(resources, 'resource')}: ${seen === 0 ? 'no tear' : countText(seen, 'tear')} so far`;
}
