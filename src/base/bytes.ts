/** Below this length, a DataView costs more time than it saves. */
const SHORT = 64;
const EARLY = 24;

/** Node's Buffer, whose comparison is native: V8 interprets the loops below until it has compiled them. */
interface NodeBytes extends Uint8Array {
  equals?(other: Uint8Array): boolean;
}

export function sameBytes(a: NodeBytes, b: NodeBytes): boolean {
  if (a.length !== b.length) return false;
  if (b.equals !== undefined) return b.equals(a);
  if (differsEarly(a, b)) return false;
  const words = a.length < SHORT ? 0 : sameWords(a, b);
  if (words < 0) return false;
  for (let i = words; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

/** Compares the first bytes, where different resources differ because the name comes first. */
function differsEarly(a: Uint8Array, b: Uint8Array): boolean {
  const end = Math.min(a.length, EARLY);
  for (let i = 0; i < end; i++) if (a[i] !== b[i]) return true;
  return false;
}

/** Compares 16 bytes at a time; returns the number of compared bytes, or -1 if they differ. */
function sameWords(a: Uint8Array, b: Uint8Array): number {
  const left = new DataView(a.buffer, a.byteOffset, a.length);
  const right = new DataView(b.buffer, b.byteOffset, b.length);
  const end = a.length - 15;
  let i = 0;
  for (; i < end; i += 16) {
    const differences =
      (left.getInt32(i, true) ^ right.getInt32(i, true)) |
      (left.getInt32(i + 4, true) ^ right.getInt32(i + 4, true)) |
      (left.getInt32(i + 8, true) ^ right.getInt32(i + 8, true)) |
      (left.getInt32(i + 12, true) ^ right.getInt32(i + 12, true));
    if (differences !== 0) return -1;
  }
  return i;
}

export function joinBytes(parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
