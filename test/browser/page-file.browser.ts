import { describe, expect, it } from 'vitest';
import { openHtml } from './support/open-page.js';
import { openRecording, ROLLOUT, recordingOf, replay } from './support/recordings.js';

/** The page of the rollout, with some wrong bytes in the blob with the recording or with the contents. */
async function damagedPage(part: 'recording' | 'contents'): Promise<string> {
  const html = await replay(recordingOf(ROLLOUT), '-o', 'html');
  const [, blob] = new RegExp(`"${part}":(\\d+)`).exec(html) ?? [];
  return html.replace(new RegExp(`(id="blob-${blob}">.{400}).{8}`, 's'), '$1AAAAAAAA');
}

describe('the file', () => {
  it('opens from file:// without a request, and shows the panes', async () => {
    const page = await openRecording(recordingOf(ROLLOUT));
    await page.getByRole('tab', { name: 'Graph' }).waitFor();
    expect(new URL(page.url()).protocol).toBe('file:');
    for (const name of ['Verdict of each target', 'Timeline']) await page.getByRole('region', { name }).waitFor();
    expect(await page.title()).toContain('rollout.xdsrec');
  });

  it('says in one sentence that its recording is damaged', async () => {
    const page = await openHtml(await damagedPage('recording'), { isDamaged: true });
    await page.getByText(/damaged.*\. Write the page again with xds-inspect\.$/).waitFor();
  });

  it('says that the contents of resources are damaged, and shows everything else', async () => {
    const fragment = 'target=xds:///orders&tab=contents&resource=CDS orders-blue';
    const page = await openHtml(await damagedPage('contents'), { fragment, isDamaged: true });
    await page.getByRole('tabpanel').getByText('damaged').waitFor();
    await page.getByRole('tab', { name: 'Graph' }).click();
    await page.locator('.gnode').first().waitFor();
  });

  it('restores what the fragment says', async () => {
    const fragment = [
      'target=xds://eu/shipping&t=1.2&w=0.5-3&tab=events&side=resource',
      'resource=CDS xdstp://eu/envoy.config.cluster.v3.Cluster/shipping&method=/a.B/C&header=x: y&theme=dark',
    ].join('&');
    const page = await openRecording(recordingOf(ROLLOUT), { fragment });
    const selected = page.getByRole('tab', { selected: true });
    await expect.poll(() => selected.allTextContents()).toEqual([expect.stringMatching(/^Events/), 'Resource']);
    const state = new URLSearchParams(new URL(page.url()).hash.slice(1));
    const wanted = new URLSearchParams(fragment);
    expect([...state].sort()).toEqual([...wanted].sort());
    expect(await page.getByRole('option', { selected: true }).first().textContent()).toContain('xds://eu/shipping');
    expect(await page.locator('.toolbar').textContent()).toMatch(/\+1\.200 s.*0\.5–3\.0 s/);
    await page.reload();
    await expect.poll(() => selected.allTextContents()).toEqual([expect.stringMatching(/^Events/), 'Resource']);
  });

  it('ignores a fragment that it does not understand', async () => {
    const fragment = 't=-3&w=9-1&tab=none&side=x&resource=&method=%zz&target=none&feature=no_such_feature&client=77';
    const page = await openRecording(recordingOf(ROLLOUT), { fragment });
    await page.getByRole('tab', { name: 'Graph', selected: true }).waitFor();
    expect(await page.getByRole('option', { selected: true }).first().textContent()).toContain('xds:///orders');
  });
});
