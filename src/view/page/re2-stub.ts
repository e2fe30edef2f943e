import type { RE2JS as Re2 } from 're2js';

/** Replaces the package re2js in the page: delegates to the script that the page embeds only if it is needed. */
export const RE2JS = {
  compile(pattern: string): Re2 {
    const { xdsInspectRe2 } = globalThis as { xdsInspectRe2?: typeof Re2 };
    if (xdsInspectRe2 === undefined) throw new Error('this page contains no code for regular expressions');
    return xdsInspectRe2.compile(pattern);
  },
};
