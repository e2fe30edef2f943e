/** The number of RE2 instructions of the larger classes, as measured. Other classes have a few dozen. */
const UNICODE_SIZES: Record<string, number | undefined> = {
  Any: 10,
  L: 1530,
  Lu: 887,
  Ll: 922,
  Lo: 900,
  M: 702,
  Mn: 600,
  S: 627,
  So: 400,
  P: 476,
  Po: 350,
  N: 348,
  Nd: 139,
  Latin: 121,
  Han: 108,
  C: 101,
  Greek: 99,
  Common: 500,
  Cyrillic: 36,
  Z: 22,
};

const OTHER_UNICODE = 40;

/** The sizes of the Perl classes (`\\d`, `\\w`, `\\s`). */
export const PERL_SIZES: Record<string, number | undefined> = { d: 1, w: 5, s: 5, D: 12, S: 16, W: 18 };

/** The size of `.`, which matches any character except a line feed. */
export const ANY_CHARACTER = 12;

/** The additional size of a negated class in brackets. */
export const NEGATION = 11;

export function unicodeSize(name: string): number {
  return UNICODE_SIZES[name] ?? OTHER_UNICODE;
}
