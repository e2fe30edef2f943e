import type { Page } from 'playwright-core';

/** The brightness of a colour of the page, from 0 to 255. */
export async function brightness(page: Page, property: 'color' | 'backgroundColor'): Promise<number> {
  return await page.locator('body').evaluate((body, name) => {
    const [red = 0, green = 0, blue = 0] = (getComputedStyle(body)[name].match(/[\d.]+/g) ?? []).map(Number);
    return (red + green + blue) / 3;
  }, property);
}

/** Texts with a contrast below 4.5, the minimum of WCAG, on a background of one colour. */
export async function faintTexts(page: Page): Promise<string[]> {
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
    for (const element of document.querySelectorAll<HTMLElement>('body *')) {
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
