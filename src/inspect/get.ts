import type { Event } from '../core/event.js';
import { Fetch, type FetchRequest } from '../engine/get/fetch.js';
import { engineOptions } from '../engine/options.js';
import type { RecordedFetch } from '../engine/recording/header.js';
import { Replay } from '../engine/replay.js';
import type { ProtocolFinding } from '../findings/finding.js';
import { EventFeed } from './event-feed.js';
import { LiveRun } from './live-run.js';
import { recordedSetup } from './recorded.js';
import { RecordedRun } from './recorded-run.js';
import type { LiveSource, Recorder, RecordingSource } from './source.js';
import type { Condition, Waitable } from './until.js';

/** A raw subscription to one resource type, without a target. */
export interface GetInspection extends Waitable {
  readonly fetch: Fetch;
  readonly events: EventFeed;
  findings(): ProtocolFinding[];
  /** Starts without a wait. */
  start(): void;
  close(): void;
}

/** Throws UnaskableNames for names that cannot be subscribed to, before a recording is started. */
export async function openGet(
  source: LiveSource | RecordingSource,
  suppress: ReadonlySet<string>,
  request: FetchRequest,
  startRecorder?: () => Promise<Recorder>,
): Promise<GetInspection> {
  const options =
    source.kind === 'live'
      ? engineOptions(source.client.bootstrap, source.client.environment)
      : recordedSetup(source.header).options;
  const fetch = new Fetch({ ...options, ...request });
  const events = new EventFeed();
  const append = (event: Event): void => {
    if (event.kind !== 'finding' || !suppress.has(event.code)) events.publish(event, fetch.isRepeated(event));
  };
  const shared = { fetch, events, findings: () => fetch.findings().filter(({ code }) => !suppress.has(code)) };
  if (source.kind === 'recording') {
    const run = new RecordedRun(source, new Replay(fetch, append));
    return { ...shared, start: () => {}, until: (condition) => run.until(condition), close: () => {} };
  }
  const run = new LiveRun(fetch, source.ports, [{ kind: 'tick' }], append, await startRecorder?.());
  return {
    ...shared,
    start: () => run.start(),
    until: (condition, wait) => run.until(events, condition, wait),
    close: () => run.close(),
  };
}

const LINGER_MS = 50;

/** Holds shortly after the last response, to detect a server that resends it repeatedly. */
export function hasResponse({ fetch }: GetInspection): Condition {
  let doneAt: number | undefined;
  return (now) => {
    if (fetch.state === 'open') return { isMet: false };
    doneAt ??= now;
    return { isMet: now - doneAt >= LINGER_MS, nextCheck: doneAt + LINGER_MS };
  };
}

/** The request in a recording of `get`. */
export function recordedRequest({ nack, timeoutMs, ...rest }: RecordedFetch): FetchRequest {
  return { ...rest, nack: nack ?? undefined, timeoutMs: timeoutMs ?? undefined };
}
