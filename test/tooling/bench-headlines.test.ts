import { describe, expect, it } from 'vitest';
import type { Figure } from '../../tools/bench/measure.js';
import { headlineList } from '../../tools/bench/section.js';

const figure = (headline?: string): Figure => ({
  ...{ what: 'w', ratio: 1, peer: 'p', goal: 1, runs: 1 },
  ...(headline !== undefined && { headline }),
});

describe('the figures in the README', () => {
  it('are three sentences', () => {
    expect(headlineList([figure('a'), figure(), figure('b'), figure('c')])).toBe('- a\n- b\n- c');
  });

  it('do not change if one could not be measured', () => {
    expect(headlineList([figure('a'), figure(), figure('b')])).toBeUndefined();
  });
});
