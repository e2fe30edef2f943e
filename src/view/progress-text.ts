import { countText, thousands } from '../base/count-text.js';
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
  const names = open.slice(0, MAX_NAMES).map(({ typeUrl, name }) => `${shortType(typeUrl)} ${visibleName(name)}`);
  const more = open.length > MAX_NAMES ? ` and ${thousands(open.length - MAX_NAMES)} more` : '';
  return { what: `${known}, ${timer}`, names: `${names.join(', ')}${more}` };
}

export function tearsText({ snapshot }: ClientInspection): string {
  const scopes = snapshot();
  const resources = scopes.reduce((sum, { entries }) => sum + entries.length, 0);
  const seen = scopes.flatMap(({ channels }) => channels).reduce((sum, channel) => sum + channel.tears.length, 0);
  return `observing ${countText(resources, 'resource')}: ${seen === 0 ? 'no tear' : countText(seen, 'tear')} so far`;
}
