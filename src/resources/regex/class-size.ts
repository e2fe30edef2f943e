/** How many instructions RE2 makes of the larger classes, as measured; others come to some dozens. */
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

/** Of `\\d` and the like. */
export const PERL_SIZES: Record<string, number | undefined> = { d: 1, w: 5, s: 5, D: 12, S: 16, W: 18 };

/** Any character but a line feed. */
export const ANY_CHARACTER = 12;

/** What a class in brackets has more if it is negated. */
export const NEGATION = 11;

export function unicodeSize(name: string): number {
  return UNICODE_SIZES[name] ?? OTHER_UNICODE;
}
