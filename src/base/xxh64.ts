const MASK = 0xffff_ffff_ffff_ffffn;
const P1 = 0x9e3779b185ebca87n;
const P2 = 0xc2b2ae3d27d4eb4fn;
const P3 = 0x165667b19e3779f9n;
const P4 = 0x85ebca77c2b2ae63n;
const P5 = 0x27d4eb2f165667c5n;

const rotate = (value: bigint, by: bigint): bigint => ((value << by) | (value >> (64n - by))) & MASK;
const round = (sum: bigint, lane: bigint): bigint => (rotate((sum + lane * P2) & MASK, 31n) * P1) & MASK;
const merge = (sum: bigint, lane: bigint): bigint => (((sum ^ round(0n, lane)) & MASK) * P1 + P4) & MASK;

/** The hash by which gRPC's ring_hash policy selects endpoints: XXH64 with seed 0. */
export function xxh64(bytes: Uint8Array): bigint {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const { length } = bytes;
  let at = 0;
  let hash = P5;
  if (length >= 32) {
    const sums = [(P1 + P2) & MASK, P2, 0n, -P1 & MASK];
    for (; at + 32 <= length; at += 32) {
      for (let i = 0; i < 4; i++) sums[i] = round(sums[i] as bigint, view.getBigUint64(at + 8 * i, true));
    }
    const [a, b, c, d] = sums as [bigint, bigint, bigint, bigint];
    hash = (rotate(a, 1n) + rotate(b, 7n) + rotate(c, 12n) + rotate(d, 18n)) & MASK;
    for (const sum of sums) hash = merge(hash, sum);
  }
  hash = (hash + BigInt(length)) & MASK;
  for (; at + 8 <= length; at += 8) {
    hash = (rotate(hash ^ round(0n, view.getBigUint64(at, true)), 27n) * P1 + P4) & MASK;
  }
  if (at + 4 <= length) {
    hash = (rotate(hash ^ ((BigInt(view.getUint32(at, true)) * P1) & MASK), 23n) * P2 + P3) & MASK;
    at += 4;
  }
  for (; at < length; at++) hash = (rotate(hash ^ ((BigInt(view.getUint8(at)) * P5) & MASK), 11n) * P1) & MASK;
  hash = ((hash ^ (hash >> 33n)) * P2) & MASK;
  hash = ((hash ^ (hash >> 29n)) * P3) & MASK;
  return hash ^ (hash >> 32n);
}
