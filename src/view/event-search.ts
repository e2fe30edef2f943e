import type { Event } from '../core/event.js';
import type { LoggedEvent } from '../inspect/history/journal.js';
import { typeUrlOf } from '../proto/resource-types.js';
import { eventLine, type Line } from './event-line.js';

export const EVENT_KINDS = [
  'request',
  'response',
  'resource',
  'error',
  'config',
  'tear',
  'finding',
  'fallback',
  'stream',
  'channel',
  'timer',
] as const satisfies readonly Event['kind'][];

/** Which events to list. Undefined or empty: all. */
export interface EventFilter {
  /** Every word has to occur in the line, in any case. */
  text: string;
  kinds: ReadonlySet<Event['kind']>;
  server: string;
  scope: string;
  resource: { type: string; name: string } | undefined;
  onlyProblems: boolean;
  hidesRepeated: boolean;
}

/** Lines are needed again for each filter, and cost most of the search. */
const lines = new WeakMap<Event, Line>();

export function lineOf(event: Event): Line {
  const known = lines.get(event);
  if (known !== undefined) return known;
  const line = eventLine(event);
  lines.set(event, line);
  return line;
}

/** Whether an event is shown. Cheap conditions come first. */
export function eventMatcher(filter: EventFilter): (logged: LoggedEvent) => boolean {
  const { kinds, server, scope, resource, onlyProblems, hidesRepeated } = filter;
  const tests: ((logged: LoggedEvent) => boolean)[] = [];
  if (hidesRepeated) tests.push(({ isRepeated }) => !isRepeated);
  if (kinds.size > 0) tests.push(({ event }) => kinds.has(event.kind));
  if (scope !== '') tests.push(({ event }) => event.scope === scope);
  if (server !== '') tests.push(({ event }) => 'server' in event && event.server === server);
  if (resource !== undefined) {
    const typeUrl = typeUrlOf(resource.type);
    tests.push(({ event }) => concerns(event, resource.type, typeUrl, resource.name));
  }
  if (onlyProblems) tests.push(({ event }) => isProblemEvent(event));
  for (const word of filter.text.toLowerCase().split(/\s+/)) {
    if (word !== '') tests.push(({ event }) => searchedText(event).includes(word));
  }
  return (logged) => tests.every((test) => test(logged));
}

function searchedText(event: Event): string {
  return `${lineOf(event).text} ${'server' in event ? event.server : ''}`.toLowerCase();
}

/** Whether the line of an event is drawn as an error. */
export function isProblemEvent(event: Event): boolean {
  return event.kind === 'tear' || lineOf(event).tone === 'bad';
}

/** Whether an event is about a resource. */
function concerns(event: Event, type: string, typeUrl: string, name: string): boolean {
  switch (event.kind) {
    case 'resource':
    case 'error':
      return event.typeUrl === typeUrl && event.name === name;
    case 'request':
    case 'response':
    case 'timer':
    case 'finding':
      return event.typeUrl === typeUrl && event.names.includes(name);
    case 'tear':
      return [...event.resources, ...(event.neededBy === undefined ? [] : [event.neededBy])].some(
        (one) => one.type === type && one.name === name,
      );
    default:
      return false;
  }
}
