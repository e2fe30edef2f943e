import { describe, expect, it } from 'vitest';
import { openRecording, ROLLOUT, recordingOf, replayJson } from './support/recordings.js';

interface WhatIf {
  scopes: {
    scope: string;
    parts: { afterMs: number; recorded: { text: string } | null; changed: { text: string } | null } | null;
    outcomes: { what: string; recorded: string; changed: string }[];
  }[];
}

describe('the what-if run', () => {
  it('finds the differences that replay --feature prints, and draws a second band', async () => {
    const path = recordingOf(ROLLOUT);
    const { scopes } = await replayJson<WhatIf>(path, '--feature', 'fail_on_data_errors');
    const expected = scopes.find(({ scope }) => scope === 'xds:///orders');
    const page = await openRecording(path, { fragment: 'target=xds:///orders&side=whatif' });
    await page.getByRole('switch', { name: 'fail_on_data_errors' }).check();
    const found = page.locator('.differences');
    await found.waitFor();
    const shown = await found.locator('dl').evaluateAll((all) =>
      all.slice(1).map((list) => {
        const [recorded, changed] = [...list.querySelectorAll('dd')].map(({ textContent }) => textContent);
        return { what: list.querySelector('.what')?.textContent, recorded, changed };
      }),
    );
    expect(shown).toEqual(expected?.outcomes);
    expect(await found.locator('dl').first().textContent()).toBe(
      `recorded${expected?.parts?.recorded?.text}what if${expected?.parts?.changed?.text}`,
    );
    const band = page.locator('.line.what-if');
    expect(await band.locator('.row-name').textContent()).toBe('What ifdiffers');
    expect(await band.locator('.piece.changed').count()).toBeGreaterThan(0);
    expect(new URL(page.url()).hash).toContain('feature=fail_on_data_errors');
    await found.getByRole('button', { name: 'after 11.9 s' }).click();
    await expect.poll(() => page.url()).toContain('t=11.9');
    await page.getByRole('button', { name: 'As recorded' }).click();
    await expect.poll(() => band.count()).toBe(0);
  });

  it('starts from a link, with C-core and another resource timer', async () => {
    const path = recordingOf(ROLLOUT);
    const fragment = 'target=xds:///orders&side=whatif&as=c-core&timer=0.2&grace=1';
    const page = await openRecording(path, { fragment });
    const { scopes } = await replayJson<WhatIf>(
      ...([path, '--as', 'c-core', '--resource-timer', '200ms', '--tear-grace', '1s'] as const),
    );
    const expected = scopes.find(({ scope }) => scope === 'xds:///orders')?.outcomes ?? [];
    await expect
      .poll(() => page.locator('.differences dl .what').allTextContents())
      .toEqual(expected.map(({ what }) => what));
    expect(await page.getByRole('combobox', { name: 'behave as' }).inputValue()).toBe('c-core');
  });
});
