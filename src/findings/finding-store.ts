import { earliestOf } from '../base/earliest.js';
import type { FindingEvent } from '../core/event.js';
import type { ProtocolFinding } from './finding.js';
import { PROTOCOL_FINDINGS, type ProtocolCode } from './protocol-catalogue.js';

/** One violation of a rule. */
export interface Occurrence {
  code: ProtocolCode;
  at: number;
  scope: string;
  server: string;
  typeUrl?: string;
  names?: readonly string[];
  /** A function if many occurrences of a storm share one finding: only the first one needs its message. */
  message: string | (() => string);
  /** How often it occurred since the last report; 1 by default. */
  times?: number;
  /** Time of the first occurrence; `at` by default. */
  begin?: number;
  /** Part of a series (a storm), which ends after a quiet period. */
  isRepeated?: boolean;
}

interface StoredFinding {
  finding: ProtocolFinding;
  reportedAt: number;
  /** Start and length of the current series, for its rate. */
  storm: { since: number; count: number } | undefined;
}

/** Minimum time between two events that update the count of a finding. */
const REPORT_INTERVAL_MS = 10_000;

/** A rate needs at least this much time to be meaningful. */
const RATE_AFTER_MS = 1000;

/** A series ends after this much time without an occurrence. */
const QUIET_MS = 2000;

const MAX_NAMES = 20;
/** Bounds the memory that a misbehaving server can consume. */
const MAX_FINDINGS = 500;

/** Stores each finding once with its count, and emits the finding events for the log. */
export class FindingStore {
  readonly #entries = new Map<string, StoredFinding>();
  /** In a storm, most occurrences belong to the same finding. */
  #last: StoredFinding | undefined;
  #events: FindingEvent[] = [];

  get findings(): ProtocolFinding[] {
    return [...this.#entries.values()].map(({ finding }) => ({ ...finding }));
  }

  report(occurrence: Occurrence): void {
    if (this.#last !== undefined && isAbout(this.#last, occurrence)) {
      this.#repeat(this.#last, occurrence);
      return;
    }
    const key = `${occurrence.code} ${occurrence.scope} ${occurrence.server} ${occurrence.typeUrl}`;
    const known = this.#entries.get(key);
    this.#last = known;
    if (known !== undefined) this.#repeat(known, occurrence);
    else if (this.#entries.size < MAX_FINDINGS) {
      const entry = newFinding(occurrence);
      this.#entries.set(key, entry);
      this.#emit(entry, 'opened', occurrence.at);
    }
  }

  /** Whether a series is ongoing, so that its single messages need not be shown. */
  isOngoing(scope: string, server: string, typeUrl: string): boolean {
    for (const { finding } of this.#entries.values()) {
      if (finding.isOngoing && finding.typeUrl === typeUrl && finding.server === server && finding.scope === scope)
        return true;
    }
    return false;
  }

  /** Whether a series is ongoing whose rate is not known yet. */
  get hasUnknownRate(): boolean {
    for (const { finding } of this.#entries.values()) if (finding.isOngoing && finding.rate === undefined) return true;
    return false;
  }

  nextDeadline(): number | undefined {
    return earliestOf(this.#entries.values(), ({ finding: { isOngoing, last } }) =>
      isOngoing ? last + QUIET_MS : undefined,
    );
  }

  /** Ends the series that have been quiet for long enough. */
  tick(now: number): void {
    for (const entry of this.#entries.values()) {
      const { finding } = entry;
      if (!finding.isOngoing || now < finding.last + QUIET_MS) continue;
      finding.isOngoing = false;
      if (entry.storm !== undefined) finding.rate = rateOf(entry.storm.count, finding.last - entry.storm.since);
      this.#emit(entry, 'ended', now);
    }
  }

  takeEvents(): FindingEvent[] {
    const events = this.#events;
    if (events.length > 0) this.#events = [];
    return events;
  }

  #repeat(entry: StoredFinding, { at, times = 1, names = [], begin = at, isRepeated = false }: Occurrence): void {
    const { finding } = entry;
    finding.count += times;
    finding.last = at;
    if (names.some((name) => !finding.names.includes(name))) {
      finding.names = [...new Set([...finding.names, ...names])].slice(0, MAX_NAMES);
    }
    const hasBegun = isRepeated && !finding.isOngoing;
    if (hasBegun) entry.storm = { since: begin, count: 0 };
    finding.isOngoing = isRepeated;
    const isFirstRate = this.#countStorm(entry, times, at);
    if (hasBegun || isFirstRate || at - entry.reportedAt >= REPORT_INTERVAL_MS) this.#emit(entry, 'repeated', at);
  }

  /** Updates the rate of a series, and returns whether it is the first rate. */
  #countStorm({ finding, storm }: StoredFinding, times: number, at: number): boolean {
    if (storm === undefined || !finding.isOngoing) return false;
    storm.count += times;
    const isLong = at - storm.since >= RATE_AFTER_MS;
    const isFirst = isLong && finding.rate === undefined;
    if (isLong) finding.rate = rateOf(storm.count, at - storm.since);
    return isFirst;
  }

  #emit(entry: StoredFinding, change: FindingEvent['change'], at: number): void {
    entry.reportedAt = at;
    const { isOngoing: _isOngoing, ...finding } = entry.finding;
    this.#events.push({ kind: 'finding', at, change, ...finding });
  }
}

function isAbout({ finding }: StoredFinding, { code, scope, server, typeUrl }: Occurrence): boolean {
  return finding.code === code && finding.typeUrl === typeUrl && finding.server === server && finding.scope === scope;
}

function newFinding(occurrence: Occurrence): StoredFinding {
  const {
    code,
    at,
    scope,
    server,
    typeUrl,
    names = [],
    message,
    times = 1,
    begin = at,
    isRepeated = false,
  } = occurrence;
  const { severity, advice } = PROTOCOL_FINDINGS[code];
  return {
    finding: {
      code,
      severity,
      scope,
      server,
      typeUrl,
      names: names.slice(0, MAX_NAMES),
      count: times,
      rate: undefined,
      isOngoing: isRepeated,
      begin,
      last: at,
      message: typeof message === 'string' ? message : message(),
      advice,
    },
    reportedAt: at,
    storm: isRepeated ? { since: begin, count: times } : undefined,
  };
}

function rateOf(count: number, milliseconds: number): number {
  return Math.round(count / Math.max(1, milliseconds / RATE_AFTER_MS));
}
