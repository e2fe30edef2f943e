import { earliestOf } from '../base/earliest.js';
import type { FindingEvent } from '../core/event.js';
import type { ProtocolFinding } from './finding.js';
import { PROTOCOL_FINDINGS, type ProtocolCode } from './protocol-catalogue.js';

/** What a rule has seen. */
export interface Occurrence {
  code: ProtocolCode;
  at: number;
  scope: string;
  server: string;
  typeUrl?: string;
  names?: readonly string[];
  message: string;
  /** How often it has happened since it was last reported; once unless given. */
  times?: number;
  /** Since when, where that is not now. */
  begin?: number;
  /** It goes on and on, until it is quiet for a while. */
  isRepeated?: boolean;
}

interface StoredFinding {
  finding: ProtocolFinding;
  toldAt: number;
  /** How often, and since when, what goes on has happened. */
  storm: { since: number; count: number } | undefined;
}

/** How often the count of a finding is told. */
const TELL_EVERY_MS = 10_000;

/** A few at once are no rate. */
const RATE_AFTER_MS = 1000;

/** What goes on and on is over when nothing more has come for so long. */
const QUIET_MS = 2000;

const MAX_NAMES = 20;
/** A server cannot fill the memory, whatever it sends. */
const MAX_FINDINGS = 500;

/** All findings, each once with its count; and what the log is told of them. */
export class FindingStore {
  readonly #entries = new Map<string, StoredFinding>();
  #events: FindingEvent[] = [];

  get findings(): ProtocolFinding[] {
    return [...this.#entries.values()].map(({ finding }) => ({ ...finding }));
  }

  report(sighting: Occurrence): void {
    const key = `${sighting.code} ${sighting.scope} ${sighting.server} ${sighting.typeUrl}`;
    const known = this.#entries.get(key);
    if (known !== undefined) this.#again(known, sighting);
    else if (this.#entries.size < MAX_FINDINGS) {
      const entry = opened(sighting);
      this.#entries.set(key, entry);
      this.#tell(entry, 'opened', sighting.at);
    }
  }

  /** Whether this goes on and on, so that single messages say nothing new. */
  isOngoing(scope: string, server: string, typeUrl: string): boolean {
    for (const { finding } of this.#entries.values()) {
      if (finding.isOngoing && finding.typeUrl === typeUrl && finding.server === server && finding.scope === scope)
        return true;
    }
    return false;
  }

  nextDeadline(): number | undefined {
    return earliestOf(this.#entries.values(), ({ finding: { isOngoing, last } }) =>
      isOngoing ? last + QUIET_MS : undefined,
    );
  }

  /** What has been quiet for long enough is over. */
  tick(now: number): void {
    for (const entry of this.#entries.values()) {
      const { finding } = entry;
      if (!finding.isOngoing || now < finding.last + QUIET_MS) continue;
      finding.isOngoing = false;
      if (entry.storm !== undefined) finding.rate = rateOf(entry.storm.count, finding.last - entry.storm.since);
      this.#tell(entry, 'ended', now);
    }
  }

  takeEvents(): FindingEvent[] {
    const events = this.#events;
    if (events.length > 0) this.#events = [];
    return events;
  }

  #again(entry: StoredFinding, { at, times = 1, names = [], begin = at, isRepeated = false }: Occurrence): void {
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
    if (hasBegun || isFirstRate || at - entry.toldAt >= TELL_EVERY_MS) this.#tell(entry, 'repeated', at);
  }

  /** Whether there is a rate now for the first time. */
  #countStorm({ finding, storm }: StoredFinding, times: number, at: number): boolean {
    if (storm === undefined || !finding.isOngoing) return false;
    storm.count += times;
    const isLong = at - storm.since >= RATE_AFTER_MS;
    const isFirst = isLong && finding.rate === undefined;
    if (isLong) finding.rate = rateOf(storm.count, at - storm.since);
    return isFirst;
  }

  #tell(entry: StoredFinding, change: FindingEvent['change'], at: number): void {
    entry.toldAt = at;
    const { isOngoing: _isOngoing, ...finding } = entry.finding;
    this.#events.push({ kind: 'finding', at, change, ...finding });
  }
}

function opened(sighting: Occurrence): StoredFinding {
  const { code, at, scope, server, typeUrl, names = [], message, times = 1, begin = at, isRepeated = false } = sighting;
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
      message,
      advice,
    },
    toldAt: at,
    storm: isRepeated ? { since: begin, count: times } : undefined,
  };
}

function rateOf(count: number, milliseconds: number): number {
  return Math.round(count / Math.max(1, milliseconds / RATE_AFTER_MS));
}
