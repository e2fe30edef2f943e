import { readUtf8 } from './utf8.js';

/** The maximum number of cached URLs, and their maximum length. It limits the memory that a server can fill. */
const MAX_CACHED = 256;

interface CachedUrl {
  bytes: Uint8Array;
  text: string;
}

const byLength: CachedUrl[][] = [];
let count = 0;

/** Returns the text in `bytes[from, to)`, as the same string object every time. */
export function readTypeUrl(bytes: Uint8Array, from: number, to: number): string {
  for (const { bytes: known, text } of byLength[to - from] ?? []) {
    // Compares from the end, because type URLs have a common prefix.
    let i = known.length - 1;
    while (i >= 0 && known[i] === bytes[from + i]) i--;
    if (i < 0) return text;
  }
  const text = readUtf8(bytes, from, to);
  if (count < MAX_CACHED && to - from < MAX_CACHED) {
    const list = byLength[to - from] ?? [];
    byLength[to - from] = list;
    list.push({ bytes: bytes.slice(from, to), text });
    count++;
  }
  return text;
}
