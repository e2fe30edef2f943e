import type { Scalar } from '../../../src/proto/wire/scalars.js';
import type { Dice } from './dice.js';

/** Values near the limits of validation rules: percentages, ports, durations, ring sizes, limits of integer types. */
const INTEGERS = [
  0n,
  1n,
  2n,
  3n,
  4n,
  5n,
  7n,
  8n,
  16n,
  99n,
  100n,
  101n,
  127n,
  128n,
  255n,
  256n,
  500n,
  600n,
  999n,
  4096n,
  4097n,
  8192n,
  10_000n,
  10_001n,
  65_535n,
  65_536n,
  1_000_000n,
  1_000_001n,
  8_388_608n,
  8_388_609n,
  999_999_999n,
  1_000_000_000n,
  0x7fff_ffffn,
  0x8000_0000n,
  0xffff_ffffn,
  1n << 32n,
  (1n << 32n) + 1n,
  (1n << 63n) - 1n,
  1n << 63n,
  (1n << 64n) - 2n,
  (1n << 64n) - 1n,
  315_576_000_000n,
  315_576_000_001n,
];
const DOUBLES = [
  0,
  -0,
  -1,
  0.5,
  1,
  1.5,
  100,
  1e9,
  1e15,
  1e16,
  1e21,
  1e300,
  1e-9,
  2 ** 53,
  4294967295,
  4294967296,
  123456789.123,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  Number.NEGATIVE_INFINITY,
];
const TEXTS = [
  '',
  'a',
  '*',
  '*.a',
  'a*',
  'foo',
  'xdstp://a/b/c',
  'xdstp:',
  '-bin',
  'x-bin',
  'grpc-x',
  'Host',
  ':path',
  'content-type',
  'true',
  '1',
  '127.0.0.1',
  '::1',
  '::ffff:1.2.3.4',
  '1.2.3.4:80',
  'fe80::1%lo',
  'dns:///x',
  '/a/b',
  'A-Z',
  '(',
  '[a',
  'a{2}',
  '\\C',
  '(?i)a',
  'a|b',
  'self',
  'ads',
  'V3',
  '1s',
  'NaN',
  '{}',
  'null',
];
const INSERTS = [
  '*',
  '/',
  '.',
  ':',
  ' ',
  '%',
  '\0',
  '\n',
  '-',
  'a',
  'Z',
  'é',
  '?',
  '#',
  '(',
  '[',
  '\\',
  '0',
  '"',
  '\u{1f600}',
];
const UTF8_BREAKERS = [Buffer.from([0xff]), Buffer.from([0xc3]), Buffer.from([0xed, 0xa0, 0x80])];

/** Parts of regular expressions. A few of them joined are a regular expression, or nearly one. */
const REGEX_PARTS =
  String.raw`a é . ^ $ | * + ? ** (?: ( ) (?i) (?P<n> (?<n> (?s-m: [ ] [^ [a- [[:alpha:]] [[:^digit:]] [[:x:]] {2} {2,3} {,3} {3,2} {1000} {1001} \d \D \pL \p{Greek} \p{Nope} \PN \x41 \x{10FFFF} \x{110000} \Q \E \b \B \A \z \Z \C \1 \0 \8 \_ \- \\ \n \K`.split(
    ' ',
  );

function oddRegex(dice: Dice): string {
  return Array.from({ length: 1 + dice.below(5) }, () => dice.pick(REGEX_PARTS)).join('');
}

export function oddInteger(dice: Dice): bigint {
  return dice.pick(INTEGERS);
}

export function oddFixed(dice: Dice, size: 4 | 8): Buffer {
  const bytes = Buffer.alloc(size);
  if (dice.chance(0.3)) {
    if (size === 8) bytes.writeBigUInt64LE(oddInteger(dice));
    else bytes.writeUInt32LE(Number(BigInt.asUintN(32, oddInteger(dice))));
  } else if (size === 8) bytes.writeDoubleLE(dice.pick(DOUBLES));
  else bytes.writeFloatLE(dice.pick(DOUBLES));
  return bytes;
}

export function oddText(dice: Dice): Buffer {
  return Buffer.from(dice.chance(0.2) ? oddRegex(dice) : dice.pick(TEXTS));
}

/** A text with a small change: a character more or less, a repetition, a byte that is not UTF-8. */
export function editedText(dice: Dice, text: Buffer): Buffer {
  const at = dice.below(text.length + 1);
  const [before, after] = [text.subarray(0, at), text.subarray(at)];
  return dice.weighted<() => Buffer>([
    [5, () => Buffer.concat([before, Buffer.from(dice.pick(INSERTS)), after])],
    [3, () => Buffer.concat([before, after.subarray(1)])],
    [1, () => Buffer.concat([before, dice.pick(UTF8_BREAKERS), after])],
    [1, () => Buffer.concat(Array.from({ length: dice.pick([2, 50, 130]) }, () => text))],
    [1, () => Buffer.from(text.toString().toUpperCase())],
  ])();
}

/** A value of this type that may be invalid for its field. */
export function oddScalar(dice: Dice, scalar: Scalar): { wire: 0 | 1 | 2 | 5; value: bigint | Buffer } {
  if (scalar === 'string' || scalar === 'bytes') return { wire: 2, value: oddText(dice) };
  if (scalar === 'double' || scalar === 'fixed64' || scalar === 'sfixed64')
    return { wire: 1, value: oddFixed(dice, 8) };
  if (scalar === 'float' || scalar === 'fixed32' || scalar === 'sfixed32') return { wire: 5, value: oddFixed(dice, 4) };
  return { wire: 0, value: scalar === 'bool' ? BigInt(dice.below(2)) : oddInteger(dice) };
}
