import { shortestFloat } from '../../proto/json/well-known.js';

/** Prints a number of 64 bits as Java's `Double.toString` does. */
export function javaDouble(value: number): string {
  if (!Number.isFinite(value)) return String(value);
  if (value === 0) return Object.is(value, -0) ? '-0.0' : '0.0';
  const size = Math.abs(value);
  if (size >= 1e-3 && size < 1e7) {
    const text = String(value);
    return text.includes('.') ? text : `${text}.0`;
  }
  const [digits = '', exponent = ''] = value.toExponential().split('e');
  return `${digits.includes('.') ? digits : `${digits}.0`}E${Number(exponent)}`;
}

/** Prints a number of 32 bits as Java's `Float.toString` does. */
export function javaFloat(value: number): string {
  return javaDouble(shortestFloat(value));
}
