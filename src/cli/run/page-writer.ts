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
import { headerOf, recordTo } from '../../io/recorder.js';
import { ReplacedFile } from '../../io/replaced-file.js';
import type { PageClient, PageData, PageState } from '../../view/page-data.js';
import { pageParts, type ReportPage } from '../../view/render/page-html.js';
import type { Printer } from '../printer.js';
import { BundleWriter, PROGRAM } from './bundle-writer.js';
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
  readonly #file: ReplacedFile | undefined;
  readonly #bundle: BundleWriter | undefined;
  readonly #clients: RecordedClient[] = [];

  /** Reports problems of the flags before the command connects. */
  constructor(input: PageInput, title: string, initial: PageState, out: Printer) {
    const { html, output, bundle, showSecrets = false } = input;
    if (output === 'html' && out.env.stdout.isTerminal) {
      throw new UsageError('-o html is for a browser: redirect it (> report.html), or use --html report.html instead');
    }
    this.#input = input;
    this.#title = title;
    this.#initial = initial;
    this.#out = out;
    this.#showSecrets = showSecrets;
    const flag = { flag: '--html', forStdout: '-o html writes to stdout', hasSecrets: showSecrets };
    this.#file = html === undefined ? undefined : new ReplacedFile(html, flag, out.env);
    this.#bundle = bundle === undefined ? undefined : new BundleWriter(bundle, showSecrets, out);
  }

  async record(name: string, client: ClientSetup, tearGrace: number | undefined): Promise<Recorder> {
    const { env } = this.#out;
    const recording = new MemoryRecording();
    const full = headerOf(client, { showSecrets: this.#showSecrets, tearGrace }, env);
    const header = this.#bundle?.add(client, full, recording) ?? full;
    this.#clients.push({ name, recorded: async () => ({ header, recording }) });
    const what = this.#bundle === undefined ? 'report page' : 'support bundle';
    const onStop = (): void => this.#out.fail(`the ${what} ends at this time: it has reached its maximum size`);
    return await recordTo(() => recording, { header, redacts: !this.#showSecrets }, env, onStop);
  }

  add(path: string, header: RecordingHeader): void {
    this.#clients.push({ name: path, recorded: () => copyRecording(path, header) });
  }

  async write({ initial = {}, listed = [], check, compare, processes, report }: PageSession): Promise<void> {
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
      program: this.#bundle === undefined ? env.program : PROGRAM,
      suppress: [...suppress],
      filter: { type, name, status },
      initial: { ...this.#initial, ...initial },
      clients,
      ...(check !== undefined && { check }),
      ...(compare !== undefined && { compare }),
      ...(processes && { dump: await addDump(processes, this.#showSecrets, blobs) }),
    };
    const page = this.#page(data, blobs);
    if (this.#input.output === 'html') await this.#out.print('page', 'html', page);
    await this.#file?.write(pageParts(page));
    if (report !== undefined) await this.#bundle?.write(report, page);
  }

  #page(data: PageData, blobs: PageBlobs): ReportPage {
    const { style, loader, page, re2 } = loadPageAssets(this.#out.env);
    return {
      data: this.#showSecrets ? data : JSON.parse(redactText(JSON.stringify(data))),
      style,
      loader,
      scripts: blobs.hasRegex || data.filter.name !== null ? [re2, page] : [page],
      blobs: blobs.all.map(base64Parts),
    };
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
