import type { Status } from '../base/status.js';

/** The result of a CSDS request. */
export type CsdsResponse = { bytes: Uint8Array } | { failure: Status };

/** A process that serves CSDS. */
export interface CsdsClient {
  /** FetchClientStatus. */
  fetch(request: Uint8Array): Promise<CsdsResponse>;
  /** StreamClientStatus: one response per request on a stream, which is reopened after it has ended. */
  poll(request: Uint8Array): Promise<CsdsResponse>;
  close(): void;
}
