import type {
  ConfigEvent,
  ErrorEvent,
  RequestEvent,
  ResourceEvent,
  ResponseEvent,
  StreamEvent,
  TimerEvent,
} from '../core/event.js';
import type { StreamId } from '../core/input.js';
import type { Occurrence } from './finding-store.js';

export type Report = (sighting: Occurrence) => void;

/** What a rule looks at. A response that was passed over is only for those who ask for it. */
export interface Rule {
  stream?(event: StreamEvent): void;
  request?(event: RequestEvent): void;
  response?(event: ResponseEvent): void;
  ignoredResponse?(event: ResponseEvent): void;
  resource?(event: ResourceEvent): void;
  error?(event: ErrorEvent): void;
  timer?(event: TimerEvent): void;
  config?(event: ConfigEvent): void;
  /** Everything that one input has caused has been seen. */
  endStep?(now: number): void;
  /** When it has something to say even if nothing happens. */
  nextDeadline?(): number | undefined;
  /** A stream is over. */
  forget?(stream: StreamId): void;
}
