/** Between the benchmark and the processes that it starts. */

/** From the server. */
export type FromServer =
  | { kind: 'listening'; port: number }
  /** The client has acknowledged the last of all resources, or of all updates. */
  | { kind: 'acknowledged' }
  | { kind: 'refused'; type: string };

/** To the server: so many updates, each of one resource, each after the last was acknowledged. */
export interface Update {
  type: 'CDS' | 'EDS';
  times: number;
}

/** From a client, whenever it is asked: what it has used since its process was started. */
export interface Usage {
  cpuMs: number;
  peakMiB: number;
}
