import type { Status } from '../base/status.js';

/** What a request came to. */
export type CsdsAnswer = { bytes: Uint8Array } | { failure: Status };

/** A process that serves CSDS. */
export interface CsdsClient {
  /** FetchClientStatus. */
  fetch(request: Uint8Array): Promise<CsdsAnswer>;
  /** StreamClientStatus: one response per request on a stream, which is opened again after it has ended. */
  poll(request: Uint8Array): Promise<CsdsAnswer>;
  close(): void;
}
