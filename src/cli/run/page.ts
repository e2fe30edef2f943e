import type { RecordingHeader } from '../../engine/recording/header.js';
import type { ProbeResult } from '../../inspect/probe.js';
import type { ClientSetup, Recorder } from '../../inspect/source.js';
import type { PageState } from '../../view/page-data.js';
import type { ReportDocument } from '../../view/report.js';
import type { Printer } from '../printer.js';
import type { ReadProcesses } from './page-dump.js';

/** The flags that request a report page, and those that it depends on. */
export interface PageInput {
  output?: string | undefined;
  html?: string | undefined;
  /** A support bundle contains the page. */
  bundle?: string | undefined;
  showSecrets?: boolean;
  suppress?: ReadonlySet<string>;
  type?: readonly string[] | undefined;
  name?: string | undefined;
  status?: readonly string[] | undefined;
}

/** The parts of a page that are known at the end of the session. */
export interface PageSession {
  /** What the page shows first, besides the state that it was requested with. */
  initial?: PageState | undefined;
  /** The listeners that servers listed, for each client. */
  listed?: readonly ProbeResult['listed'][];
  /** The report of `check`, in its JSON form. */
  check?: unknown;
  /** The comparison of `compare`, in its JSON form. */
  compare?: unknown;
  /** The report, for a support bundle. */
  report?: SessionReport | undefined;
  /** Set for `csds`. */
  processes?: ReadProcesses;
}

/** The report on a session, and the time that its ages are relative to. */
export interface SessionReport {
  document: ReportDocument;
  now: number;
}

/** A report page that a command writes at its end. */
export interface RequestedPage {
  /** Records a live client in memory. */
  record(name: string, client: ClientSetup, tearGrace: number | undefined): Promise<Recorder>;
  /** Adds a recording. It is read when the page is written. */
  add(path: string, header: RecordingHeader): void;
  write(session: PageSession): Promise<void>;
}

/** The page that `-o html`, `--html` or `--bundle` requests; undefined if none is. Loads the code for pages on demand. */
export async function requestedPage(
  input: PageInput,
  title: string,
  out: Printer,
  initial: PageState = {},
): Promise<RequestedPage | undefined> {
  const { html, output, bundle } = input;
  if (html === undefined && bundle === undefined && output !== 'html') return undefined;
  return new (await import('./page-writer.js')).PageWriter(input, title, initial, out);
}
