import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../support/root.js';

const FOLDER = join(ROOT, 'src/view/page');
const files = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' });
const text = (pattern: RegExp): string =>
  files
    .filter((file) => pattern.test(file))
    .map((file) => readFileSync(join(FOLDER, file), 'utf8'))
    .join('\n');
const styles = text(/\.css$/);
const [light, dark] = ['tokens.css', 'tokens-dark.css'].map((file) => readFileSync(join(FOLDER, file), 'utf8')) as [
  string,
  string,
];

/** The variables of a theme. */
function theme(name: 'light' | 'dark'): Map<string, string> {
  const read = (css: string): [string, string][] =>
    [...css.matchAll(/(--[a-z0-9-]+): (#[0-9a-f]{6});/g)].map(([, key = '', value = '']) => [key, value]);
  return new Map(name === 'light' ? read(light) : [...read(light), ...read(dark)]);
}

/** WCAG 2: the relative luminance of a colour. */
function luminance(color: string): number {
  const channel = (at: number): number => {
    const value = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5);
}

function contrast(a: string, b: string): number {
  const [light = 0, dark = 0] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (light + 0.05) / (dark + 0.05);
}

describe('the styles of the page', () => {
  it('define every variable that they use', () => {
    const used = new Set([...`${styles}\n${text(/\.tsx?$/)}`.matchAll(/var\((--[a-z0-9-]+)/g)].map(([, name]) => name));
    const defined = new Set([...styles.matchAll(/(--[a-z0-9-]+):/g)].map(([, name]) => name));
    expect([...used].filter((name) => !defined.has(name))).toEqual([]);
  });

  it('load nothing', () => {
    expect(styles).not.toMatch(/url\(|@font-face|https?:/);
  });

  it.each(['light', 'dark'] as const)('have enough contrast for text: %s', (name) => {
    const colors = theme(name);
    const surfaces = ['--bg', '--panel', '--raised', '--hover', '--sel-bg'];
    const pairs = [
      ...['--text', '--text-2', '--text-3'].flatMap((ink) =>
        [...surfaces, '--wait-bg', '--info-bg'].map((on) => [ink, on] as const),
      ),
      ...['ok', 'warn', 'bad', 'tear', 'info', 'wait'].flatMap((meaning) =>
        [`--${meaning}-bg`, '--panel', '--raised'].map((on) => [`--${meaning}`, on] as const),
      ),
      ...['--even', '--odd'].map((on) => ['--bar-text', on] as const),
      ['--warn', '--even'] as const,
      ['--panel', '--sel'] as const,
    ];
    const low = pairs
      .map(([ink, on]) => ({ pair: `${ink} on ${on}`, ratio: contrast(colors.get(ink) ?? '', colors.get(on) ?? '') }))
      .filter(({ ratio }) => !(ratio >= 4.5));
    expect(low).toEqual([]);
  });
});
