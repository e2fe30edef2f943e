/** Envoy's default for `max_program_size` of the Google RE2 engine. */
const MAX_PROGRAM_SIZE = 100;

/** Matches what takes no instruction of its own, or one that cannot be told: escapes, classes, counts, flags. */
const UNSURE = /\\.|\[\^?\]?[^\]]*\]|\{[^}]*\}|\(\?[^():<]*:?|\(\?P?<[^>]*>/g;

/**
 * Whether the compiled expression is larger than Envoy takes, counted from below: one instruction for a letter, two
 * for a group, a copy for each repetition. Alternatives may share a beginning, so those expressions are left alone.
 */
export function exceedsProgramLimit(pattern: string): boolean {
  if (pattern.includes('|')) return false;
  const counts = [...pattern.matchAll(/[^\\]\{(\d+)(?:,\d*)?\}/g)].map(([, count]) => Number(count));
  if (counts.some((count) => count >= MAX_PROGRAM_SIZE)) return true;
  const groups = pattern.replace(/\\./g, '').match(/\((?!\?)/g)?.length ?? 0;
  const letters = pattern.replace(UNSURE, '').match(/\w/g)?.length ?? 0;
  return letters + 2 * groups >= MAX_PROGRAM_SIZE;
}
