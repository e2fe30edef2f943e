/** The reaction of a client to a response. */
export interface LiveVerdict {
  /**
   * NONE: the client sent no ACK or NACK, or ended the stream. HELD: it waits for another resource first. CRASH: its
   * process ended.
   */
  verdict: 'ACK' | 'NACK' | 'NONE' | 'HELD' | 'CRASH';
  /** The message of a NACK. */
  message?: string;
}

export interface LiveVerdicts {
  /** The name and version of the implementation. */
  version: string;
  /** By the ids of the cases. */
  verdicts: Map<string, LiveVerdict>;
}
