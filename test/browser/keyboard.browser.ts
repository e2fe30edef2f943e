import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { shownOutcome, waitForTime } from './support/read-page.js';
import { openRecording, ROLLOUT, recordingOf } from './support/recordings.js';

const fragmentOf = (page: Page): URLSearchParams => new URLSearchParams(new URL(page.url()).hash.slice(1));

interface Focused {
  tag: string;
  role: string;
  label: string;
  hasOutline: boolean;
}

/** The element that has the focus. */
async function focused(page: Page): Promise<Focused> {
  return await page.evaluate(() => {
    const element = document.activeElement as HTMLElement;
    const label = element.getAttribute('aria-label') ?? element.id ?? '';
    // The box of a field with a label has the outline.
    const hasOutline = [element, element.closest('.field')].some((one) => {
      if (one === null) return false;
      const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(one);
      return (outlineStyle !== 'none' && outlineWidth !== '0px') || boxShadow !== 'none';
    });
    return { tag: element.tagName, role: element.getAttribute('role') ?? '', label, hasOutline };
  });
}

describe('the keyboard alone', () => {
  it('reaches every part of the page with Tab, each with a visible focus', async () => {
    const page = await openRecording(recordingOf(ROLLOUT), { fragment: 'target=xds:///orders' });
    await page.getByRole('tab', { name: 'Graph' }).waitFor();
    const seen: Focused[] = [];
    for (let i = 0; i < 80; i++) {
      await page.keyboard.press('Tab');
      const next = await focused(page);
      if (next.tag === 'BODY') break;
      seen.push(next);
    }
    const labels = seen.map(({ label }) => label).join('\n');
    for (const part of [
      'Find',
      'Targets',
      'Selected time',
      'Resources and servers',
      'tab-graph',
      'rpc-method',
      'tab-rpc',
    ])
      expect(labels, part).toContain(part);
    expect(seen.filter(({ hasOutline }) => !hasOutline)).toEqual([]);
  });

  it('selects targets, times, windows, panes and resources', async () => {
    const page = await openRecording(recordingOf(ROLLOUT));
    await page.getByRole('tab', { name: 'Graph' }).waitFor();
    await page.keyboard.press('Home');
    await waitForTime(page, 0);
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => Number(fragmentOf(page).get('t'))).toBeGreaterThan(0);
    await page.keyboard.press('End');
    await waitForTime(page, 25_000);
    await page.keyboard.press('n');
    await expect.poll(() => fragmentOf(page).get('t')).not.toBe(null);
    await page.keyboard.press('+');
    await expect.poll(() => fragmentOf(page).get('w')).not.toBe(null);
    await page.keyboard.press('0');
    await expect.poll(() => fragmentOf(page).get('w')).toBe(null);
    await page.keyboard.press(']');
    await expect.poll(() => fragmentOf(page).get('target')).toBe('xds://eu/shipping');
    await page.keyboard.press('[');
    await expect.poll(() => fragmentOf(page).get('target')).toBe('xds:///orders');
    for (const [key, tab] of Object.entries({ 2: 'Contents', 3: 'Events', 4: 'Findings', 5: 'Servers', 1: 'Graph' })) {
      await page.keyboard.press(key);
      await page.getByRole('tab', { name: tab, selected: true }).waitFor();
    }
    await page.keyboard.press('w');
    await page.getByRole('tab', { name: 'What if', selected: true }).waitFor();
    await page.keyboard.press('t');
    await expect.poll(() => fragmentOf(page).get('theme')).toBe('dark');
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keys' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog', { name: 'Keys' }).waitFor({ state: 'detached' });
  });

  it('tests an RPC, selects a resource in the timeline and reads its difference', async () => {
    const page = await openRecording(recordingOf(ROLLOUT), { fragment: 'target=xds:///orders' });
    await page.getByRole('tab', { name: 'Graph' }).waitFor();
    await page.keyboard.press('r');
    await expect.poll(async () => (await focused(page)).label).toBe('rpc-method');
    await page.keyboard.type('/orders.v1.Refunds/Get');
    await expect.poll(() => shownOutcome(page)).toMatchObject({ word: 'UNAVAILABLE' });
    await page.keyboard.press('Escape');
    for (let i = 0; i < 30 && (await focused(page)).label !== 'Resources and servers, worst first'; i++)
      await page.keyboard.press('Tab');
    await page.keyboard.press('Home');
    await page.keyboard.press('Enter');
    await expect.poll(() => fragmentOf(page).get('resource')).toMatch(/^CDS orders-(blue|refunds)$/);
    await page.getByRole('tab', { name: 'Resource', selected: true }).waitFor();
  });

  it('moves between the nodes of the graph with arrows', async () => {
    const page = await openRecording(recordingOf(ROLLOUT), { fragment: 'target=xds:///orders' });
    await page.locator('.gnode').first().waitFor();
    await page.locator('.gnode[tabindex="0"]').focus();
    for (const key of ['ArrowRight', 'ArrowRight', 'ArrowRight']) await page.keyboard.press(key);
    const title = page.locator('.gnode:focus .gnode-title');
    await expect.poll(() => title.count()).toBe(1);
    await page.keyboard.press('Enter');
    await expect.poll(() => page.locator('.gnode.is-selected:focus').count()).toBe(1);
  });

  it('finds a resource by a part of its name', async () => {
    const page = await openRecording(recordingOf(ROLLOUT), { fragment: 'target=xds:///orders' });
    await page.getByRole('tab', { name: 'Graph' }).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('refunds');
    await page
      .getByRole('option', { name: /CDS.*orders-refunds/ })
      .first()
      .waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect.poll(() => fragmentOf(page).get('resource')).toBe('CDS orders-refunds');
  });
});
