import { InputProblem } from '../../base/input-problem.js';
import { readHeader } from '../../inspect/feed-recording.js';
import { JournalDecoder } from '../../inspect/history/journal-codec.js';
import { LIVE_PATHS, type LiveMessages, MAX_KEYS } from '../../inspect/history/live-messages.js';
import { SessionHistory } from '../../inspect/history/session-history.js';
import type { RecordingFile } from '../../inspect/source.js';
import type { PageContent, PageData } from '../page-data.js';
import { connection } from './connection.js';
import { decodeBase64, readLinesOf } from './embedded.js';
import { KeptPart } from './kept-part.js';
import { live, type PageSession, revision, sessions } from './store.js';
import { Updates } from './updates.js';

/** How long to wait after the server rejected a connection: it may be another one on the same port. */
const RETRY_MS = 5000;

/** Follows a live session. Resolves when the page has received what happened before. */
export async function startLive({ title }: PageData): Promise<void> {
  const follower = new LiveFollower(title);
  follower.connect();
  await follower.isReady;
}

/** Receives the journal of a session, and starts again when the server says so. */
class LiveFollower {
  readonly #title: string;
  readonly #updates = new Updates(() => revision.value++);
  readonly isReady: Promise<void>;
  #onReady: () => void = () => {};
  #decoder = new JournalDecoder();
  /** The history that grows. The page shows it when it is complete. */
  #history: SessionHistory | undefined;
  #kept: KeptPart | undefined;
  #isShown = false;
  #recording: PageSession['recording'];
  /** The last time of the tool's clock. */
  #now = 0;

  constructor(title: string) {
    this.#title = title;
    this.isReady = new Promise((resolve) => {
      this.#onReady = resolve;
    });
  }

  connect(): void {
    const source = new EventSource(LIVE_PATHS.events);
    const on = <K extends keyof LiveMessages>(
      name: K,
      handle: (message: LiveMessages[K], length: number) => void,
    ): void =>
      source.addEventListener(name, ({ data }: MessageEvent<string>) => {
        const message = JSON.parse(data) as LiveMessages[K];
        this.#now = message.now;
        handle(message, data.length);
      });
    on('reset', ({ client }) => this.#reset(client));
    on('steps', (message, length) => this.#apply(message, length));
    on('ready', () => this.#show());
    on('time', () => this.#advance());
    on('bye', ({ reason }) => {
      source.close();
      if (this.#isShown) this.#advance();
      else this.#show();
      // The end of the session is its end now, as in a recording.
      live.value = 'no';
      connection.value = { kind: 'ended', at: this.#now, reason };
    });
    source.addEventListener('error', () => {
      live.value = 'lost';
      if (connection.peek().kind !== 'lost') connection.value = { kind: 'lost', since: this.#now };
      // The browser connects again by itself unless the server rejected the connection.
      if (source.readyState === EventSource.CLOSED) setTimeout(() => this.connect(), RETRY_MS);
    });
  }

  #reset(client: unknown): void {
    this.#decoder = new JournalDecoder({ base64: decodeBase64 });
    this.#history = new SessionHistory(this.#decoder.client(client));
    this.#kept = new KeptPart(this.#history);
    this.#isShown = false;
  }

  #apply(message: LiveMessages['steps'], length: number): void {
    const steps = this.#decoder.steps(message);
    for (const step of steps) this.#history?.apply(step);
    this.#kept?.add(length, steps.at(-1)?.at);
    if (this.#isShown) this.#updates.request();
  }

  #show(): void {
    this.#isShown = true;
    this.#history?.advance(this.#now);
    this.#publish();
    live.value = 'connected';
    connection.value = { kind: 'connected' };
    this.#onReady();
    if (this.#recording === undefined) void this.#findRecording();
  }

  #advance(): void {
    this.#history?.advance(this.#now);
    if (this.#isShown) this.#updates.request();
  }

  #publish(): void {
    const history = this.#history;
    if (history === undefined) return;
    const [name, recording, remarks] = [this.#title, this.#recording, []];
    sessions.value = [{ name, history, fixed: undefined, recording, loadContents, remarks }];
    revision.value++;
  }

  /** What-if runs need the recording, which is read when one starts. A long session has none. */
  async #findRecording(): Promise<void> {
    try {
      this.#recording = { header: await readHeader(RECORDING), file: RECORDING };
      if (this.#isShown) this.#publish();
    } catch {
      // The What-if pane says that there is no recording.
    }
  }
}

const RECORDING: RecordingFile = {
  path: 'the recording of this session',
  decodeBase64,
  readLines: async (onLine) => {
    const response = await fetch(LIVE_PATHS.recording);
    if (!response.ok || response.body === null) throw new InputProblem(await response.text());
    return await readLinesOf(response.body, onLine, async () => {});
  },
};

async function loadContents(keys: readonly string[]): Promise<PageContent[]> {
  const all: PageContent[] = [];
  for (let i = 0; i < keys.length; i += MAX_KEYS) all.push(...(await loadSome(keys.slice(i, i + MAX_KEYS))));
  return all;
}

async function loadSome(keys: readonly string[]): Promise<PageContent[]> {
  const query = new URLSearchParams(keys.map((key) => ['key', key]));
  const missing = (why: string): PageContent[] => keys.map((key) => ({ key, yaml: `# ${why}`, json: null, notes: [] }));
  try {
    const response = await fetch(`${LIVE_PATHS.contents}?${query}`);
    return response.ok ? ((await response.json()) as PageContent[]) : missing(await response.text());
  } catch {
    return missing('xds-inspect has ended: the contents cannot be loaded any more.');
  }
}
