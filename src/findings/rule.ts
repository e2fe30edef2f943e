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

export type Report = (occurrence: Occurrence) => void;

/** A protocol rule: one optional handler per kind of event. An ignored response has its own handler. */
export interface Rule {
  stream?(event: StreamEvent): void;
  request?(event: RequestEvent): void;
  response?(event: ResponseEvent): void;
  ignoredResponse?(event: ResponseEvent): void;
  resource?(event: ResourceEvent): void;
  error?(event: ErrorEvent): void;
  timer?(event: TimerEvent): void;
  config?(event: ConfigEvent): void;
  /** Called after all events of one input. */
  endStep?(now: number): void;
  /** Time at which the rule must be evaluated even without an event. */
  nextDeadline?(): number | undefined;
  /** Called when a stream has ended. */
  forget?(stream: StreamId): void;
}
