import { UsageError } from '../../base/failure.js';
import { redactText } from '../../base/secret-name.js';
import type { RecordingHeader } from '../../engine/recording/header.js';
import { feedRecording } from '../../inspect/feed-recording.js';
import { recordedSetup } from '../../inspect/recorded.js';
import { recordedVersions } from '../../inspect/recorded-versions.js';
import type { ClientSetup, Recorder } from '../../inspect/source.js';
import { loadPageAssets } from '../../io/page/assets.js';
import { MemoryRecording } from '../../io/page/memory-recording.js';
import { base64Parts, PackedText } from '../../io/page/packed-text.js';
import { PageFile } from '../../io/page/page-file.js';
import { headerOf, recordTo } from '../../io/recorder.js';
import { recordingFile } from '../../io/recording-lines.js';
import type { PageClient, PageData } from '../../view/page-data.js';
import { pageParts, type ReportPage } from '../../view/render/page-html.js';
import type { Printer } from '../printer.js';
import type { PageInput, PageSession, RequestedPage } from './page.js';

/** A client of the page, whose recording is complete when the page is written. */
interface RecordedClient {
  name: string;
  header: RecordingHeader;
  recording(): Promise<MemoryRecording>;
}

/** Blobs of a page, and whether it needs RE2. */
interface Packed {
  blobs: (readonly Buffer[])[];
  hasRegex: boolean;
}

export class PageWriter implements RequestedPage {
  readonly #input: PageInput;
  readonly #out: Printer;
  readonly #file: PageFile | undefined;
  readonly #clients: RecordedClient[] = [];

  /** Reports problems of the flags before the command connects. */
  constructor(input: PageInput, out: Printer) {
    const { html, output, showSecrets = false } = input;
    if (output === 'html' && out.env.stdout.isTerminal) {
      throw new UsageError('-o html is for a browser: write it to a file, with > report.html or --html report.html');
    }
    this.#input = input;
    this.#out = out;
    this.#file = html === undefined ? undefined : new PageFile(html, showSecrets, out.env);
  }

  async record(
    name: string,
    client: ClientSetup,
    input: { showSecrets: boolean; tearGrace?: number | undefined },
  ): Promise<Recorder> {
    const { env } = this.#out;
    const recording = new MemoryRecording();
    const header = headerOf(client, input, env);
    this.#clients.push({ name, header, recording: async () => recording });
    const onStop = (why: string): void => this.#out.fail(`the report page ends here: ${why}`);
    return await recordTo(() => recording, header, env, onStop);
  }

  add(path: string, header: RecordingHeader): void {
    const shown: RecordingHeader = header;
    this.#clients.push({ name: path, header: shown, recording: () => copyOf(path, shown) });
  }

  async write(title: string, { initial = {}, listed = [], check }: PageSession): Promise<void> {
    const { env } = this.#out;
    const packed: Packed = { blobs: [], hasRegex: false };
    const clients: PageClient[] = [];
    for (const [i, client] of this.#clients.entries()) clients.push(await this.#pack(client, listed[i] ?? [], packed));
    const { suppress, type, name, status, showSecrets = false } = this.#input;
    const data: PageData = {
      schema: 'xds-inspect/page/v1',
      version: env.version,
      mode: 'recording',
      title,
      program: env.program,
      suppress: [...(suppress ?? [])],
      filter: { type: type ?? null, name: name ?? null, status: status ?? null },
      initial,
      clients,
      ...(check !== undefined && { check }),
    };
    const { style, page, re2 } = loadPageAssets(env);
    const document: ReportPage = {
      data: showSecrets ? data : JSON.parse(redactText(JSON.stringify(data))),
      style,
      scripts: packed.hasRegex || data.filter.name !== null ? [re2, page] : [page],
      blobs: packed.blobs.map(base64Parts),
    };
    if (this.#input.output === 'html') await this.#out.print('page', 'html', document);
    await this.#file?.write(pageParts(document));
  }

  async #pack({ name, header, recording }: RecordedClient, listed: PageClient['listed'], packed: Packed) {
    const { PageContents } = await import('../../view/page-contents.js');
    const recorded = await recording();
    const blob = packed.blobs.push(await recorded.packed()) - 1;
    const { context } = recordedSetup(header).options;
    const contents = new PageContents({ context, showSecrets: this.#input.showSecrets ?? false });
    const text = new PackedText();
    let separator = '[';
    await recordedVersions({ file: recorded.asFile(name), header }, (version) => {
      const content = contents.add(version);
      if (content === undefined) return;
      text.write(`${separator}${JSON.stringify(content)}`);
      separator = ',\n';
    });
    text.write(separator === '[' ? '[]' : ']');
    text.end();
    packed.hasRegex ||= contents.hasRegex;
    return { name, recording: blob, contents: packed.blobs.push(await text.packed()) - 1, listed };
  }
}

/** A recording on disk without secrets, in memory. */
async function copyOf(path: string, header: RecordingHeader): Promise<MemoryRecording> {
  const recording = new MemoryRecording();
  let end = header.start;
  const recorder = await recordTo(
    () => recording,
    header,
    { clock: { now: () => end } },
    () => {},
  );
  const file = recordingFile(path, () => recording.ready());
  const fed = await feedRecording({ file, header, until: undefined }, { input: recorder.record, end: () => {} });
  end = fed.end;
  recorder.end(fed.remark ?? 'closed');
  return recording;
}
