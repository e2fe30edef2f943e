import type { Page } from 'playwright-core';

export interface ShownVerdict {
  word: string;
  target: string;
  cause: string;
}

/** The lines of the first band: one per target, worst first. */
export async function shownVerdicts(page: Page): Promise<ShownVerdict[]> {
  const rows = page.getByRole('listbox', { name: 'Targets' }).getByRole('option');
  return await rows.evaluateAll((all) =>
    all.map((row) => {
      const text = (selector: string): string => row.querySelector(selector)?.textContent ?? '';
      // The chip with the verdict at the end of the session is beside the cause.
      const cause = [...(row.querySelector('.cause')?.childNodes ?? [])].filter(({ nodeType }) => nodeType === 3);
      return {
        word: text('.badge'),
        target: text('.target'),
        cause: cause.map(({ textContent }) => textContent).join(''),
      };
    }),
  );
}

export interface ShownResource {
  type: string;
  name: string;
  status: string;
  version: string;
}

export function resourceList(page: Page) {
  return page.getByRole('listbox', { name: 'Resources and servers' });
}

/** Opens every row that stands for several resources. */
export async function unfoldResources(page: Page): Promise<void> {
  const folded = resourceList(page).getByRole('option').filter({ hasText: '▸' });
  while ((await folded.count()) > 0) await folded.first().locator('.row-name').click();
}

/** All resources of the timeline, in any order. The list is virtual, so this scrolls through it. */
export async function shownResources(page: Page): Promise<ShownResource[]> {
  const rows = await resourceList(page).evaluate(async (list) => {
    const found = new Map<string, ShownResource>();
    const frame = (): Promise<unknown> => new Promise(requestAnimationFrame);
    for (let top = 0; ; top += list.clientHeight) {
      list.scrollTop = top;
      await frame();
      await frame();
      for (const row of list.querySelectorAll('.r-resource')) {
        const text = (selector: string): string => row.querySelector(selector)?.textContent ?? '';
        const status = row.querySelector('[role=img]')?.getAttribute('aria-label') ?? '';
        found.set(row.id, { type: text('.kind'), name: text('.name'), status, version: text('.row-name .value') });
      }
      if (top + list.clientHeight >= list.scrollHeight) break;
    }
    list.scrollTop = 0;
    return [...found.values()];
  });
  return rows.filter(({ status }) => status !== 'not requested');
}

/** Waits until the page shows a time, in milliseconds since the start. */
export async function waitForTime(page: Page, at: number): Promise<void> {
  await page
    .locator('.toolbar .offset')
    .getByText(`+${(at / 1000).toFixed(3)} s`)
    .waitFor();
}

/** The outcome in the RPC pane. */
export async function shownOutcome(page: Page): Promise<{ word: string; message: string }> {
  const outcome = page.getByRole('region', { name: 'Outcome' });
  const word = await outcome.getByRole('heading').evaluate((heading) => heading.childNodes[1]?.textContent ?? '');
  const message = (await outcome.locator('.rpc-message').allTextContents()).join('');
  return { word, message };
}
