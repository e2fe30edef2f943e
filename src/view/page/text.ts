import { visibleEnd, visibleStart, visibleWhole } from '../visible-text.js';

/** A name for a narrow place: hidden characters are escaped, and a long name is cut in the middle. */
export function shortName(name: string, limit = 40): string {
  // A name may have megabytes: only its ends are escaped.
  const shown = name.length > limit ? undefined : visibleWhole(name);
  if (shown !== undefined && shown.length <= limit) return shown;
  const half = (limit - 1) >> 1;
  return `${visibleStart(name, half)}…${visibleEnd(name, half)}`;
}

/** A sentence for one line: cut at its end. */
export function shortLine(text: string, limit = 300): string {
  const shown = visibleWhole(text.slice(0, limit + 1));
  return shown.length <= limit ? shown : `${visibleStart(text, limit - 1)}…`;
}
