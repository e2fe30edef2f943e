import { UsageError } from '../../base/failure.js';
import { withoutHome } from '../../base/home-path.js';
import { redactText } from '../../base/secret-name.js';
import { shellWord } from '../../base/shell-word.js';
import type { BootstrapReport } from '../../bootstrap/report.js';
import type { RecordingHeader } from '../../engine/recording/header.js';
import type { ClientSetup } from '../../inspect/source.js';
import { bootstrapReport } from '../../io/bootstrap-report.js';
import { type Member, tarball } from '../../io/bundle/tarball.js';
import { versionsOf } from '../../io/bundle/versions.js';
import type { MemoryRecording } from '../../io/page/memory-recording.js';
import { ReplacedFile } from '../../io/replaced-file.js';
import { timestamp } from '../../proto/timestamp.js';
import { byteText } from '../../view/byte-text.js';
import { render } from '../../view/formats.js';
import { bundleReadme } from '../../view/render/bundle-readme.js';
import { jsonText } from '../../view/render/json.js';
import { pageParts, type ReportPage } from '../../view/render/page-html.js';
import { paintFor } from '../../view/render/paint.js';
import { safeVariables } from '../../view/safe-variables.js';
import type { Printer } from '../printer.js';
import type { SessionReport } from './page.js';

const FILES = {
  'report.txt': 'what xds-inspect printed',
  'report.json': 'the same as data: xds-inspect/report/v1',
  'report.html': 'the same in a browser: timeline, graph, contents of resources',
  'session.xdsrec.gz': 'the recording: what xds-inspect replay reads',
  'bootstrap.json': 'the verdict on the bootstrap, and the fields that gRPC reads from it',
  'versions.json': 'versions of the tool, Node and the operating system',
  'environment.json': 'environment variables that matter; of some only the name',
};

/** The program in suggested commands. In a clone, the path of this machine would be there. */
export const PROGRAM = 'xds-inspect';

/** The session that a bundle contains. */
interface Session {
  client: ClientSetup;
  header: RecordingHeader;
  recording: MemoryRecording;
}

/** Writes a support bundle: everything that an issue needs, from one session, without secrets. */
export class BundleWriter {
  readonly #path: string;
  readonly #file: ReplacedFile;
  readonly #out: Printer;
  #session: Session | undefined;

  /** Reports problems of the flags before the command connects. */
  constructor(path: string, showSecrets: boolean, out: Printer) {
    if (showSecrets) {
      throw new UsageError(
        '--bundle excludes --show-secrets: a bundle is for an issue. Use --record FILE or --html FILE, and keep it private',
      );
    }
    this.#path = path;
    this.#out = out;
    this.#file = new ReplacedFile(path, { flag: '--bundle', hasSecrets: false }, out.env);
  }

  /** Adds the session when it starts. Returns its header as the bundle shows it. */
  add(client: ClientSetup, full: RecordingHeader, recording: MemoryRecording): RecordingHeader {
    const header = {
      ...full,
      ...JSON.parse(this.#clean(JSON.stringify({ source: full.source, bootstrap: full.bootstrap }))),
    };
    this.#session = { client, header, recording };
    return header;
  }

  /** Writes the bundle when the session has ended. */
  async write(report: SessionReport, page: ReportPage): Promise<void> {
    if (this.#session === undefined) return;
    const start = timestamp(this.#session.header.start);
    const folder = `xds-inspect-bundle-${start.replace(/[-:]|\.\d+/g, '')}`;
    const members = [...(await this.#members(this.#session, report, page))].map(({ name, parts }) => ({
      name: `${folder}/${name}`,
      parts,
    }));
    const size = await this.#file.write(tarball(members, new Date(this.#session.header.start)));
    const { program } = this.#out.env;
    const path = shellWord(this.#path);
    const read = path === undefined ? '' : ` Read it: ${program} replay ${path}`;
    this.#out.remark(`support bundle: ${this.#path}, ${byteText(size)}.${read}`);
  }

  async #members({ client, header, recording }: Session, report: SessionReport, page: ReportPage): Promise<Member[]> {
    const { env } = this.#out;
    const { document, now } = report;
    const text = await render('report', 'text', document, {
      ...(await this.#out.page(env.stdout, now)),
      paint: await paintFor(false),
      isColored: false,
      isTerminal: false,
      width: undefined,
    });
    const packed = await recording.packed();
    const contents: Record<keyof typeof FILES, Member['parts']> = {
      'report.txt': this.#text(text),
      'report.json': this.#text(await render('report', 'json', document, await this.#out.page(env.stdout, now))),
      'report.html': () => pageParts(page),
      'session.xdsrec.gz': () => packed,
      'bootstrap.json': this.#text(await this.#bootstrap(client, header)),
      'versions.json': this.#text(jsonText(versionsOf(env.version, header.as))),
      'environment.json': this.#text(
        jsonText({ schema: 'xds-inspect/environment/v1', variables: safeVariables(env.variables) }),
      ),
    };
    const [answer = ''] = text.split('\n');
    const readme = {
      version: env.version,
      start: timestamp(header.start),
      answer,
      targets: document.scopes.flatMap(({ channels }) => channels).length,
      files: Object.entries(FILES),
    };
    const files = Object.entries(contents).map(([name, parts]) => ({ name, parts }));
    return [{ name: 'README.txt', parts: this.#text(bundleReadme(readme)) }, ...files];
  }

  /** The document of `bootstrap validate -o json`, and the bootstrap without secrets. */
  async #bootstrap(client: ClientSetup, { bootstrap, as }: RecordingHeader): Promise<string> {
    const { origin, text } = client;
    const flags: BootstrapReport = { source: origin, as, verdict: 'accepted', error: null, problems: [] };
    const report = text === undefined ? flags : bootstrapReport(origin, text, as, this.#out.env);
    const { bootstrapJson } = await import('../../view/render/bootstrap.js');
    const verdict = JSON.parse(bootstrapJson({ bytes: text?.bytes ?? new Uint8Array(0), report }));
    return jsonText({ ...verdict, bootstrap });
  }

  #text(text: string): Member['parts'] {
    const clean = [this.#clean(text)];
    return () => clean;
  }

  /** Texts may quote a file or a flag. The name of the home directory is often that of a person. */
  #clean(text: string): string {
    const { program, variables } = this.#out.env;
    return withoutHome(redactText(text.replaceAll(program, PROGRAM)), variables.HOME ?? variables.USERPROFILE);
  }
}
