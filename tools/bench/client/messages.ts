/** Messages between the benchmark and the processes that it starts. */

/** From the server. */
export type FromServer =
  | { kind: 'listening'; port: number }
  /** The client has acknowledged every resource, or every update. */
  | { kind: 'acknowledged' }
  | { kind: 'rejected'; type: string };

/** To the server: a number of updates of one resource each, each sent after the ACK of the previous one. */
export interface Update {
  type: 'CDS' | 'EDS';
  times: number;
}

/** From a client, on request: its resource usage since its process was started. */
export interface Usage {
  cpuMs: number;
  peakMiB: number;
}
