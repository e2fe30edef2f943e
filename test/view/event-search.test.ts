import { describe, expect, it } from 'vitest';
import type { Event } from '../../src/core/event.js';
import { type EventFilter, eventMatcher, isProblemEvent } from '../../src/view/event-search.js';
import { cluster, endpoints, route, routes, run } from '../inspect/verdict-plane.js';

const ALL: EventFilter = {
  text: '',
  kinds: new Set(),
  server: '',
  scope: '',
  resource: undefined,
  onlyProblems: false,
  hidesRepeated: false,
};

const bad = cluster('blue').replace(/ }$/, ', lb_policy: MAGLEV }');
const { events } = run({
  resources: { l: routes(route('', 'blue')), c: cluster('blue'), e: endpoints('blue'), cbad: bad },
  serves: ['l', 'c', 'e'],
  steps: ['{ wait: 500ms }', '{ set: { type: CDS, version: "2", resources: [cbad] } }'],
});

function found(filter: Partial<EventFilter>): Event[] {
  const matches = eventMatcher({ ...ALL, ...filter });
  return events.filter((event) => matches({ event, isRepeated: false }));
}

describe('the event search', () => {
  it('finds all events without a filter', () => {
    expect(found({})).toEqual(events);
  });

  it('finds events whose line contains every word, in any case', () => {
    const lines = found({ text: 'cds NACKED blue' });
    expect(lines.map(({ kind }) => kind)).toEqual(['error']);
  });

  it('finds events of the chosen kinds', () => {
    expect(new Set(found({ kinds: new Set(['config', 'timer']) }).map(({ kind }) => kind))).toEqual(
      new Set(['config', 'timer']),
    );
  });

  it('finds events about a resource: requests, responses, updates and errors', () => {
    const about = found({ resource: { type: 'CDS', name: 'blue' } });
    expect(new Set(about.map(({ kind }) => kind))).toEqual(
      new Set(['request', 'response', 'resource', 'error', 'timer']),
    );
    expect(found({ resource: { type: 'CDS', name: 'red' } })).toEqual([]);
  });

  it('finds problems', () => {
    const problems = found({ onlyProblems: true });
    expect(problems.length).toBeGreaterThan(0);
    expect(problems.length).toBeLessThan(events.length);
    expect(problems.every(isProblemEvent)).toBe(true);
  });

  it('finds the events of a server', () => {
    expect(found({ server: 'elsewhere' })).toEqual([]);
  });

  it('hides events that a finding counts', () => {
    const matches = eventMatcher({ ...ALL, hidesRepeated: true });
    const [event] = events;
    if (event === undefined) throw new Error('no events');
    expect(matches({ event, isRepeated: true })).toBe(false);
    expect(matches({ event, isRepeated: false })).toBe(true);
  });
});
