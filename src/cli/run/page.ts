import type { RecordingHeader } from '../../engine/recording/header.js';
import type { ProbeResult } from '../../inspect/probe.js';
import type { ClientSetup, Recorder } from '../../inspect/source.js';
import type { PageState } from '../../view/page-data.js';
import type { Printer } from '../printer.js';

/** The flags that request a report page, and those that it depends on. */
export interface PageInput {
  output?: string | undefined;
  html?: string | undefined;
  showSecrets?: boolean;
  suppress?: ReadonlySet<string>;
  type?: readonly string[] | undefined;
  name?: string | undefined;
  status?: readonly string[] | undefined;
}

/** A session as the page shows it. */
export interface PageSession {
  /** What the page shows first. */
  initial?: PageState | undefined;
  /** The listeners that servers listed, for each client. */
  listed?: readonly ProbeResult['listed'][];
  check?: unknown;
}

/** A report page that a command writes at its end. */
export interface RequestedPage {
  /** Records a live client in memory. */
  record(
    name: string,
    client: ClientSetup,
    input: { showSecrets: boolean; tearGrace?: number | undefined },
  ): Promise<Recorder>;
  /** Adds a recording. It is read when the page is written. */
  add(path: string, header: RecordingHeader): void;
  write(title: string, session: PageSession): Promise<void>;
}

/** The page that `-o html` or `--html` requests; undefined if none is. Loads the code for pages on demand. */
export async function requestedPage(input: PageInput, out: Printer): Promise<RequestedPage | undefined> {
  if (input.html === undefined && input.output !== 'html') return undefined;
  return new (await import('./page-writer.js')).PageWriter(input, out);
}
