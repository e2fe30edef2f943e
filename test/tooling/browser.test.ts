import { describe, expect, it } from 'vitest';
import { findChromium } from '../../tools/browser/chromium.js';

describe('findChromium', () => {
  it('names where it looked when there is no browser', () => {
    expect(findChromium({ PATH: '/nowhere' })).toEqual({
      missing:
        'no Chromium: CHROME_PATH is not set, and the PATH has none of chromium, chromium-browser, google-chrome',
    });
  });

  it('does not fall back to the PATH when CHROME_PATH is wrong', () => {
    expect(findChromium({ ...process.env, CHROME_PATH: '/nowhere/chrome' })).toEqual({
      missing: 'CHROME_PATH=/nowhere/chrome is not a program',
    });
  });

  it('runs the program to get its version', () => {
    expect(findChromium({ CHROME_PATH: process.execPath })).toEqual({
      path: process.execPath,
      version: process.version,
    });
  });
});
