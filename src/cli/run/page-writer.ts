import { UsageError } from '../../base/failure.js';
import { redactText } from '../../base/secret-name.js';
import type { RecordingHeader } from '../../engine/recording/header.js';
import { recordedSetup } from '../../inspect/recorded.js';
import { recordedVersions } from '../../inspect/recorded-versions.js';
import type { ClientSetup, Recorder } from '../../inspect/source.js';
import { loadPageAssets } from '../../io/page/assets.js';
import { copyRecording } from '../../io/page/copy-recording.js';
import { MemoryRecording } from '../../io/page/memory-recording.js';
import { base64Parts } from '../../io/page/packed-text.js';
import { PageFile } from '../../io/page/page-file.js';
import { headerOf, recordTo } from '../../io/recorder.js';
import type { PageClient, PageData, PageState } from '../../view/page-data.js';
import { pageParts, type ReportPage } from '../../view/render/page-html.js';
import type { Printer } from '../printer.js';
import type { PageInput, PageSession, RequestedPage } from './page.js';
import { PageBlobs } from './page-blobs.js';
import { addDump } from './page-dump.js';

/** A client whose recording is complete when the page is written. */
interface RecordedClient {
  name: string;
  recorded(): Promise<{ header: RecordingHeader; recording: MemoryRecording }>;
}

/** Collects the sessions of a command and writes them as a page, to stdout, to a file, or both. */
export class PageWriter implements RequestedPage {
  readonly #input: PageInput;
  readonly #title: string;
  readonly #initial: PageState;
  readonly #out: Printer;
  readonly #showSecrets: boolean;
  readonly #file: PageFile | undefined;
  readonly #clients: RecordedClient[] = [];

  /** Reports problems of the flags before the command connects. */
  constructor(input: PageInput, title: string, initial: PageState, out: Printer) {
    const { html, output, showSecrets = false } = input;
    if (output === 'html' && out.env.stdout.isTerminal) {
      throw new UsageError('-o html is for a browser: redirect it (> report.html), or use --html report.html instead');
    }
    this.#input = input;
    this.#title = title;
    this.#initial = initial;
    this.#out = out;
    this.#showSecrets = showSecrets;
    this.#file = html === undefined ? undefined : new PageFile(html, showSecrets, out.env);
  }

  async record(name: string, client: ClientSetup, tearGrace: number | undefined): Promise<Recorder> {
    const { env } = this.#out;
    const recording = new MemoryRecording();
    const header = headerOf(client, { showSecrets: this.#showSecrets, tearGrace }, env);
    this.#clients.push({ name, recorded: async () => ({ header, recording }) });
    const onStop = (): void => this.#out.fail('the report page ends at this time: it has reached its maximum size');
    return await recordTo(() => recording, { header, redacts: !this.#showSecrets }, env, onStop);
  }

  add(path: string, header: RecordingHeader): void {
    this.#clients.push({ name: path, recorded: () => copyRecording(path, header) });
  }

  async write({ initial = {}, listed = [], check, compare, processes }: PageSession): Promise<void> {
    const { env } = this.#out;
    const { suppress = [], type = null, name = null, status = null } = this.#input;
    const blobs = new PageBlobs();
    const clients: PageClient[] = [];
    for (const [i, client] of this.#clients.entries()) {
      clients.push({ ...(await this.#addClient(client, blobs)), listed: listed[i] ?? [] });
    }
    const data: PageData = {
      schema: 'xds-inspect/page/v1',
      version: env.version,
      mode: processes === undefined ? 'recording' : 'csds',
      title: this.#title,
      program: env.program,
      suppress: [...suppress],
      filter: { type, name, status },
      initial: { ...this.#initial, ...initial },
      clients,
      ...(check !== undefined && { check }),
      ...(compare !== undefined && { compare }),
      ...(processes && { dump: await addDump(processes, this.#showSecrets, blobs) }),
    };
    await this.#print(data, blobs);
  }

  async #print(data: PageData, blobs: PageBlobs): Promise<void> {
    const { style, loader, page, re2 } = loadPageAssets(this.#out.env);
    const document: ReportPage = {
      data: this.#showSecrets ? data : JSON.parse(redactText(JSON.stringify(data))),
      style,
      loader,
      scripts: blobs.hasRegex || data.filter.name !== null ? [re2, page] : [page],
      blobs: blobs.all.map(base64Parts),
    };
    if (this.#input.output === 'html') await this.#out.print('page', 'html', document);
    await this.#file?.write(pageParts(document));
  }

  async #addClient({ name, recorded }: RecordedClient, blobs: PageBlobs): Promise<Omit<PageClient, 'listed'>> {
    const { header, recording } = await recorded();
    const { context } = recordedSetup(header).options;
    const source = { file: recording.asFile(name), header };
    const options = { context, showSecrets: this.#showSecrets };
    const contents = await blobs.addContents(options, (onVersion) => recordedVersions(source, onVersion));
    return { name, recording: blobs.add(await recording.packed()), contents };
  }
}
