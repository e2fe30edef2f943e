import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { shownOutcome, waitForTime } from './support/read-page.js';
import { openRecording, ROLLOUT, recordingOf, replayJson } from './support/recordings.js';

interface Explained {
  target: string;
  status: { code: string; message: string } | null;
  route: { index: number; of: number; notTaken: string[] } | null;
  timeout: { value: number | null } | null;
  paths: { share: number; cluster: string | null }[];
  steps: { what: string; detail: string }[];
  hints: string[];
}

const CALLS: { at: number; method: string; headers?: string[]; deadline?: string }[] = [
  { at: 1000, method: '/orders.v1.Refunds/Get' },
  { at: 8000, method: '/orders.v1.Refunds/Get' },
  { at: 8000, method: '/orders.v1.Refunds/Get', deadline: '1s' },
  { at: 8000, method: '/orders.v1.Orders/List', headers: ['x-env: canary'] },
  { at: 8000, method: '/orders.v1.Orders/List', headers: ['x-env: prod', 'x-user: 7'] },
  { at: 25_000, method: '/orders.v1.Reports/Read', deadline: '90s' },
];

/** The nouns, names and details of the RPC pane, one line per step. */
async function shownSteps(page: Page): Promise<string[]> {
  const lines = await page
    .locator('.rpc-pane .step')
    .evaluateAll((all) =>
      all.map((one) => `${one.querySelector('dt')?.textContent} ${one.querySelector('dd')?.textContent}`),
    );
  return lines.map((line) => line.replace(/\s+/g, ' ').trim());
}

/** A step of `explain -o json`, in which routes are counted from 0, as the page shows it. */
function stepText({ what, detail }: { what: string; detail: string }): string {
  const route = /^route (\d+)(.*)$/.exec(what);
  const head = route === null ? what.replace('its leaf', 'leaf') : `route ${Number(route[1]) + 1}${route[2]}`;
  return `${head} ${detail}`.replace(/\s+/g, ' ').trim();
}

describe('the RPC tester', () => {
  it.each(CALLS)('explains $method $headers $deadline at $at ms as explain does', async (call) => {
    const { at, method, headers = [], deadline } = call;
    const path = recordingOf(ROLLOUT);
    const flags = headers.flatMap((header) => ['--header', header]);
    if (deadline !== undefined) flags.push('--deadline', deadline);
    const all = await replayJson<Explained[]>(path, 'explain', '--method', method, ...flags, '--at', `${at}ms`);
    const expected = all.find(({ target }) => target === 'xds:///orders');
    if (expected === undefined) throw new Error('explain has no such target');

    const page = await openRecording(path, { fragment: `target=xds:///orders&t=${at / 1000}` });
    await waitForTime(page, at);
    await page.getByRole('combobox', { name: 'RPC' }).fill(method);
    for (const header of headers) {
      await page.getByRole('textbox', { name: 'headers' }).fill(header);
      await page.keyboard.press('Enter');
    }
    if (deadline !== undefined) await page.getByRole('textbox', { name: 'deadline' }).fill(deadline);

    await expect.poll(() => shownOutcome(page)).toMatchObject({ word: expected.status?.code });
    expect((await shownOutcome(page)).message).toBe(expected.status?.message);
    const steps = await shownSteps(page);
    expect(steps).toEqual(expect.arrayContaining(expected.steps.map(stepText)));
    for (const reason of expected.route?.notTaken ?? []) {
      const [, index, why] = /^route (\d+): (.*)$/.exec(reason) ?? [];
      expect(steps).toContain(`route ${Number(index) + 1} ${why}`);
    }
    const timeout = expected.timeout?.value;
    const seconds = timeout == null ? 'none' : `${timeout / 1000} s`;
    expect(steps.find((line) => line.startsWith('timeout ')) ?? 'timeout none').toMatch(
      new RegExp(`^timeout ${seconds.replace('.', '\\.').replace(' s', '(\\.0)? s|1 min')}`),
    );
    const advice = await page.getByRole('list', { name: 'Advice' }).getByRole('listitem').allTextContents();
    expect(advice.map((line) => line.replace('→ ', ''))).toEqual(expected.hints);
  });

  it('lights the path of the RPC in the graph', async () => {
    const fragment = 'target=xds:///orders&t=8&method=/orders.v1.Refunds/Get';
    const page = await openRecording(recordingOf(ROLLOUT), { fragment });
    const lit = page.locator('.gnode.path-lit .gnode-title');
    await expect
      .poll(() => lit.allTextContents())
      .toEqual(expect.arrayContaining([expect.stringContaining('/orders.v1.Refunds'), 'orders-refunds']));
    expect(await lit.allTextContents()).not.toContain('orders-blue');
    expect(await page.locator('.edge.is-lit').count()).toBeGreaterThan(2);
  });

  it('fills in an RPC that matches the selected route', async () => {
    const page = await openRecording(recordingOf(ROLLOUT), { fragment: 'target=xds:///orders' });
    await page.locator('.gnode.kind-route').filter({ hasText: 'canary' }).click();
    await expect
      .poll(() => page.getByRole('combobox', { name: 'RPC' }).inputValue())
      .toMatch(/^\/orders\.v1\.Orders\//);
    await expect.poll(() => shownOutcome(page)).toMatchObject({ word: 'OK' });
    expect(await page.locator('.header-chip').textContent()).toContain('x-env: canary');
  });

  it('says what is wrong with a method, and keeps the last outcome', async () => {
    const page = await openRecording(recordingOf(ROLLOUT), { fragment: 'target=xds:///orders' });
    await page.getByRole('combobox', { name: 'RPC' }).fill('no method');
    await page.getByRole('alert').getByText('The method').waitFor();
  });
});

describe('the graph', () => {
  it('shows the way from the target to its endpoints, worst first', async () => {
    const page = await openRecording(recordingOf(ROLLOUT), { fragment: 'target=xds:///orders&t=8' });
    const routes = page.locator('.gnode.kind-route .gnode-title');
    await expect.poll(() => routes.first().textContent()).toContain('/orders.v1.Refunds');
    const names = await page.locator('.gnode.kind-cluster .gnode-title').allTextContents();
    expect(names).toEqual(
      expect.arrayContaining(['orders-blue', 'orders-green', 'orders-reports', 'reports-a', 'reports-b']),
    );
    expect(await page.locator('.gnode.kind-locality').first().textContent()).toContain('eu-west1/b');
    await page.getByRole('button', { name: '1 more, not used by this target' }).click();
    await page.locator('.gnode-title').getByText('inventory').waitFor();
  });
});
