import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { hostileScenario, TEXTS } from '../cli/hostile.js';
import { temporaryFolder } from '../support/clean-up.js';
import { showFragment } from './support/open-page.js';
import { resourceList, shownVerdicts, unfoldResources } from './support/read-page.js';
import { openRecording, type Recorded, recordingOf } from './support/recordings.js';

/** Each sets `window.hacked` if the page treats it as markup, code or an address. */
const MARKUP = [
  '<script>window.hacked=1</script>',
  '</script><script>window.hacked=1</script>',
  '<!--<script>window.hacked=1',
  '<img src=x onerror=window.hacked=1>',
  '<svg onload=window.hacked=1><style>body{display:none}</style>',
  '"><a href=javascript:window.hacked=1>x</a>',
  'javascript:window.hacked=1',
  'http://127.0.0.1:9/request-me',
  '</style></title></textarea><img src=http://127.0.0.1:9/x>',
  '{{constructor.constructor("window.hacked=1")()}}',
  "');window.hacked=1;('",
];

const RECORDED: Recorded = {
  scenario: hostileScenario(1_000_000, [...MARKUP, ...TEXTS]),
  targets: { 'xds:///greeter': 'greeter' },
  seconds: 20,
};

const LONG = `${'long name '.repeat(100_000)}<b>`;
const MEGABYTES: Recorded = {
  scenario: hostileScenario(10, [LONG, `<img src=x onerror=window.hacked=1>${'x'.repeat(1_000_000)}`, 'short']),
  targets: { 'xds:///greeter': 'greeter' },
  seconds: 20,
};

const TABS = ['graph', 'contents', 'events', 'findings', 'servers'];
const SIDES = ['rpc', 'resource', 'whatif'];

/** Texts and attributes that are visible, and contain characters that hide or reorder text. */
async function hiddenCharacters(page: Page): Promise<string[]> {
  return await page.evaluate(() => {
    const hidden = /(?![\n\t])[\p{Cc}\p{Cf}\p{Co}\p{Zl}\p{Zp}\u3164]|\p{M}{5}/u;
    const found: string[] = [];
    const note = (where: string, text: string | null): void => {
      const at = text?.search(hidden) ?? -1;
      if (at >= 0) found.push(`${where}: ${JSON.stringify(text?.slice(Math.max(0, at - 20), at + 5))}`);
    };
    for (const element of document.querySelectorAll('#app, #app *')) {
      for (const { nodeType, textContent } of element.childNodes)
        if (nodeType === 3) note(element.className, textContent);
      for (const name of ['title', 'aria-label', 'placeholder']) note(name, element.getAttribute(name));
    }
    return found;
  });
}

/** Elements beyond the right edge of the window that nothing clips. */
async function overflowing(page: Page): Promise<string[]> {
  return await page.evaluate(() => {
    const clips = (element: Element | null): boolean => {
      for (let one = element; one !== null; one = one.parentElement)
        if (getComputedStyle(one).overflowX !== 'visible') return true;
      return false;
    };
    const root = document.scrollingElement;
    const all = [...document.querySelectorAll('#app *')].filter(
      (element) => element.getBoundingClientRect().right > innerWidth + 1 && !clips(element.parentElement),
    );
    const names = all.map(({ tagName, className }) => `${tagName} ${className}`);
    return root !== null && root.scrollWidth > innerWidth ? ['the page', ...names] : names;
  });
}

async function expectHarmless(page: Page, what: string): Promise<void> {
  expect(await page.evaluate('window.hacked'), what).toBe(undefined);
  expect(await overflowing(page), what).toEqual([]);
  expect(await hiddenCharacters(page), what).toEqual([]);
  expect(await page.locator('#app :is(script, iframe, object, embed, a[href], img, style, link)').count(), what).toBe(
    0,
  );
}

/** Looks at every pane. */
async function walk(page: Page, state: string): Promise<void> {
  for (const [i, tab] of TABS.entries()) {
    const side = SIDES[i % SIDES.length] ?? '';
    await showFragment(page, `${state}&tab=${tab}&side=${side}`);
    await page.locator(`#tab-${tab}[aria-selected=true]`).or(page.locator('#tab-graph')).first().waitFor();
    await page.locator(`#tab-${side}[aria-selected=true]`).waitFor();
    await expectHarmless(page, `${tab} ${side}`);
  }
}

describe('hostile names', () => {
  it('are text in every pane: no script runs, no request leaves, nothing overflows', async () => {
    const path = join(temporaryFolder(), '<img src=x onerror=window.hacked=1>\u202e.xdsrec');
    copyFileSync(recordingOf(RECORDED), path);
    const page = await openRecording(path, {}, '--at', '19s');
    await page.getByRole('tab', { name: 'Graph' }).waitFor();
    // The configuration is published, so that the graph contains the names.
    expect(await shownVerdicts(page)).toMatchObject([{ word: 'PARTLY' }]);
    await unfoldResources(page);
    await walk(page, 'target=xds:///greeter');
    for (const text of [MARKUP[3], MARKUP[1], TEXTS[0], TEXTS[7]]) {
      const name = encodeURIComponent(text ?? '');
      await showFragment(page, `resource=CDS ${name}&method=/a/${name}&header=x:${name}&side=resource&tab=contents`);
      await page.getByRole('tab', { name: 'Contents', selected: true }).waitFor();
      await expectHarmless(page, text ?? '');
    }
    await page
      .getByRole('searchbox', { name: 'Search events' })
      .or(page.getByRole('tab', { name: 'Events' }))
      .first()
      .click();
    await page.getByRole('searchbox', { name: 'Search events' }).fill('<img');
    await expect.poll(() => page.getByRole('status').first().textContent()).toMatch(/of \d+ events/);
    await expectHarmless(page, 'the search');
  });

  it.each([390, 1000])('do not make a page of %i pixels wider', async (width) => {
    const page = await openRecording(recordingOf(RECORDED), { viewport: { width, height: 800 } });
    await page.getByRole('tab', { name: 'Graph' }).waitFor();
    await walk(page, 'target=xds:///greeter');
  });

  it('of a megabyte leave the page usable', async () => {
    const page = await openRecording(recordingOf(MEGABYTES));
    await page.getByRole('tab', { name: 'Graph' }).waitFor();
    await unfoldResources(page);
    await walk(page, 'target=xds:///greeter');
    const long = resourceList(page).getByRole('option').filter({ hasText: 'long name' }).first();
    await long.locator('.row-name').click();
    await page.getByRole('tab', { name: 'Resource', selected: true }).waitFor();
    await expectHarmless(page, 'a long name');
    await page.getByRole('tab', { name: 'Contents' }).click();
    await page
      .getByRole('listbox', { name: 'Contents as YAML' })
      .or(page.getByText('never received'))
      .first()
      .waitFor();
    await expectHarmless(page, 'long contents');
    await page.getByRole('tab', { name: 'Events' }).click();
    await page.getByRole('tab', { name: 'Events', selected: true }).waitFor();
  });
});
