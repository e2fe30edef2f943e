import { InputProblem } from '../../base/input-problem.js';
import { feedRecording, readHeader } from '../../inspect/feed-recording.js';
import { emptyStep } from '../../inspect/history/journal.js';
import { recordHistory } from '../../inspect/history/recorded-history.js';
import type { PageClient, PageContent, PageData } from '../page-data.js';
import { csdsSessions } from './csds-sessions.js';
import { blobText, embeddedRecording, pageData } from './embedded.js';
import { startLive } from './live.js';
import { slices } from './slices.js';
import { data, type PageSession, revision, sessions } from './store.js';

/** Reads what the tool embedded in the page. `onProgress` shows a sentence while that takes time. */
export async function loadPage(onProgress: (sentence: string) => void): Promise<void> {
  const page = pageData();
  data.value = page;
  if (page.mode === 'live') return await startLive(page);
  if (page.mode === 'csds') {
    sessions.value = await csdsSessions(page);
    return;
  }
  sessions.value = page.clients.map(({ name }) => emptySession(name));
  for (const [i, client] of page.clients.entries()) {
    if (i === 0) await show(0, loadClient(page, client, onProgress));
    // Further clients are read while the first one can be looked at.
    else
      void loadNext(
        i,
        loadClient(page, client, () => {}),
      );
  }
}

async function loadNext(index: number, loading: Promise<PageSession>): Promise<void> {
  try {
    await show(index, loading);
  } catch (error) {
    const failed = { ...emptySession(sessions.peek()[index]?.name ?? ''), remarks: [sentenceOf(error)] };
    sessions.value = sessions.peek().map((one, i) => (i === index ? failed : one));
  }
}

async function show(index: number, loading: Promise<PageSession>): Promise<void> {
  const loaded = await loading;
  sessions.value = sessions.peek().map((one, i) => (i === index ? loaded : one));
  revision.value++;
}

/** A session that is not loaded yet. */
function emptySession(name: string): PageSession {
  const loadContents = async (): Promise<PageContent[]> => [];
  return { name, history: undefined, fixed: undefined, recording: undefined, loadContents, remarks: [] };
}

async function loadClient(
  { title, suppress, clients }: PageData,
  { name, recording: blob, contents, listed }: PageClient,
  onProgress: (sentence: string) => void,
): Promise<PageSession> {
  const slice = slices();
  const shown = clients.length === 1 ? title : name;
  let isLoaded = false;
  const file = embeddedRecording(blob, shown, async (share) => {
    // What-if runs read the file again, while the page is shown.
    if ((await slice()) && !isLoaded) onProgress(`Reading ${shown}: ${Math.round(100 * share)} %`);
  });
  const header = await readHeader(file);
  const { history, replaying } = recordHistory(header, {}, new Set(suppress));
  const { remark } = await feedRecording({ file, header, until: undefined }, replaying);
  isLoaded = true;
  if (listed.length > 0) history.apply({ ...emptyStep(history.end), listed: [...listed] });
  let unpacked: Promise<PageContent[]> | undefined;
  return {
    name,
    history,
    fixed: undefined,
    recording: { header, file },
    loadContents: () => {
      unpacked ??= blobText(contents).then((text) => JSON.parse(text) as PageContent[]);
      return unpacked;
    },
    remarks: remark === undefined ? [] : [remark],
  };
}

/** A sentence about damaged data. */
export function sentenceOf(error: unknown): string {
  if (error instanceof InputProblem) return error.message;
  const message = (error instanceof Error ? error.message : String(error)).replace(/\.$/, '');
  return `The data in this page is damaged: ${message}. Write the page again with xds-inspect.`;
}
