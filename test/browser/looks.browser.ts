import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { openRecording, ROLLOUT, recordingOf } from './support/recordings.js';

/** The brightness of a colour of the page, from 0 to 255. */
async function brightness(page: Page, property: 'color' | 'backgroundColor'): Promise<number> {
  return await page.locator('body').evaluate((body, name) => {
    const [red = 0, green = 0, blue = 0] = (getComputedStyle(body)[name].match(/[\d.]+/g) ?? []).map(Number);
    return (red + green + blue) / 3;
  }, property);
}

/** Texts with a contrast below 4.5, the minimum of WCAG, on a background of one colour. */
async function faintTexts(page: Page): Promise<string[]> {
  return await page.evaluate(() => {
    const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
    if (canvas === null) throw new Error('no canvas');
    const pixel = (colours: string[]): number[] => {
      canvas.clearRect(0, 0, 1, 1);
      for (const colour of colours) {
        canvas.fillStyle = colour;
        canvas.fillRect(0, 0, 1, 1);
      }
      return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3);
    };
    const luminance = (colour: number[]): number => {
      const [red = 0, green = 0, blue = 0] = colour
        .map((part) => part / 255)
        .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    };
    const found: string[] = [];
    for (const element of document.querySelectorAll<HTMLElement>('#app *')) {
      const text = [...element.childNodes].filter(({ nodeType }) => nodeType === 3).map((node) => node.textContent);
      const isShown = element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
      const isHidden = getComputedStyle(element).color === 'rgba(0, 0, 0, 0)';
      if (
        text.join('').trim() === '' ||
        isHidden ||
        !isShown ||
        element.closest('[disabled], .path-off, .is-unused, .is-later')
      )
        continue;
      const layers: string[] = [];
      let hasImage = false;
      for (let one: Element | null = element; one !== null; one = one.parentElement) {
        const style = getComputedStyle(one);
        layers.unshift(style.backgroundColor);
        hasImage ||= style.backgroundImage !== 'none' || style.opacity !== '1';
      }
      if (hasImage) continue;
      const [front, back] = [luminance(pixel([...layers, getComputedStyle(element).color])), luminance(pixel(layers))];
      const contrast = (Math.max(front, back) + 0.05) / (Math.min(front, back) + 0.05);
      if (contrast < 4.5) found.push(`${contrast.toFixed(1)} ${element.className}: ${text.join('').slice(0, 40)}`);
    }
    return [...new Set(found)];
  });
}

describe('the theme', () => {
  it.each(['light', 'dark'] as const)('is %s if the system is, with enough contrast', async (colorScheme) => {
    const page = await openRecording(recordingOf(ROLLOUT), { colorScheme, fragment: 'target=xds:///orders&t=8' });
    await page.locator('.gnode').first().waitFor();
    const [text, background] = [await brightness(page, 'color'), await brightness(page, 'backgroundColor')];
    expect(text > background).toBe(colorScheme === 'dark');
    expect(await faintTexts(page)).toEqual([]);
    await page.keyboard.press('3');
    await page.getByRole('listbox', { name: 'Events' }).waitFor();
    expect(await faintTexts(page)).toEqual([]);
  });

  it('is the one of the fragment, and the button changes it', async () => {
    const page = await openRecording(recordingOf(ROLLOUT), { colorScheme: 'light', fragment: 'theme=dark' });
    await page.getByRole('tab', { name: 'Graph' }).waitFor();
    await expect.poll(() => brightness(page, 'backgroundColor')).toBeLessThan(100);
    await page.getByRole('button', { name: 'Light or dark' }).click();
    await expect.poll(() => brightness(page, 'backgroundColor')).toBeGreaterThan(200);
  });
});

describe('on paper', () => {
  it('shows all panes in light colours, and nothing beyond the margin', async () => {
    const page = await openRecording(recordingOf(ROLLOUT), { colorScheme: 'dark', fragment: 'target=xds:///orders' });
    await page.getByRole('tab', { name: 'Graph' }).waitFor();
    // Browsers shrink a page of this width to the paper.
    await page.setViewportSize({ width: 1040, height: 1400 });
    await page.emulateMedia({ media: 'print' });
    await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
    for (const text of ['xds:///orders', 'What RPCs used', 'orders-blue', 'PERMISSION_DENIED'])
      await page.getByText(text).first().waitFor();
    for (const name of ['Events', 'Findings']) await page.getByRole('heading', { name }).waitFor();
    await expect.poll(() => brightness(page, 'backgroundColor')).toBeGreaterThan(240);
    const wide = await page.evaluate(() =>
      [...document.querySelectorAll('#app *')]
        .filter((element) => element.getBoundingClientRect().right > innerWidth + 1)
        .map(({ tagName, className }) => `${tagName} ${className}`),
    );
    expect(wide).toEqual([]);
    expect((await page.pdf()).length).toBeGreaterThan(10_000);
  });
});
