import type { CliEnvironment } from '../io/environment.js';
import { type Output, widthOf } from '../io/output.js';
import type { Documents, Streams } from '../view/documents.js';
import { type FormatName, isData, isForPeople, type Page, renderParts, renderStream } from '../view/formats.js';
import type { Template } from '../view/jsonpath/template.js';
import { gapText } from '../view/render/gap.js';
import { paintFor } from '../view/render/paint.js';
import { errorText, visible, visibleAtStart, visibleWhole } from '../view/visible-text.js';
import { type ColorChoice, useColor } from './color.js';

export interface PrinterOptions {
  color: ColorChoice;
  quiet?: boolean;
  timestamp?: boolean;
  verbose?: boolean;
  /** Keeps every item of a stream, however slow the reader is: the source is not live. */
  keepsAll?: boolean;
  /** Is applied to JSON output, and its result is printed instead. */
  jsonpath?: Template | undefined;
}

/** A large document is written in parts of this length. */
const WRITE_LENGTH = 64 * 1024;

/** Writes the output of commands: formatted documents, and messages in which control characters are visible. */
export class Printer {
  readonly isQuiet: boolean;
  readonly #options: PrinterOptions;
  readonly env: CliEnvironment;

  constructor(options: PrinterOptions, env: CliEnvironment) {
    this.isQuiet = options.quiet === true;
    this.#options = options;
    this.env = env;
  }

  /** Prints to stdout. A report for people goes to stderr if there is no data. */
  async print<K extends keyof Documents>(
    kind: K,
    format: FormatName<K>,
    document: Documents[K],
    { now = this.env.clock.now(), hasData = true }: { now?: number; hasData?: boolean } = {},
  ): Promise<void> {
    const chosen = hasData || isData(format) ? this.env.stdout : isForPeople(format) ? this.env.stderr : undefined;
    if (chosen === undefined) return;
    // A changed script would not run: the policy of the page has its hash.
    const to = kind === 'page' ? (chosen.unredacted ?? chosen) : chosen;
    let text = '';
    for (const part of await this.#parts(kind, format, document, await this.page(to, now))) {
      text += part;
      if (text.length < WRITE_LENGTH) continue;
      to.write(text);
      text = '';
      // Lets Ctrl-C end the program while a large document is printed or its reader does not read.
      await new Promise(setImmediate);
      await to.ready();
    }
    to.write(text);
  }

  /** Returns the text that `print` would write to stdout. */
  async text<K extends keyof Documents>(kind: K, format: FormatName<K>, document: Documents[K]): Promise<string> {
    const { stdout, clock } = this.env;
    return [...(await this.#parts(kind, format, document, await this.page(stdout, clock.now())))].join('');
  }

  async #parts<K extends keyof Documents>(
    kind: K,
    format: FormatName<K>,
    document: Documents[K],
    page: Page,
  ): Promise<Iterable<string>> {
    const { jsonpath } = this.#options;
    if (jsonpath === undefined || format !== 'json') return await renderParts(kind, format, document, page);
    const { documentParts } = await import('../view/jsonpath/template-text.js');
    return await documentParts(jsonpath, kind, document, page);
  }

  /** Returns a function that prints one item. Live items are dropped if the reader is too slow. */
  async stream<K extends keyof Streams>(
    kind: K,
    format: FormatName<K>,
    to = this.env.stdout,
  ): Promise<(item: Streams[K]) => void> {
    const text = await renderStream(kind, format, await this.page(to, this.env.clock.now()));
    const { jsonpath, keepsAll } = this.#options;
    const shown =
      jsonpath === undefined || !(format === 'json' || format === 'ndjson')
        ? (line: string) => line
        : (await import('../view/jsonpath/template-text.js')).templateLines(jsonpath);
    if (keepsAll === true) return (item) => to.write(shown(text(item)));
    const gap = (dropped: number): string => shown(gapText(format, dropped, this.env.clock.now()));
    return (item) => to.offer(() => shown(text(item)), gap);
  }

  /** Prints a line on stderr. */
  printLine(sentence: string): void {
    this.env.stderr.write(`${visibleAtStart(visible(sentence))}\n`);
  }

  /** Prints a line on stderr that must be complete, such as a command to copy. */
  printWhole(line: string): void {
    this.env.stderr.write(`${visibleAtStart(visibleWhole(line))}\n`);
  }

  /** Prints errors on stderr. */
  fail(sentences: string): void {
    this.env.stderr.write(errorText(sentences));
  }

  /** Prints a line on stderr, unless `-q` is given. */
  remark(sentence: string): void {
    if (!this.isQuiet) this.printLine(sentence);
  }

  async page(to: Output, now: number): Promise<Page> {
    const { color, timestamp = false, verbose = false } = this.#options;
    const isColored = useColor(color, this.env, to);
    return {
      paint: await paintFor(isColored),
      isColored,
      width: widthOf(to),
      isTerminal: to.isTerminal,
      ageOf: (time) => now - Date.parse(time),
      showsTimes: timestamp,
      listsAll: verbose,
    };
  }
}
