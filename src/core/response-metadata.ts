import type { ServerRules } from '../bootstrap/server-rules.js';
import type { StreamId } from './input.js';

/** The server of a response, with the rules that its features select. */
export interface ResponseServer extends ServerRules {
  uri: string;
}

/** The source and time of a response. */
export interface ResponseMetadata {
  server: ResponseServer;
  version: string;
  /** The channel had a failure before this response. */
  wasUnhealthy: boolean;
  stream: StreamId;
  now: number;
}
