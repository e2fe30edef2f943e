import { formatMillis } from '../../base/duration.js';
import type { Event } from '../../core/event.js';
import type { Fetch } from '../../engine/get/fetch.js';
import type { News } from '../../engine/get/holdings.js';
import { eventJson } from '../../view/event-json.js';
import { eventLine } from '../../view/event-line.js';
import { type FindingView, findingViews } from '../../view/finding.js';
import { getView, newsJson, type Printing, resourceView } from '../../view/get.js';
import { failureLine, missingLines, newsLines } from '../../view/get-lines.js';
import { jsonText } from '../../view/render/json.js';
import { paintFor } from '../../view/render/paint.js';
import { visible, visibleAtStart, visibleShort } from '../../view/visible-text.js';
import { type ColorChoice, useColor } from '../color.js';
import type { Arguments } from '../command.js';
import { type CliEnvironment, widthOf } from '../environment.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import { readThreshold } from './finding-filter.js';
import { printFound } from './found.js';
import { wireOn } from './inspection.js';
import type { Ending } from './settling.js';
import { readSuppressed } from './suppressed.js';

type Print = (news: News) => void;

/** What it says in other words: who is missing, and that a server has no ADS. */
const SAID: ReadonlySet<string> = new Set(['XI204', 'XI220']);

/** What `get` prints: some of it as it comes, the rest in the end. */
export class GetReport {
  readonly #fetch: Fetch;
  readonly #printing: Printing;
  readonly #args: Arguments;
  readonly #env: CliEnvironment;
  readonly #printNews: Print | undefined;
  readonly #showWire: ((event: Event) => void) | undefined;
  readonly #suppressed: ReadonlySet<string>;
  readonly #found = { rejected: false, reported: false };

  private constructor(
    fetch: Fetch,
    printing: Printing,
    args: Arguments,
    env: CliEnvironment,
    printNews: Print | undefined,
  ) {
    this.#fetch = fetch;
    this.#printing = printing;
    this.#args = args;
    this.#env = env;
    this.#printNews = printNews;
    this.#showWire = args.verbose === true ? wireOn(args, env) : undefined;
    this.#suppressed = readSuppressed(args, env);
  }

  static async of(fetch: Fetch, printing: Printing, args: Arguments, env: CliEnvironment): Promise<GetReport> {
    const isLive = args.watch === true || args.output === 'ndjson';
    return new GetReport(fetch, printing, args, env, isLive ? await newsPrinter(printing, args, env) : undefined);
  }

  get #isWatching(): boolean {
    return this.#args.watch === true;
  }

  observe(event: Event): void {
    if (!this.#fetch.isStorm(event)) this.#showWire?.(event);
    for (const one of this.#fetch.takeNews()) {
      if (one.kind === 'error') this.#found.reported = true;
      if (one.kind === 'resource' && one.received.verdict === 'rejected') this.#found.rejected = true;
      this.#printNews?.(one);
      if (this.#isWatching) this.#tell(one);
    }
    if (event.kind === 'finding') {
      if (!this.#suppressed.has(event.code)) this.#tellFinding(event);
    } else if (this.#isWatching) this.#tellTrouble(event);
  }

  /** `failing`: what makes it a finding. */
  async finish(end: Ending, failing: ReadonlySet<string>): Promise<ExitCode> {
    const fetch = this.#fetch;
    const findings = findingViews(fetch.findings.filter(({ code }) => !this.#suppressed.has(code)));
    if (this.#printNews === undefined) await this.#print(findings);
    if (!this.#isWatching) for (const one of [...fetch.resources, ...fetch.errors]) this.#tell(one);
    this.#tellEnd(end);
    if (!this.#isWatching && this.#args.output !== 'ndjson') {
      const unsaid = findings.filter(({ code }) => !SAID.has(code));
      await printFound(unsaid, this.#args, this.#env, this.#env.stderr);
    }
    if (end === 'interrupted') return EXIT.interrupted;
    if (fetch.state === 'failed') return EXIT.unavailable;
    if (this.#isUnanswered) return EXIT.timedOut;
    const { rejected, reported } = this.#found;
    const isFailing = (rejected && failing.has('NACKED')) || (reported && failing.has('RECEIVED_ERROR'));
    return isFailing || findings.some(readThreshold(this.#args)) ? EXIT.findings : EXIT.ok;
  }

  /** What is still open has been looked at before it was over. */
  get #isUnanswered(): boolean {
    const { state } = this.#fetch;
    return state === 'timed out' || (state === 'open' && !this.#isWatching);
  }

  async #print(findings: readonly FindingView[]): Promise<void> {
    const { output, color } = this.#args;
    const { stdout } = this.#env;
    const view = getView(this.#fetch, findings, this.#printing);
    if (output === 'json') stdout.write(jsonText(view));
    else if (output === 'name') for (const { name } of view.resources) stdout.write(nameLine(name));
    else {
      const { resourceDocument, resourceTable } = await import('../../view/render/get.js');
      if (output === 'yaml') for (const one of view.resources) stdout.write(resourceDocument(one));
      else {
        const paint = await paintFor(useColor(color as ColorChoice, this.#env, stdout));
        stdout.write(resourceTable(view.resources, paint, widthOf(stdout)));
      }
    }
  }

  /** What deserves a word beside the data. */
  #tell(news: News): void {
    this.#say(newsLines(news));
  }

  /** While it goes on: that a server is gone. */
  #tellTrouble(event: Event): void {
    if (this.#args.verbose === true || (event.kind !== 'channel' && event.kind !== 'stream')) return;
    const { text, tone } = eventLine(event);
    if (tone === 'bad') this.#say([text]);
  }

  /** As it happens, where others do; else in the end. */
  #tellFinding(event: Extract<Event, { kind: 'finding' }>): void {
    if (this.#args.output === 'ndjson') this.#env.stdout.write(jsonText(eventJson(event), true));
    else if (this.#isWatching) this.#say([eventLine(event).text]);
  }

  #tellEnd(end: Ending): void {
    const fetch = this.#fetch;
    if (fetch.state === 'failed' || this.#args.quiet !== true) this.#say(fetch.failures.map(failureLine));
    this.#say(fetch.passedOver.map((why) => `a message was passed over: ${visibleShort(why)}`));
    if (end !== 'interrupted' && this.#isUnanswered) this.#say(missingLines(fetch, this.#waited()));
  }

  #waited(): string {
    const timeout = this.#args.timeout as number | undefined;
    if (this.#fetch.state === 'open') return 'until then';
    return timeout === undefined ? 'in time' : `within ${formatMillis(timeout)}`;
  }

  #say(lines: readonly string[]): void {
    for (const line of lines) this.#env.stderr.write(`${line}\n`);
  }
}

async function newsPrinter(printing: Printing, args: Arguments, env: CliEnvironment): Promise<Print> {
  const write = (text: string): void => env.stdout.write(text);
  if (args.output === 'name') {
    return (news) => {
      if (news.kind === 'resource') write(nameLine(news.received.name));
    };
  }
  if (args.output !== 'yaml') return (news) => write(jsonText(newsJson(news, printing), true));
  const { resourceDocument } = await import('../../view/render/get.js');
  return (news) => {
    if (news.kind === 'resource') write(resourceDocument(resourceView(news, printing)));
  };
}

function nameLine(name: string): string {
  return `${visibleAtStart(visible(name))}\n`;
}
