import { describe, expect, it } from 'vitest';
import { cutEnd, cutMiddle, displayWidth, padTo } from '../../src/base/display-width.js';

describe('the columns that a text takes', () => {
  it.each<[text: string, columns: number, what: string]>([
    ['', 0, 'nothing'],
    ['plain – text · → …', 18, 'signs of one column'],
    ['é', 1, 'a letter with its accent'],
    ['e\u0301', 1, 'a letter and an accent'],
    ['漢字', 4, 'wide characters'],
    ['ｆｕｌｌ', 8, 'full-width letters'],
    ['ｶﾞ', 2, 'half-width letters'],
    ['\u1100\u1161\u11a8', 2, 'a syllable of three letters'],
    ['नि', 2, 'a mark with a place of its own'],
    ['👍', 2, 'an emoji'],
    ['👍🏽', 2, 'an emoji with a colour'],
    ['👩‍👩‍👧', 2, 'three emoji joined to one'],
    ['🇩🇪', 2, 'a flag'],
    ['1️⃣', 2, 'a keycap'],
    ['❤️', 2, 'a sign made an emoji'],
    ['❤', 1, 'the sign itself'],
    ['a\u200bb', 2, 'a space without width'],
    ['\u001b[31mred\u001b[39m', 3, 'colours'],
    ['\u001b[31m漢\u001b[39m', 2, 'a coloured wide character'],
  ])('%j: %i, %s', (text, columns) => expect(displayWidth(text)).toBe(columns));
});

describe('a text that is cut', () => {
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
  ])('%j to %i', (text, columns, end, middle) => {
    expect([cutEnd(text, columns), cutMiddle(text, columns)]).toEqual([end, middle]);
    expect(displayWidth(cutEnd(text, columns))).toBeLessThanOrEqual(columns);
    expect(displayWidth(cutMiddle(text, columns))).toBeLessThanOrEqual(columns);
  });

  it('is filled up by columns, not by characters', () => {
    expect([padTo('漢', 4), padTo('ab', 4), padTo('abcde', 4)]).toEqual(['漢  ', 'ab  ', 'abcde']);
  });
});
