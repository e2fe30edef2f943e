import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { resourceList, shownVerdicts, waitForTime } from './support/read-page.js';
import { openRecording, ROLLOUT, recordingOf } from './support/recordings.js';

let page: Page;
beforeEach(async () => {
  page = await openRecording(recordingOf(ROLLOUT), { fragment: 'target=xds:///orders' });
  await page.getByRole('region', { name: 'Timeline' }).waitFor();
});

/** The row of a resource or a server. */
const row = (text: string) => resourceList(page).getByRole('option').filter({ hasText: text });
/** The part of the session that the timeline shows, such as `0.0–25.0 s`. */
const shownPart = () => page.locator('.toolbar .shown').textContent();
const fragment = () => new URLSearchParams(new URL(page.url()).hash.slice(1));

/** The position of a time in the plot, in pixels, while the whole session is shown. */
async function pointAt(seconds: number): Promise<{ x: number; y: number }> {
  const box = await page.locator('.overlay').boundingBox();
  if (box === null) throw new Error('the timeline has no plot');
  return { x: box.x + (box.width * seconds) / ROLLOUT.seconds, y: box.y + box.height - 30 };
}

describe('the timeline', () => {
  it('has a track per resource with versions, NACKs and errors, and one per server', async () => {
    const blue = row('orders-blue').first();
    expect(await blue.locator('.row-plot').textContent()).toMatch(/7.*8.*9.*NACK 10 · version 9 kept/);
    expect(await row('orders-refunds').locator('.row-plot').textContent()).toContain('RECEIVED_ERROR');
    expect(await row('orders-green').first().locator('.s-pending').count()).toBe(1);
    expect(await row('memory:plane').locator('.row-name').textContent()).toContain('active');
    expect(await row('memory:standby').locator('.row-name').textContent()).toContain('idle');
  });

  it('has a band of what RPCs used, with the part that was held back', async () => {
    const band = page.locator('.line.band');
    expect(await band.textContent()).toMatch(/configuration 1 · routes 7.*routes 8.*routes 9 · PARTLY/);
    expect(await band.locator('.held').count()).toBe(1);
  });

  it('shows config tears with their duration, and zooms to one', async () => {
    const tear = page.getByRole('button', { name: /Zoom to the config tear: 400 ms/ });
    await tear.click();
    await waitForTime(page, 2500);
    expect(await shownPart()).toBe('2.260–3.140 s');
    await page.getByRole('button', { name: 'fit' }).click();
    await expect.poll(shownPart).toBe('0.0–25.0 s');
  });

  it('moves the time by dragging, and shows the verdict of that time', async () => {
    const [from, to] = [await pointAt(20), await pointAt(3)];
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    await expect.poll(() => fragment().get('t')).toMatch(/^(19\.9|20)/);
    await page.mouse.move(to.x, to.y, { steps: 4 });
    await page.mouse.up();
    await expect.poll(() => fragment().get('t')).toMatch(/^(2\.9|3\.0|3$)/);
    const [orders] = (await shownVerdicts(page)).filter(({ target }) => target === 'xds:///orders');
    expect(orders).toMatchObject({ word: 'OK', cause: expect.stringContaining('a leaf of aggregate cluster') });
    await page.getByRole('button', { name: 'at the end: PARTLY' }).click();
    await waitForTime(page, 25_000);
  });

  it('selects a window with Shift, and zooms and pans with the wheel', async () => {
    const [from, to] = [await pointAt(5), await pointAt(15)];
    await page.keyboard.down('Shift');
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    await page.mouse.move(to.x, to.y, { steps: 3 });
    await page.mouse.up();
    await page.keyboard.up('Shift');
    await expect.poll(shownPart).toMatch(/^(4\.9|5\.\d)–(14\.9|15\.\d) s$/);
    await page.keyboard.down('Control');
    await page.mouse.wheel(0, -300);
    await page.keyboard.up('Control');
    await expect.poll(shownPart).toMatch(/^8\.\d–12\.\d s$/);
    await page.keyboard.down('Shift');
    await page.mouse.wheel(0, -500);
    await page.keyboard.up('Shift');
    await expect.poll(shownPart).toMatch(/^[67]\.\d–1[01]\.\d s$/);
  });

  it('steps through events and problems', async () => {
    await page.getByRole('button', { name: '1 NACK' }).click();
    await waitForTime(page, 11_900);
    await page.getByRole('button', { name: 'Previous event' }).click();
    await expect.poll(() => Number(fragment().get('t'))).toBeLessThan(11.9);
    await page.getByRole('button', { name: 'end', exact: true }).click();
    await waitForTime(page, 25_000);
    await expect.poll(() => fragment().get('t')).toBe(null);
  });

  it('selects the same resource in all panes', async () => {
    await row('orders-blue').first().locator('.row-name').click();
    await expect.poll(() => fragment().get('resource')).toBe('CDS orders-blue');
    expect(await page.getByRole('tab', { name: 'Resource' }).getAttribute('aria-selected')).toBe('true');
    expect(await page.locator('.gnode.is-selected .gnode-title').textContent()).toBe('orders-blue');
  });
});
