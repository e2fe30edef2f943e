import { describe, expect, it } from 'vitest';
import { slopePerMinute } from '../../tools/faults/rates/growth.js';

const samplesOf = (mibAt: (seconds: number) => number) =>
  Array.from({ length: 60 }, (_, i) => ({ seconds: 2 * i, mib: mibAt(2 * i) }));

describe('slopePerMinute', () => {
  it.each([
    ['constant memory', () => 100, 0],
    ['a leak of 0.5 MiB a second', (seconds: number) => 100 + seconds / 2, 30],
    ['memory that shrinks', (seconds: number) => 100 - seconds / 60, -1],
  ])('of %s', (_what, mibAt, expected) => {
    expect(slopePerMinute(samplesOf(mibAt))).toBeCloseTo(expected);
  });

  it('of memory that a collector frees periodically is nearly 0', () => {
    const saw = samplesOf((seconds) => 100 + (seconds % 10));
    expect(Math.abs(slopePerMinute(saw))).toBeLessThan(0.5);
  });
});
