import { describe, expect, it } from 'vitest';
import { cutEnd, cutMiddle, displayWidth, padTo } from '../../src/base/display-width.js';

describe('displayWidth', () => {
  it.each<[text: string, columns: number, what: string]>([
    ['', 0, 'the empty text'],
    ['plain – text · → …', 18, 'symbols of one column'],
    ['é', 1, 'a letter with its accent'],
    ['e\u0301', 1, 'a letter and an accent'],
    ['漢字', 4, 'wide characters'],
    ['ｆｕｌｌ', 8, 'full-width letters'],
    ['ｶﾞ', 2, 'half-width letters'],
    ['\u1100\u1161\u11a8', 2, 'a syllable of three letters'],
    ['नि', 2, 'a spacing mark'],
    ['👍', 2, 'an emoji'],
    ['👍🏽', 2, 'an emoji with a colour'],
    ['👩‍👩‍👧', 2, 'three joined emoji'],
    ['🇩🇪', 2, 'a flag'],
    ['1️⃣', 2, 'a keycap'],
    ['❤️', 2, 'a symbol with emoji presentation'],
    ['❤', 1, 'the same symbol without it'],
    ['a\u200bb', 2, 'a zero-width space'],
    ['\u001b[31mred\u001b[39m', 3, 'colours'],
    ['\u001b[31m漢\u001b[39m', 2, 'a coloured wide character'],
  ])('of %j is %i (%s)', (text, columns) => expect(displayWidth(text)).toBe(columns));
});

describe('text truncation', () => {
  it.each<[text: string, columns: number, end: string, middle: string]>([
    ['short', 5, 'short', 'short'],
    ['longer', 5, 'long…', 'l…ger'],
    ['projects/1/clusters/blue', 12, 'projects/1/…', 'pro…ers/blue'],
    ['漢字漢字', 8, '漢字漢字', '漢字漢字'],
    ['漢字漢字', 7, '漢字漢…', '漢…漢字'],
    ['漢字漢字', 6, '漢字…', '…漢字'],
    ['a👩‍👩‍👧bc', 4, 'a👩‍👩‍👧…', 'a…bc'],
    ['e\u0301e\u0301e\u0301', 2, 'e\u0301…', '…e\u0301'],
    ['ab', 1, '…', '…'],
    ['ab', 0, '', ''],
  ])('shortens %j to %i columns', (text, columns, end, middle) => {
    expect([cutEnd(text, columns), cutMiddle(text, columns)]).toEqual([end, middle]);
    expect(displayWidth(cutEnd(text, columns))).toBeLessThanOrEqual(columns);
    expect(displayWidth(cutMiddle(text, columns))).toBeLessThanOrEqual(columns);
  });

  it('pads by columns, not by characters', () => {
    expect([padTo('漢', 4), padTo('ab', 4), padTo('abcde', 4)]).toEqual(['漢  ', 'ab  ', 'abcde']);
  });
});
