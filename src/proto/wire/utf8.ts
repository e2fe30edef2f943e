import { Malformed } from './malformed.js';

// `fatal` refuses what upb refuses: overlong forms, surrogates, anything above U+10FFFF. A byte order mark is data.
const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const encoder = new TextEncoder();

/** Up to this length, joining characters is faster than a call into TextDecoder. */
const SHORT = 160;

/** The text in `bytes[from, to)`; invalid UTF-8 is malformed input, as in C-core. */
export function readUtf8(bytes: Uint8Array, from: number, to: number): string {
  if (to - from > SHORT) return decodeStrictly(bytes, from, to);
  let text = '';
  let i = from;
  // Eight at a time: almost every string is ASCII.
  for (; i + 8 <= to; i += 8) {
    const a = bytes[i] as number;
    const b = bytes[i + 1] as number;
    const c = bytes[i + 2] as number;
    const d = bytes[i + 3] as number;
    const e = bytes[i + 4] as number;
    const f = bytes[i + 5] as number;
    const g = bytes[i + 6] as number;
    const h = bytes[i + 7] as number;
    if ((a | b | c | d | e | f | g | h) > 0x7f) return decodeStrictly(bytes, from, to);
    text += String.fromCharCode(a, b, c, d, e, f, g, h);
  }
  for (; i < to; i++) {
    const byte = bytes[i] as number;
    if (byte > 0x7f) return decodeStrictly(bytes, from, to);
    text += String.fromCharCode(byte);
  }
  return text;
}

/** Checks a string that nobody reads. */
export function checkUtf8(bytes: Uint8Array, from: number, to: number): void {
  for (let i = from; i < to; i++) {
    if ((bytes[i] as number) > 0x7f) {
      decodeStrictly(bytes, i, to);
      return;
    }
  }
}

export function writeUtf8(text: string): Uint8Array {
  return encoder.encode(text);
}

function decodeStrictly(bytes: Uint8Array, from: number, to: number): string {
  try {
    return strict.decode(bytes.subarray(from, to));
  } catch {
    throw new Malformed('invalid UTF-8 in a string', from);
  }
}
