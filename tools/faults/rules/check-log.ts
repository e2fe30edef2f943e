import type { LoggedEvent } from '../client/logged-event.ts';
import type { PlaneRecord } from '../plane/plane-process.ts';
import { checkTransitions } from './resource-rules.ts';
import { clientStreams, planeStreams } from './stream-log.ts';
import { checkAcknowledgements, checkRequests, checkResponses, StreamMatcher } from './wire-rules.ts';

/** The result of the rules for one client: no event is lost or doubled (docs/robustness.md). */
export interface LogCheck {
  failures: string[];
  events: number;
  streams: number;
  transitions: number;
}

/** Checks the event log of a client against the log of its control plane. */
export function checkLog(events: readonly LoggedEvent[], planeLog: readonly PlaneRecord[]): LogCheck {
  const { streams, failures } = clientStreams(events);
  const matcher = new StreamMatcher(planeStreams(planeLog).values());
  for (const stream of streams) {
    const plane = matcher.match(stream, failures);
    checkAcknowledgements(stream, failures);
    if (plane === undefined) continue;
    checkResponses(stream, plane, failures);
    checkRequests(stream, plane, failures);
  }
  const transitions = checkTransitions(events, failures);
  return { failures, events: events.length, streams: streams.length, transitions };
}

/** Checks only what holds even if bytes on the wire were changed: the life cycle of streams. */
export function checkStreamsOnly(events: readonly LoggedEvent[]): LogCheck {
  const { streams, failures } = clientStreams(events);
  return { failures, events: events.length, streams: streams.length, transitions: 0 };
}

/** Every stream of the control plane belongs to a client; `extra` streams were opened by a proxy. */
export function checkStreamCount(clients: readonly LogCheck[], planeLog: readonly PlaneRecord[], extra = 0): string[] {
  const opened = clients.reduce((sum, { streams }) => sum + streams, extra);
  const accepted = planeStreams(planeLog).size;
  return accepted > opened ? [`the control plane accepted ${accepted} streams, but clients opened ${opened}`] : [];
}
