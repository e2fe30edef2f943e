import { assert, property, uint8Array } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sameBytes } from '../../src/base/bytes.js';

describe('sameBytes', () => {
  it('is true for equal bytes at different offsets of a buffer', () => {
    assert(
      property(uint8Array({ maxLength: 300 }), (bytes) => {
        const within = new Uint8Array([1, 2, 3, ...bytes, 4]).subarray(3, 3 + bytes.length);
        expect(sameBytes(bytes, within)).toBe(true);
        expect(sameBytes(bytes, Buffer.from(within))).toBe(true);
      }),
    );
  });

  it.each([1, 10, 23, 24, 25, 63, 64, 65, 80, 200])(
    'is false for arrays of length %i that differ in one byte or in length',
    (length) => {
      const bytes = Uint8Array.from({ length }, (_, i) => i);
      expect(sameBytes(bytes, bytes.subarray(1))).toBe(false);
      for (let i = 0; i < length; i++) {
        const other = Uint8Array.from(bytes);
        other[i] = 255;
        expect(sameBytes(bytes, other)).toBe(false);
        expect(sameBytes(bytes, Buffer.from(other))).toBe(false);
      }
    },
  );
});
