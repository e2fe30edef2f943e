import type { SentSteps } from './journal-codec.js';

/**
 * The server-sent events of a live page, with their data. `now` is the time of the tool's clock: after `ready`, the page
 * has received everything that happened before it.
 */
export interface LiveMessages {
  /** A new journal follows: the page starts again. `client` is encoded. */
  reset: { now: number; client: unknown };
  steps: { now: number } & SentSteps;
  /** The page has received everything up to now. */
  ready: { now: number };
  /** Nothing has happened, but time goes on. */
  time: { now: number };
  /** The last event: the tool ends, for this reason. */
  bye: { now: number; reason: string };
}

/** A live page asks for the contents of at most this many resources at once. */
export const MAX_KEYS = 50;

/** The addresses of a live page, relative to its own. */
export const LIVE_PATHS = { events: 'events', contents: 'contents', recording: 'recording' } as const;
