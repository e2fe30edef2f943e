import type { CliEnvironment } from '../io/environment.js';
import { type Output, widthOf } from '../io/output.js';
import type { Documents, Streams } from '../view/documents.js';
import { type FormatName, isData, isForPeople, type Page, render, renderStream } from '../view/formats.js';
import { paintFor } from '../view/render/paint.js';
import { errorText, visible, visibleAtStart } from '../view/visible-text.js';
import { type ColorChoice, useColor } from './color.js';

export interface PrinterOptions {
  color: ColorChoice;
  quiet?: boolean;
  timestamp?: boolean;
  verbose?: boolean;
}

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
    const to = hasData || isData(format) ? this.env.stdout : isForPeople(format) ? this.env.stderr : undefined;
    if (to !== undefined) to.write(await render(kind, format, document, await this.page(to, now)));
  }

  /** Returns the text that `print` would write to stdout. */
  async text<K extends keyof Documents>(kind: K, format: FormatName<K>, document: Documents[K]): Promise<string> {
    const { stdout, clock } = this.env;
    return await render(kind, format, document, await this.page(stdout, clock.now()));
  }

  /** Returns a function that prints one item. */
  async stream<K extends keyof Streams>(
    kind: K,
    format: FormatName<K>,
    to = this.env.stdout,
  ): Promise<(item: Streams[K]) => void> {
    const text = await renderStream(kind, format, await this.page(to, this.env.clock.now()));
    return (item) => to.write(text(item));
  }

  /** Prints a line on stderr. */
  printLine(sentence: string): void {
    this.env.stderr.write(`${visibleAtStart(visible(sentence))}\n`);
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
