import { MAX_NACK_LENGTH } from '../../base/limits.js';

/** Characters that Go prints in quoted texts as they are. */
const PRINTABLE = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u;

const SHORT_ESCAPES: Record<string, string> = {
  '"': '\\"',
  '\\': '\\\\',
  '\x07': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
};

/** Quotes a text as Go's `%q` does. */
export function quoted(text: string): string {
  return `"${text.slice(0, MAX_NACK_LENGTH).replace(/[^\x20-\x7e]|["\\]/gu, escaped)}"`;
}

function escaped(character: string): string {
  const short = SHORT_ESCAPES[character];
  if (short !== undefined) return short;
  if (PRINTABLE.test(character)) return character;
  const code = character.codePointAt(0) as number;
  if (code < 0x20 || code === 0x7f) return `\\x${code.toString(16).padStart(2, '0')}`;
  return code > 0xffff ? `\\U${code.toString(16).padStart(8, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`;
}

/** Prints a number as Go does with the format 'g' and the shortest exact precision. */
export function floatText(value: number): string {
  if (Number.isNaN(value)) return 'nan';
  if (!Number.isFinite(value)) return value > 0 ? 'inf' : '-inf';
  return exponentText(value, -4, 6);
}

/** Prints a number as Go's JSON encoder does. */
export function jsonFloat(value: number): string {
  return exponentText(value, -6, 21).replace(/e-0(\d)$/, 'e-$1');
}

function exponentText(value: number, least: number, most: number): string {
  if (value === 0) return Object.is(value, -0) ? '-0' : '0';
  const [, mantissa = '', exponent = ''] = /^(.*)e(.*)$/.exec(value.toExponential()) as unknown as string[];
  const power = Number(exponent);
  if (power >= least && power < most) return plainText(mantissa, power);
  return `${mantissa}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`;
}

function plainText(mantissa: string, power: number): string {
  const sign = mantissa.startsWith('-') ? '-' : '';
  const digits = mantissa.replace(/[-.]/g, '');
  if (power < 0) return `${sign}0.${'0'.repeat(-power - 1)}${digits}`;
  const whole = digits.slice(0, power + 1).padEnd(power + 1, '0');
  const rest = digits.slice(power + 1);
  return `${sign}${whole}${rest === '' ? '' : `.${rest}`}`;
}

/** Joins a host and a port as Go's `net.JoinHostPort` does. */
export function joinHostPort(host: string, port: number): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}

/** A name of a Go identifier for a field: `path_separated_prefix` becomes `PathSeparatedPrefix`. */
export function goName(field: string): string {
  return field.replace(/(?:^|_)([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}
