import { describe, expect, it } from 'vitest';
import { openHtml } from './support/open-page.js';
import { openRecording, ROLLOUT, recordingOf, replay } from './support/recordings.js';

describe('the file', () => {
  it('opens from file:// without a request, and shows the panes', async () => {
    const page = await openRecording(recordingOf(ROLLOUT));
    await page.getByRole('tab', { name: 'Graph' }).waitFor();
    expect(new URL(page.url()).protocol).toBe('file:');
    for (const name of ['Verdicts', 'Timeline'])
      await page.getByRole('region', { name }).waitFor({ state: 'attached' });
  });

  it('says in one sentence that its data is damaged', async () => {
    const html = await replay(recordingOf(ROLLOUT), '-o', 'html');
    const page = await openHtml(html.replace(/(id="blob-0"[^>]*>.{100})/s, '$1!!!!'), { isDamaged: true });
    await page
      .getByText(/^The data in this page is damaged: [^.]+\. Write the page again with xds-inspect\.$/)
      .waitFor();
  });
});
