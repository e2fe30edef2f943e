import type { PlaneEvent } from '../../../src/scenario/plane-io.ts';
import type { LoggedEvent } from '../client/logged-event.ts';
import type { PlaneRecord } from '../plane/plane-process.ts';

/** One ADS stream in the log of a client. */
export interface ClientStream {
  id: number;
  scope: string;
  /** Requests and responses, in order. */
  messages: LoggedEvent[];
  isOpen: boolean;
}

type PlaneRequest = Extract<PlaneEvent, { kind: 'request' }>;
type PlaneResponse = Extract<PlaneEvent, { kind: 'response' }>;

/** One ADS stream in the log of a control plane. */
export interface PlaneSideStream {
  id: number;
  requests: PlaneRequest[];
  responses: PlaneResponse[];
}

/** The streams of a control plane, by number. */
export function planeStreams(log: readonly PlaneRecord[]): Map<number, PlaneSideStream> {
  const streams = new Map<number, PlaneSideStream>();
  for (const record of log) {
    if (record.kind !== 'stream' && record.kind !== 'request' && record.kind !== 'response') continue;
    const stream = streams.get(record.stream) ?? { id: record.stream, requests: [], responses: [] };
    streams.set(record.stream, stream);
    if (record.kind === 'request') stream.requests.push(record);
    if (record.kind === 'response') stream.responses.push(record);
  }
  return streams;
}

/** The streams of a client, and the violations of the life cycle of a stream. */
export function clientStreams(events: readonly LoggedEvent[]): { streams: ClientStream[]; failures: string[] } {
  const streams = new Map<number, ClientStream>();
  const failures: string[] = [];
  for (const event of events) {
    const { kind, stream: id, change } = event;
    if (id === undefined) continue;
    const stream = streams.get(id);
    if (kind === 'stream' && change === 'opened') failures.push(...open(id, event.scope, streams));
    else if (stream === undefined) failures.push(`${kind} on stream ${id}, which is not opened`);
    else if (!stream.isOpen) failures.push(`${kind} ${change ?? ''} on stream ${id} after its end`);
    else if (kind === 'stream') stream.isOpen = false;
    else stream.messages.push(event);
  }
  return { streams: [...streams.values()], failures };
}

/** Adds a stream. Its number is new, and its scope has no other open stream. */
function open(id: number, scope: string, streams: Map<number, ClientStream>): string[] {
  const others = [...streams.values()].filter((one) => one.scope === scope && one.isOpen);
  const failures = others.map((other) => `stream ${id} is opened while stream ${other.id} is open`);
  const isNew = [...streams.keys()].every((other) => other < id);
  if (isNew) streams.set(id, { id, scope, messages: [], isOpen: true });
  else failures.push(`stream ${id} is opened, which is not a new number`);
  return failures;
}

export function requestsOn({ messages }: ClientStream): LoggedEvent[] {
  return messages.filter(({ kind }) => kind === 'request');
}

export function responsesOn({ messages }: ClientStream): LoggedEvent[] {
  return messages.filter(({ kind }) => kind === 'response');
}
