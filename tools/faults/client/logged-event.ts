import type { ShortType } from '../../../src/proto/resource-types.ts';

/** The fields of an event in NDJSON (docs/events.md) that the rules use. */
export interface LoggedEvent {
  kind: string;
  at: string;
  scope: string;
  server?: string;
  change?: string;
  stream?: number;
  type?: ShortType;
  typeUrl?: string;
  name?: string;
  names?: string[];
  version?: string;
  nonce?: string;
  error?: unknown;
  ignored?: string | null;
  refused?: string | null;
  status?: unknown;
  cache?: string | null;
  cause?: string;
  state?: string;
  reason?: string;
  replaces?: { version: string; sameStream: boolean } | null;
}
