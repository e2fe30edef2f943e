import { thousands } from '../base/count-text.js';
import { formatMillis } from '../base/duration.js';
import type { Event } from '../core/event.js';
import type { ResourceSetChange } from '../engine/get/resource-set.js';
import { findingViews } from '../inspect/finding-view.js';
import type { GetInspection } from '../inspect/get.js';
import type { WaitEnding } from '../inspect/until.js';
import type { ChangeItem } from './documents.js';
import { eventLine } from './event-line.js';
import type { FailRules } from './exit-reason.js';
import { getView, type Printing, resourceChangeJson, resourceView } from './get.js';
import { emptyLine, failureLine, missingLines, omittedLines, resourceChangeLines } from './get-lines.js';
import { visibleShort } from './visible-text.js';

/** Settings of the output of `get`. */
export interface GetSettings {
  printing: Printing;
  rules: FailRules;
  watch: boolean;
  timeout: number | undefined;
  /** Requests and responses are printed. */
  verbose: boolean;
  /** Failed servers are not mentioned if another server responded. */
  isQuiet: boolean;
  /** One of several types: lines start with the type. */
  isOneOfSeveral: boolean;
  /** Prints each change when it arrives. */
  printChange: ((item: ChangeItem) => void) | undefined;
  /** Prints each finding when it arrives. */
  printFinding: ((event: Event) => void) | undefined;
  printLine(line: string): void;
}

/** Findings that `get` prints as plain lines: a name without a response, a server without ADS. */
const PRINTED_AS_LINES: ReadonlySet<string> = new Set(['XI204', 'XI220']);

/** At most this many lines about resources at the end. */
const MAX_LINES = 20;

const CONNECTION: ReadonlySet<Event['kind']> = new Set(['channel', 'stream']);

export type GetResult = ReturnType<GetReport['end']>;

/** The output of `get`: changes are printed when they arrive, the rest at the end. */
export class GetReport {
  readonly #inspection: GetInspection;
  readonly #settings: GetSettings;
  readonly #found = { rejected: false, reported: false };
  #hasResponse = false;

  constructor(inspection: GetInspection, settings: GetSettings) {
    this.#inspection = inspection;
    this.#settings = settings;
    inspection.events.subscribe((event) => this.#observe(event));
  }

  /** The output at the end, with the findings that are not printed as plain lines. */
  end(ending: WaitEnding) {
    const { fetch } = this.#inspection;
    const { watch, printing, rules, isQuiet } = this.#settings;
    const { rejected, reported } = this.#found;
    const findings = findingViews(this.#inspection.findings());
    // A fetch that is still open was cut off.
    const isUnanswered = fetch.state === 'timed out' || (fetch.state === 'open' && !watch);
    return {
      document: () => getView(fetch, findings, printing),
      lines: [
        ...(watch ? [] : this.#changeLines()),
        ...omittedLines(fetch.omitted, this.#typeLabel),
        ...(this.#isEmpty && fetch.state === 'done' ? [emptyLine(printing.type.short, fetch.version)] : []),
        ...fetch.ignoredMessages.map((why) => `a message was ignored: ${visibleShort(why)}`),
      ],
      errors: [
        ...(fetch.state === 'failed' || !isQuiet ? fetch.failures.map(failureLine) : []),
        ...(ending !== 'interrupted' && isUnanswered
          ? missingLines(fetch, this.#waited(), this.#typeLabel, this.#hint)
          : []),
      ],
      findings: findings.filter(({ code }) => !PRINTED_AS_LINES.has(code)),
      outcome: {
        isInterrupted: ending === 'interrupted',
        isLost: fetch.state === 'failed',
        isTimedOut: isUnanswered,
        hasFindings:
          (rejected && rules.statuses.has('NACKED')) ||
          (reported && rules.statuses.has('RECEIVED_ERROR')) ||
          findings.some(rules.isFailing),
      },
    };
  }

  /** The first lines about rejected resources and reported errors, and the number of others. */
  #changeLines(): string[] {
    const { resources, errors } = this.#inspection.fetch;
    const lines: string[] = [];
    let more = 0;
    for (const change of [...resources, ...errors]) {
      for (const line of resourceChangeLines(change, this.#typeLabel)) {
        if (lines.length < MAX_LINES) lines.push(line);
        else more++;
      }
    }
    return more === 0 ? lines : [...lines, `${thousands(more)} more lines about resources are omitted`];
  }

  #observe(event: Event): void {
    const { watch, verbose, printChange, printFinding, printLine } = this.#settings;
    for (const change of this.#inspection.fetch.takeChanges()) {
      if (change.kind === 'error') this.#found.reported = true;
      if (change.kind === 'resource' && change.received.verdict === 'rejected') this.#found.rejected = true;
      printChange?.(changeItem(change, this.#settings.printing));
      if (watch) for (const line of resourceChangeLines(change, this.#typeLabel)) printLine(line);
    }
    this.#observeResponse(event);
    if (event.kind === 'finding' && printFinding !== undefined) printFinding(event);
    else if (watch && (event.kind === 'finding' || (!verbose && CONNECTION.has(event.kind)))) {
      const { text, tone } = eventLine(event);
      // A lost server is worth a line while `get` watches.
      if (event.kind === 'finding' || tone === 'bad') printLine(text);
    }
  }

  /** Prints a line for an empty first response, which would otherwise leave the screen empty. */
  #observeResponse({ kind }: Event): void {
    const { watch, printing, printLine } = this.#settings;
    if (!watch || kind !== 'response') return;
    if (!this.#hasResponse && this.#isEmpty) printLine(emptyLine(printing.type.short, this.#inspection.fetch.version));
    this.#hasResponse = true;
  }

  get #isEmpty(): boolean {
    const { resources, errors } = this.#inspection.fetch;
    return resources.length === 0 && errors.length === 0;
  }

  get #typeLabel(): string {
    const { isOneOfSeveral, printing } = this.#settings;
    return isOneOfSeveral ? printing.type.short : '';
  }

  /** For servers that do not respond to wildcard requests: listeners and clusters contain the names to request. */
  get #hint(): string {
    const { isOneOfSeveral, printing } = this.#settings;
    const isNamedByOthers = ['RDS', 'EDS'].includes(printing.type.short);
    return isNamedByOthers && !isOneOfSeveral ? '; "get all" requests the names in listeners and clusters' : '';
  }

  #waited(): string {
    const { timeout } = this.#settings;
    if (this.#inspection.fetch.state === 'open') return 'yet';
    return timeout === undefined ? 'in time' : `within ${formatMillis(timeout)}`;
  }
}

function changeItem(change: ResourceSetChange, printing: Printing): ChangeItem {
  return {
    event: () => resourceChangeJson(change, printing),
    resource: () => (change.kind === 'resource' ? resourceView(change, printing) : undefined),
  };
}
