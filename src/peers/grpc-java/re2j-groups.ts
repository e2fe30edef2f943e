import { UNICODE_GROUPS } from '../../resources/regex/unicode-groups.js';

/** The scripts that are newer than the Unicode version of RE2/J. */
const NEWER = `
`;

const NEWER_GROUPS: ReadonlySet<string> = new Set(NEWER.trim().split(/\s+/));

/** Whether RE2/J knows a class of characters, as in `\p{Greek}`. */
export function isUnicodeGroup(name: string): boolean {
  return UNICODE_GROUPS.has(name) && !NEWER_GROUPS.has(name);
}
