import { visibleWhole } from '../visible-text.js';

/** A name for a narrow place: hidden characters are escaped, and a long name is cut in the middle. */
export function shortName(name: string, limit = 40): string {
  // A name may have megabytes: only its ends are escaped.
  const shown = name.length > limit ? undefined : visibleWhole(name);
  if (shown !== undefined && shown.length <= limit) return shown;
  const half = (limit - 1) >> 1;
  return `${startOf(name, half)}…${endOf(name, half)}`;
}

/** A sentence for one line: cut at its end. */
export function shortLine(text: string, limit = 300): string {
  const shown = visibleWhole(text.slice(0, limit + 1));
  return shown.length <= limit ? shown : `${startOf(text, limit - 1)}…`;
}

function startOf(text: string, limit: number): string {
  let result = '';
  for (const char of text.slice(0, limit)) {
    const shown = visibleWhole(char);
    if (result.length + shown.length > limit) break;
    result += shown;
  }
  return result;
}

function endOf(text: string, limit: number): string {
  let result = '';
  for (const char of [...text.slice(-limit)].reverse()) {
    const shown = visibleWhole(char);
    if (result.length + shown.length > limit) break;
    result = shown + result;
  }
  return result;
}
