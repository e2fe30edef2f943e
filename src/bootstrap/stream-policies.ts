/** How a client opens ADS streams, retries them, and times resources. */
export interface StreamPolicies {
  /** When the backoff before the next stream begins. From the start: a stream that outlives it is replaced at once. */
  backoffFrom: 'stream-end' | 'stream-start';
  /** The backoff grows until the program ends, and not only until a stream receives a response. */
  keepBackoff: boolean;
  /** A new subscription opens a stream at once, even during backoff. */
  subscribeEndsBackoff: boolean;
  /** Which ended streams are an error: those without a response (A57), or those with a status other than OK. */
  streamErrors: 'without-response' | 'not-ok';
  /**
   * What starts resource timers: the request that was sent (A57), or the connection. With `connection`, only the stream
   * that waited for the connection has resource timers.
   */
  timersFrom: 'request' | 'connection';
  /** Resource timers expire even if their stream ended, or if their resource arrived on a later stream. */
  timersOutliveStreams: boolean;
  /** Ignore a response without ACK or NACK if its type is not subscribed on the stream. */
  ignoreUnsubscribedTypes: boolean;
  /** Keep the versions of a server that no authority uses any more. */
  keepVersions: boolean;
  /** The node has a locality even if the bootstrap's is empty. */
  sendEmptyLocality: boolean;
  /** Use one xDS client for all targets, which never closes; its client_scope is empty. */
  shareClient: boolean;
}

/** The behaviour that the gRFCs describe. */
export const STANDARD_STREAMS: StreamPolicies = {
  backoffFrom: 'stream-end',
  keepBackoff: false,
  subscribeEndsBackoff: false,
  streamErrors: 'without-response',
  timersFrom: 'request',
  timersOutliveStreams: false,
  ignoreUnsubscribedTypes: false,
  keepVersions: false,
  sendEmptyLocality: false,
  shareClient: false,
};
