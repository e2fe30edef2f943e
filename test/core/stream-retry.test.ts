import { describe, expect, it } from 'vitest';
import { PRESETS } from '../../src/bootstrap/presets.js';
import { StreamRetry } from '../../src/core/stream-retry.js';

/** A channel whose streams are `ages` old when they end without a response. Returns the backoff after each. */
function backoffs(policies: { countAgeAsBackoff: boolean }, ...ages: number[]): number[] {
  const retry = new StreamRetry({ ...PRESETS['c-core'].policies, ...policies }, () => 0.5);
  let now = 0;
  return ages.map((age) => {
    retry.onOpened(now);
    const backoff = retry.onEnded(false, now + age);
    now += age + backoff;
    return backoff;
  });
}

describe('the backoff after streams without responses', () => {
  it('grows from 1 s', () => {
    expect(backoffs({ countAgeAsBackoff: false }, 500, 500, 500)).toEqual([1000, 1600, 2560]);
  });

  it('is shorter by the age of a stream if that counts, except for the first stream', () => {
    expect(backoffs({ countAgeAsBackoff: true }, 500, 500, 5000)).toEqual([1000, 1100, 0]);
  });
});
