import { Malformed } from './malformed.js';

// `fatal` refuses what upb refuses: overlong forms, surrogates, anything above U+10FFFF. A byte order mark is data.
const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const encoder = new TextEncoder();

/** Up to this length, joining characters is faster than a call into TextDecoder. */
const SHORT = 28;
/** The same for the quicker way that Node's own buffers have. */
const VERY_SHORT = 5;

/** What arrives over the wire in Node can turn ASCII into text much faster than anything else. */
interface NodeBytes extends Uint8Array {
  latin1Slice?(from: number, to: number): string;
}

/** The text in `bytes[from, to)`; invalid UTF-8 is malformed input, as in C-core. */
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

/** The same, but '' for what is no UTF-8. */
export function looseText(bytes: NodeBytes, from: number, to: number): string {
  try {
    return readUtf8(bytes, from, to);
  } catch {
    return '';
  }
}

/** Checks a string that nobody reads. */
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
