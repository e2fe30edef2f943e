import type { Status } from '../base/status.js';

/** What an error comes from; `absence` is of other clients, which tell that a resource is not there but not why. */
export type ErrorCause = 'channel' | 'stream' | 'timer' | 'nack' | 'deletion' | 'absence' | 'server-error' | 'bad-name';

/** What it does to the resource: there was none, it goes on being used, or it is no longer used. */
type ErrorEffect = 'none-cached' | 'kept' | 'dropped';

/** One error of one resource, as everybody who shows it needs to know it (A88). */
export interface ErrorRecord {
  cause: ErrorCause;
  nature: 'transient' | 'data';
  origin: 'transport' | 'client' | 'server';
  /** Without the node's id, which only watchers get to see. */
  status: Status;
  /** URI of the server. */
  server: string;
  /** The version that brought it; undefined where no response did. */
  version: string | undefined;
  at: number;
  failOnDataErrors: boolean;
  effect: ErrorEffect;
}

const ORIGINS: Record<ErrorCause, ErrorRecord['origin']> = {
  channel: 'transport',
  stream: 'transport',
  timer: 'server',
  nack: 'client',
  deletion: 'server',
  absence: 'server',
  'server-error': 'server',
  'bad-name': 'client',
};

/** Codes with which a server says that there will be no resource; all others are trouble that passes. */
const LASTING: ReadonlySet<number> = new Set([5, 7]);

export function isLasting(status: Status): boolean {
  return LASTING.has(status.code);
}

export function errorRecord(
  cause: ErrorCause,
  facts: Pick<ErrorRecord, 'nature' | 'status' | 'server' | 'version' | 'at' | 'failOnDataErrors' | 'effect'>,
): ErrorRecord {
  return { cause, origin: ORIGINS[cause], ...facts };
}

/** The watcher's method in the final A88: an error beside a resource that stays, or in its place. */
export function finalCallback({ effect }: ErrorRecord): 'OnAmbientError' | 'OnResourceChanged' {
  return effect === 'kept' ? 'OnAmbientError' : 'OnResourceChanged';
}

/** The same in the draft of A88, which left it to the watcher to drop the resource (D8 for the timer). */
export function draftCallback({
  nature,
  cause,
  origin,
}: ErrorRecord): 'OnTransientError' | 'OnClientDataError' | 'OnServerDataError' {
  if (nature === 'transient' && cause !== 'server-error') return 'OnTransientError';
  return origin === 'client' ? 'OnClientDataError' : 'OnServerDataError';
}

/** The fields of an error event: the record, and the watcher method that reports it. */
export function toErrorEvent(record: ErrorRecord) {
  const { at: _at, server: _server, ...known } = record;
  return { ...known, final: finalCallback(record), draft: draftCallback(record) };
}
