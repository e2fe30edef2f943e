import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { waitForTime } from './support/read-page.js';
import { openRecording, ROLLOUT, recordingOf, replay, replayJson } from './support/recordings.js';

const open = (fragment: string): Promise<Page> =>
  openRecording(recordingOf(ROLLOUT), { fragment: `target=xds:///orders&${fragment}` });

describe('the contents of a resource', () => {
  it('are the YAML of the version at the selected time', async () => {
    const page = await open('t=8&tab=contents&resource=CDS orders-blue');
    const yaml = page.getByRole('listbox', { name: 'Contents as YAML' });
    await yaml.getByText('RING_HASH').waitFor();
    await page.getByRole('combobox', { name: 'version' }).selectOption({ index: 0 });
    await yaml.getByText('RING_HASH').waitFor({ state: 'detached' });
    await yaml.getByText('orders-blue').waitFor();
  });

  it('of two versions are compared by field', async () => {
    const page = await open('t=8&tab=contents&resource=CDS orders-blue');
    await page.getByRole('button', { name: 'Difference' }).click();
    const panel = page.getByRole('tabpanel', { name: 'Contents' });
    await panel.getByText('lb_policy').first().waitFor();
    await panel.getByText('RING_HASH').first().waitFor();
    const options = await page.getByRole('combobox', { name: 'to' }).getByRole('option').allTextContents();
    const rejected = options.findIndex((text) => text.includes('rejected'));
    expect(options[rejected]).toMatch(/^10 rejected/);
    await page.getByRole('combobox', { name: 'to' }).selectOption({ index: rejected });
    await panel.getByText('MAGLEV').first().waitFor();
  });

  it('come with who sent them, their errors and their history', async () => {
    const page = await open('side=resource&resource=CDS orders-blue');
    const pane = page.getByRole('tabpanel', { name: 'Resource' });
    expect(await pane.textContent()).toMatch(/NACKED.*version 9.*sent by.?memory:plane/);
    await pane.getByRole('region', { name: 'Error' }).getByText('LB policy is not supported').waitFor();
    await pane.getByRole('region', { name: 'Other implementations' }).waitFor();
    const history = pane.getByRole('region', { name: 'History' }).getByRole('button');
    expect(await history.count()).toBeGreaterThan(3);
    await history.first().click();
    await waitForTime(page, 0);
    expect(await pane.textContent()).toMatch(/version 7|REQUESTED/);
  });
});

describe('the event log', () => {
  it('has the lines of replay --events, a search and filters', async () => {
    const lines = (await replay(recordingOf(ROLLOUT), '--events')).trim().split('\n');
    const page = await open('tab=events');
    const count = page.locator('.pane-count');
    const all = Number(/\d+/.exec((await page.getByRole('tab', { name: 'Events' }).textContent()) ?? '')?.[0]);
    await expect.poll(() => count.textContent()).toBe(`${all} events`);
    await page.getByRole('searchbox', { name: 'Search events' }).fill('MAGLEV');
    await expect.poll(() => count.textContent()).not.toBe(`${all} events`);
    await page.getByRole('searchbox', { name: 'Search events' }).fill('LB policy is not supported');
    const rows = page.getByRole('listbox', { name: 'Events' }).getByRole('option');
    const matching = lines.filter((line) => line.includes('LB policy is not supported'));
    await expect.poll(() => rows.count()).toBe(matching.length);
    for (const text of await rows.locator('.event-text').allTextContents())
      expect(
        matching.some((line) => line.includes(text.slice(0, 40))),
        text,
      ).toBe(true);

    await page.getByRole('searchbox', { name: 'Search events' }).fill('');
    await page.getByRole('button', { name: /all kinds/ }).click();
    await page.getByRole('checkbox', { name: 'error', exact: true }).check();
    await expect
      .poll(async () => new Set(await rows.locator('.event-kind').allTextContents()))
      .toEqual(new Set(['error']));
    await page.getByRole('button', { name: 'error', exact: false }).filter({ hasText: '▾' }).click();
    await rows.last().click();
    await expect.poll(() => new URL(page.url()).hash).toMatch(/t=\d/);
  });
});

describe('findings', () => {
  it('have their codes, advice and the tears of the report', async () => {
    interface Report {
      scopes: { scope: string; findings: { code: string; message: string; advice: string | null }[] }[];
    }
    const recorded = {
      scenario: 'findings/ends-streams.yaml',
      targets: { 'xds:///greeter': 'greeter' },
      seconds: 20,
    };
    const path = recordingOf(recorded);
    const { scopes } = await replayJson<Report>(path, 'report');
    const expected = scopes.flatMap(({ findings }) => findings);
    expect(expected.length).toBeGreaterThan(0);
    const page = await openRecording(path, { fragment: 'tab=findings' });
    const panel = page.getByRole('tabpanel', { name: 'Findings' });
    for (const { code, message, advice } of expected) {
      const entry = panel.locator('.finding').filter({ hasText: code });
      expect(await entry.textContent()).toContain(message);
      if (advice !== null) expect(await entry.textContent()).toContain(advice);
    }
  });

  it('include config tears and errors, with jumps to their time', async () => {
    const page = await open('tab=findings');
    const panel = page.getByRole('tabpanel', { name: 'Findings' });
    await panel.getByText('PERMISSION_DENIED').first().waitFor();
    await panel.getByRole('button', { name: '03:04:07.500' }).first().click();
    await waitForTime(page, 2500);
  });
});

describe('a fallback', () => {
  it('shows primary and fallback side by side', async () => {
    const page = await openRecording(recordingOf(ROLLOUT), { fragment: 'target=xds://eu/shipping&tab=servers' });
    const table = page.getByRole('tabpanel').getByRole('table').first();
    await table.getByRole('columnheader').last().waitFor();
    const heads = await table.getByRole('columnheader').allTextContents();
    expect(heads.join('|')).toMatch(/memory:eu-planeprimary, .*\|.*memory:eu-standbyfallback, active/);
    const row = await table.getByRole('row').filter({ hasText: 'CDS' }).textContent();
    expect(row).toMatch(/version 12.*version 11.*in use/);
  });
});
