import { Malformed } from './malformed.js';

// `fatal` rejects what upb rejects: overlong forms, surrogates, code points above U+10FFFF. A byte order mark is data.
const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const encoder = new TextEncoder();

/** Up to this length, string concatenation is faster than TextDecoder. */
const SHORT = 28;
/** Up to this length, string concatenation is faster than `latin1Slice` of Node's Buffer. */
const VERY_SHORT = 5;

/** Node's Buffer, which converts ASCII to strings much faster than TextDecoder. */
interface NodeBytes extends Uint8Array {
  latin1Slice?(from: number, to: number): string;
}

/** Decodes the text in `bytes[from, to)`. Invalid UTF-8 is malformed input, as in C-core. */
export function readUtf8(bytes: NodeBytes, from: number, to: number): string {
  if (to - from > VERY_SHORT && bytes.latin1Slice !== undefined) {
    return isAscii(bytes, from, to) ? bytes.latin1Slice(from, to) : decodeStrictly(bytes, from, to);
  }
  if (to - from > SHORT) return decodeStrictly(bytes, from, to);
  let text = '';
  for (let i = from; i < to; i++) {
    const byte = bytes[i] as number;
    if (byte > 0x7f) return decodeStrictly(bytes, from, to);
    text += String.fromCharCode(byte);
  }
  return text;
}

/** Decodes the text in `bytes[from, to)`; returns '' for invalid UTF-8. */
export function decodeOrEmpty(bytes: NodeBytes, from: number, to: number): string {
  try {
    return readUtf8(bytes, from, to);
  } catch {
    return '';
  }
}

/** Validates a string without decoding it. */
export function checkUtf8(bytes: Uint8Array, from: number, to: number): void {
  if (!isAscii(bytes, from, to)) decodeStrictly(bytes, from, to);
}

function isAscii(bytes: Uint8Array, from: number, to: number): boolean {
  for (let i = from; i < to; i++) if ((bytes[i] as number) > 0x7f) return false;
  return true;
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
