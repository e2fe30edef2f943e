import { describe, expect, it } from 'vitest';
import { brightness, faintTexts } from './support/looks.js';
import { openRecording, ROLLOUT, recordingOf } from './support/recordings.js';

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
