import { readUtf8 } from './utf8.js';

/** More different ones than this are no type URLs but somebody's attempt to fill memory. */
const MOST = 256;

interface KnownUrl {
  bytes: Uint8Array;
  text: string;
}

const byLength: KnownUrl[][] = [];
let count = 0;

/** The text in `bytes[from, to)`, the same string object every time. */
export function readTypeUrl(bytes: Uint8Array, from: number, to: number): string {
  for (const { bytes: known, text } of byLength[to - from] ?? []) {
    // From the end: type URLs begin alike.
    let i = known.length - 1;
    while (i >= 0 && known[i] === bytes[from + i]) i--;
    if (i < 0) return text;
  }
  const text = readUtf8(bytes, from, to);
  if (count < MOST && to - from < MOST) {
    const list = byLength[to - from] ?? [];
    byLength[to - from] = list;
    list.push({ bytes: bytes.slice(from, to), text });
    count++;
  }
  return text;
}
