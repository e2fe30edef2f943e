/** What a client made of a response. */
export interface LiveVerdict {
  /**
   * NONE: it did not answer, or ended the stream instead. HELD: it waits for something before it answers. CRASH: its
   * process ended.
   */
  verdict: 'ACK' | 'NACK' | 'NONE' | 'HELD' | 'CRASH';
  /** Of a NACK. */
  message?: string;
}

export interface LiveVerdicts {
  /** The name and version of the implementation. */
  version: string;
  /** By the ids of the cases. */
  verdicts: Map<string, LiveVerdict>;
}
