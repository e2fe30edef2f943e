/** A key that equal bytes share. Different bytes have different keys, except by a chance of about one in 2^64. */
export function contentKey(bytes: Uint8Array): string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  let [a, b] = [bytes.length ^ 0x2545f491, ~bytes.length];
  let at = 0;
  for (; at + 4 <= bytes.length; at += 4) {
    const word = view.getInt32(at, true);
    a = Math.imul(a ^ word, 0x9e3779b1);
    a ^= a >>> 15;
    b = Math.imul((b << 13) | (b >>> 19), 5) ^ Math.imul(word, 0x85ebca6b);
  }
  for (; at < bytes.length; at++) {
    const byte = bytes[at] as number;
    a = Math.imul(a ^ byte, 0x01000193);
    b = Math.imul(b ^ byte, 0xc2b2ae35);
  }
  return `${(mixed(a) >>> 0).toString(36)}.${(mixed(b) >>> 0).toString(36)}.${bytes.length.toString(36)}`;
}

function mixed(hash: number): number {
  const half = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  const whole = Math.imul(half ^ (half >>> 13), 0xc2b2ae35);
  return whole ^ (whole >>> 16);
}
