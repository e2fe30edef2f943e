import { formatMillis } from '../../base/duration.js';
import type { ExitCode } from '../../base/exit-codes.js';
import type { Event } from '../../core/event.js';
import type { News } from '../../engine/get/holdings.js';
import { findingViews } from '../../inspect/finding-view.js';
import type { GetInspection } from '../../inspect/get.js';
import { exitCode } from '../../inspect/outcome.js';
import type { Ending } from '../../inspect/until.js';
import type { NewsItem } from '../../view/documents.js';
import { eventLine } from '../../view/event-line.js';
import { isFormatOf } from '../../view/formats.js';
import { getView, newsJson, type Printing, resourceView } from '../../view/get.js';
import { failureLine, missingLines, newsLines } from '../../view/get-lines.js';
import { visibleShort } from '../../view/visible-text.js';
import type { GetInput } from '../commands/get.js';
import type { Printer } from '../printer.js';
import { failRules } from './listing.js';
import { wireOn } from './show.js';

export type GetReportInput = Pick<
  GetInput,
  'output' | 'watch' | 'timeout' | 'failOn' | 'failureThreshold' | 'suppress'
> & { verbose?: boolean };

/** Findings that other lines express: a name without a response, a server without ADS. */
const SAID: ReadonlySet<string> = new Set(['XI204', 'XI220']);

/** What `get` prints: some of it as it comes, the rest at the end. */
export class GetReport {
  readonly #inspection: GetInspection;
  readonly #printing: Printing;
  readonly #input: GetReportInput;
  readonly #out: Printer;
  readonly #printNews: ((item: NewsItem) => void) | undefined;
  readonly #printFinding: ((event: Event) => void) | undefined;
  readonly #found = { rejected: false, reported: false };

  private constructor(
    inspection: GetInspection,
    printing: Printing,
    input: GetReportInput,
    out: Printer,
    printNews: ((item: NewsItem) => void) | undefined,
    printFinding: ((event: Event) => void) | undefined,
  ) {
    this.#inspection = inspection;
    this.#printing = printing;
    this.#input = input;
    this.#out = out;
    this.#printNews = printNews;
    this.#printFinding = printFinding;
  }

  static async of(
    inspection: GetInspection,
    printing: Printing,
    input: GetReportInput,
    out: Printer,
  ): Promise<GetReport> {
    const { output, watch, verbose } = input;
    const isLive = watch || output === 'ndjson';
    const printNews = isLive && isFormatOf('news', output) ? await out.stream('news', output) : undefined;
    const printFinding = output === 'ndjson' ? await out.stream('events', output) : undefined;
    const report = new GetReport(inspection, printing, input, out, printNews, printFinding);
    if (verbose) inspection.events.subscribe(await wireOn(out));
    inspection.events.subscribe((event) => report.#observe(event));
    return report;
  }

  #observe(event: Event): void {
    for (const one of this.#inspection.fetch.takeNews()) {
      if (one.kind === 'error') this.#found.reported = true;
      if (one.kind === 'resource' && one.received.verdict === 'rejected') this.#found.rejected = true;
      this.#printNews?.(newsItem(one, this.#printing));
      if (this.#input.watch) this.#say(newsLines(one));
    }
    if (event.kind === 'finding') this.#sayFinding(event);
    else if (this.#input.watch) this.#sayTrouble(event);
  }

  async finish(ending: Ending): Promise<ExitCode> {
    const { fetch } = this.#inspection;
    const { watch, output } = this.#input;
    const findings = findingViews(this.#inspection.findings());
    if (this.#printNews === undefined && isFormatOf('resources', output)) {
      await this.#out.print('resources', output, getView(fetch, findings, this.#printing));
    }
    if (!watch) for (const one of [...fetch.resources, ...fetch.errors]) this.#say(newsLines(one));
    this.#sayEnd(ending);
    if (!watch && output !== 'ndjson') {
      await this.#out.report(
        'findings',
        findings.filter(({ code }) => !SAID.has(code)),
      );
    }
    const { statuses, isFailing } = failRules(this.#input);
    const { rejected, reported } = this.#found;
    return exitCode({
      isInterrupted: ending === 'interrupted',
      isLost: fetch.state === 'failed',
      isTimedOut: this.#isUnanswered,
      hasFindings:
        (rejected && statuses.has('NACKED')) ||
        (reported && statuses.has('RECEIVED_ERROR')) ||
        findings.some(isFailing),
    });
  }

  /** A session that is still open was cut off before it was over. */
  get #isUnanswered(): boolean {
    const { state } = this.#inspection.fetch;
    return state === 'timed out' || (state === 'open' && !this.#input.watch);
  }

  /** While it goes on: a server is gone. */
  #sayTrouble(event: Event): void {
    if (this.#input.verbose || (event.kind !== 'channel' && event.kind !== 'stream')) return;
    const { text, tone } = eventLine(event);
    if (tone === 'bad') this.#say([text]);
  }

  /** As it happens, where other events are printed as they happen; else at the end. */
  #sayFinding(event: Event): void {
    if (this.#printFinding !== undefined) this.#printFinding(event);
    else if (this.#input.watch) this.#say([eventLine(event).text]);
  }

  #sayEnd(ending: Ending): void {
    const { fetch } = this.#inspection;
    if (fetch.state === 'failed' || !this.#out.isQuiet) this.#say(fetch.failures.map(failureLine));
    this.#say(fetch.passedOver.map((why) => `a message was passed over: ${visibleShort(why)}`));
    if (ending !== 'interrupted' && this.#isUnanswered) this.#say(missingLines(fetch, this.#waited()));
  }

  #waited(): string {
    const { timeout } = this.#input;
    if (this.#inspection.fetch.state === 'open') return 'until then';
    return timeout === undefined ? 'in time' : `within ${formatMillis(timeout)}`;
  }

  #say(lines: readonly string[]): void {
    for (const line of lines) this.#out.say(line);
  }
}

function newsItem(news: News, printing: Printing): NewsItem {
  return {
    event: () => newsJson(news, printing),
    resource: () => (news.kind === 'resource' ? resourceView(news, printing) : undefined),
  };
}
