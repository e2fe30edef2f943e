import type { Status } from '../base/status.js';
import type { ErrorEvent } from './event.js';

/** The cause of an error. `absence`: another client reports over CSDS that a resource is missing, but not why. */
export type ErrorCause = 'channel' | 'stream' | 'timer' | 'nack' | 'deletion' | 'absence' | 'server-error' | 'bad-name';

/** The effect on the cached resource: none was cached, it is kept, or it is dropped. */
type ErrorEffect = 'none-cached' | 'kept' | 'dropped';

/** One error of one resource (A88). */
export interface ErrorRecord {
  cause: ErrorCause;
  nature: 'transient' | 'data';
  origin: 'transport' | 'client' | 'server';
  /** Without the node ID, which is added to the errors that watchers receive. */
  status: Status;
  /** URI of the server. */
  server: string;
  /** The version of the response; undefined if no response caused the error. */
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

/** NOT_FOUND and PERMISSION_DENIED: the resource does not exist for this client. Other codes are transient (A88). */
const DATA_ERROR_CODES: ReadonlySet<number> = new Set([5, 7]);

export function isDataErrorStatus(status: Status): boolean {
  return DATA_ERROR_CODES.has(status.code);
}

/** Lists the fields, as `errorEvent` does: a NACK storm has thousands of errors per second, and copying is slower. */
export function errorRecord(
  cause: ErrorCause,
  { nature, status, server, version, at, failOnDataErrors, effect }: Omit<ErrorRecord, 'cause' | 'origin'>,
): ErrorRecord {
  return { cause, origin: ORIGINS[cause], nature, status, server, version, at, failOnDataErrors, effect };
}

/** The watcher's method in the final A88: an ambient error if the cached resource is kept, else a resource error. */
export function finalCallback({ effect }: ErrorRecord): 'OnAmbientError' | 'OnResourceChanged' {
  return effect === 'kept' ? 'OnAmbientError' : 'OnResourceChanged';
}

/** The watcher's method in the draft of A88, where the watcher decides whether to drop the resource (timer: D8). */
export function draftCallback({
  nature,
  cause,
  origin,
}: ErrorRecord): 'OnTransientError' | 'OnClientDataError' | 'OnServerDataError' {
  if (nature === 'transient' && cause !== 'server-error') return 'OnTransientError';
  return origin === 'client' ? 'OnClientDataError' : 'OnServerDataError';
}

/** The event of an error: the record, the resource, and the watcher method that reports the error. */
export function errorEvent(
  record: ErrorRecord,
  {
    at,
    scope,
    typeUrl,
    name,
    cache,
    watchers,
  }: Pick<ErrorEvent, 'at' | 'scope' | 'typeUrl' | 'name' | 'cache' | 'watchers'>,
): ErrorEvent {
  const { cause, origin, nature, status, server, version, failOnDataErrors, effect } = record;
  return {
    kind: 'error',
    at,
    scope,
    server,
    typeUrl,
    name,
    cache,
    watchers,
    cause,
    origin,
    nature,
    status,
    version,
    failOnDataErrors,
    effect,
    final: finalCallback(record),
    draft: draftCallback(record),
  };
}
