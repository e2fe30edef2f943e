import { shellCommand } from '../base/shell-word.js';
import { statusName } from '../base/status.js';
import type { InspectionResult } from '../inspect/inspection-result.js';
import type { SessionCounts } from '../inspect/session-counts.js';
import type { Cause, VerdictWord } from '../inspect/verdict/verdict.js';
import type { VerdictChanges } from '../inspect/verdict-changes.js';
import { shortType } from '../proto/resource-types.js';
import { timestamp } from '../proto/timestamp.js';

/** A verdict of a target, and when it began. */
export interface VerdictSince {
  at: string;
  /** In milliseconds since the session began. */
  afterMs: number;
  verdict: VerdictWord;
  cause: Cause | null;
  /** The command that shows the state at that time; null if the file name cannot be quoted. */
  command: string | null;
}

/** The number of occurrences, the time of the first one, and the command that shows it. */
export interface CountSince {
  count: number;
  firstAfterMs: number | null;
  /** A short description of the first one. */
  first: string | null;
  command: string | null;
}

/** The summary of a recorded session. */
export interface ReplaySummary {
  file: string;
  start: string;
  end: string;
  durationMs: number;
  servers: { uri: string; active: boolean }[];
  targets: { scope: string; target: string; verdicts: VerdictSince[] }[];
  /** Changes of verdicts that are not listed. */
  more: number;
  nacks: CountSince;
  /** Other errors of resources. */
  errors: CountSince;
  tears: CountSince & { open: number };
  /** The command that shows all events. */
  events: string | null;
}

export interface RecordedSession {
  program: string;
  file: string;
  start: number;
  verdicts: Pick<VerdictChanges, 'changes' | 'dropped'>;
  counts: Pick<SessionCounts, 'nacks' | 'errors'>;
}

export function replaySummary(session: RecordedSession, { snapshot, now }: InspectionResult): ReplaySummary {
  const { file, start, verdicts, counts } = session;
  const command = (...words: string[]): string | null =>
    shellCommand([...session.program.split(' '), 'replay', file, ...words]) ?? null;
  const stateAt = (at: number): string | null => command('--at', `${(at - start) / 1000}s`);
  const channels = snapshot.flatMap(({ scope, channels: own }) => own.map((channel) => ({ scope, ...channel })));
  const tears = channels.flatMap((channel) => channel.tears).sort((a, b) => a.begin - b.begin);
  const firstTear = tears[0];
  const active = new Map<string, boolean>();
  for (const { servers } of snapshot.flatMap(({ authorities }) => authorities)) {
    for (const one of servers) active.set(one.uri, one.isActive || active.get(one.uri) === true);
  }
  return {
    file,
    start: timestamp(start),
    end: timestamp(now),
    durationMs: now - start,
    servers: [...active].map(([uri, isActive]) => ({ uri, active: isActive })),
    targets: channels.map(({ scope, target }) => ({
      scope,
      target,
      verdicts: verdicts.changes
        .filter((change) => change.scope === scope && change.target === target)
        .map(({ at, verdict, cause }) => ({
          at: timestamp(at),
          afterMs: at - start,
          verdict,
          cause,
          command: stateAt(at),
        })),
    })),
    more: verdicts.dropped,
    nacks: countSince(counts.nacks, start, nackText, stateAt),
    errors: countSince(counts.errors, start, errorText, stateAt),
    tears: {
      count: tears.length,
      firstAfterMs: firstTear === undefined ? null : firstTear.begin - start,
      first: firstTear === undefined ? null : firstTear.kind,
      command: tears.length === 0 ? null : command('tears'),
      open: tears.filter(({ end }) => end === undefined).length,
    },
    events: command('watch'),
  };
}

function countSince<E extends { at: number }>(
  { count, first }: { count: number; first: E | undefined },
  start: number,
  textOf: (event: E) => string,
  stateAt: (at: number) => string | null,
): CountSince {
  if (first === undefined) return { count, firstAfterMs: null, first: null, command: null };
  return { count, firstAfterMs: first.at - start, first: textOf(first), command: stateAt(first.at) };
}

function nackText({ typeUrl, version }: NonNullable<SessionCounts['nacks']['first']>): string {
  return `${shortType(typeUrl)} version ${version}`;
}

function errorText({ typeUrl, name, status, cause }: NonNullable<SessionCounts['errors']['first']>): string {
  const what =
    cause === 'deletion' ? 'removed' : cause === 'timer' ? 'resource timer expired' : statusName(status.code);
  return `${shortType(typeUrl)} ${name}: ${what}`;
}
