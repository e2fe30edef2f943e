/** Envoy's default `max_program_size` of the Google RE2 engine. */
const MAX_PROGRAM_SIZE = 100;

/**
 * Matches the parts of a pattern that have no instruction, or an unknown number of them: escapes, classes, counts,
 * flags.
 */
const NOT_COUNTED = /\\.|\[\^?\]?[^\]]*\]|\{[^}]*\}|\(\?[^():<]*:?|\(\?P?<[^>]*>/g;

/**
 * Whether the compiled expression certainly exceeds Envoy's limit. Counts at least one instruction per letter, two per
 * group and a copy per repetition. Alternatives may share a prefix, so expressions with alternatives are not checked.
 */
export function exceedsProgramLimit(pattern: string): boolean {
  if (pattern.includes('|')) return false;
  const counts = [...pattern.matchAll(/[^\\]\{(\d+)(?:,\d*)?\}/g)].map(([, count]) => Number(count));
  if (counts.some((count) => count >= MAX_PROGRAM_SIZE)) return true;
  const groups = pattern.replace(/\\./g, '').match(/\((?!\?)/g)?.length ?? 0;
  const letters = pattern.replace(NOT_COUNTED, '').match(/\w/g)?.length ?? 0;
  return letters + 2 * groups >= MAX_PROGRAM_SIZE;
}
