import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { compareSets } from '../../src/inspect/diff/compare-sets.js';
import type { ComparedResource } from '../../src/inspect/diff/resource-set.js';
import { filesOnDisk } from '../../src/io/package-files.js';
import { loadDiffStyle } from '../../src/io/page/assets.js';
import { diffPageParts } from '../../src/view/render/diff/html.js';
import { resource, route, routes, secret, setOf } from '../inspect/diff/resource-sets.js';
import { ROOT } from '../support/root.js';
import { brightness, faintTexts } from './support/looks.js';
import { type OpenOptions, openHtml } from './support/open-page.js';

const LONG = `outbound|8080||${'averylongname'.repeat(30)}svc.cluster.local`;
const rds = (...list: object[]): ComparedResource => resource('RDS', LONG, routes(LONG, ...list));
const cds = (name: string, more: object = {}): ComparedResource => resource('CDS', name, { name, ...more });

async function openDiff(options: OpenOptions): Promise<Page> {
  const before = setOf(
    'a.yaml',
    rds(route('/a', 'x'), route('/', LONG)),
    { ...cds('c'), status: 'ACKED' },
    cds('red'),
    resource('SDS', 's', secret('s', 'KEY-1')),
  );
  const after = setOf(
    `xds:///${LONG}`,
    rds(route('/', 'x'), route('/a', 'y')),
    { ...cds('c', { altStatName: '<b>&' }), status: 'NACKED' },
    cds('green'),
    resource('SDS', 's', secret('s', 'KEY-2')),
  );
  const diff = compareSets(before, after, { versions: false });
  const style = loadDiffStyle({ packageFiles: filesOnDisk(ROOT) });
  return await openHtml([...diffPageParts({ diff, showSecrets: false, style })].join(''), options);
}

describe('the page of a comparison', () => {
  it.each(['light', 'dark'] as const)('is %s if the system is, with enough contrast', async (colorScheme) => {
    const page = await openDiff({ colorScheme });
    const [text, background] = [await brightness(page, 'color'), await brightness(page, 'backgroundColor')];
    expect(text > background).toBe(colorScheme === 'dark');
    await page.getByText('only in a.yaml').last().click();
    expect(await faintTexts(page)).toEqual([]);
  });

  it('opens and closes a resource without a script', async () => {
    const page = await openDiff({});
    const contents = page.getByText('name: red');
    expect(await contents.isVisible()).toBe(false);
    await page.locator('summary', { hasText: 'red' }).click();
    expect(await contents.isVisible()).toBe(true);
    expect(await page.locator('pre', { hasText: '<b>&' }).isVisible()).toBe(true);
    expect(await page.getByText('[redacted], differs').isVisible()).toBe(true);
  });

  it.each([380, 1440])('fits into %i pixels', async (width) => {
    const page = await openDiff({ viewport: { width, height: 900 } });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  });

  it('is light on paper', async () => {
    const page = await openDiff({ colorScheme: 'dark' });
    await page.emulateMedia({ media: 'print' });
    expect(await brightness(page, 'backgroundColor')).toBeGreaterThan(200);
    expect((await page.pdf()).length).toBeGreaterThan(10_000);
  });
});
