import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Event } from '../../src/core/event.js';
import { RESOURCE_TYPES } from '../../src/proto/resource-types.js';
import { traceParts } from '../../src/view/render/trace.js';
import { type Timeline, TimelineBuilder } from '../../src/view/timeline/timeline.js';
import type { Track } from '../../src/view/timeline/track.js';
import { RecordedSimulation } from '../support/recorded.js';
import { ROOT } from '../support/root.js';
import { scenarioFile } from '../support/simulate.js';

const SCOPE = 'xds:///greeter';
const SERVER = '127.0.0.1:18000';
const END = 100;

/** Events with defaults for the fields that a timeline does not use. */
function timelineOf(...events: (Partial<Event> & { kind: Event['kind']; at: number })[]): Timeline {
  const builder = new TimelineBuilder(0);
  for (const event of events) builder.observe({ scope: SCOPE, server: SERVER, ...event } as Event);
  return builder.finish(END);
}

const CDS = RESOURCE_TYPES.CDS;
const asked = (at: number, names: string[], server = SERVER) =>
  ({ kind: 'request', at, typeUrl: CDS, names, server }) as const;
const timer = (at: number, names: string[]) => ({ kind: 'timer', at, typeUrl: CDS, names, change: 'started' }) as const;
const updated = (at: number, name: string, version: string) =>
  ({ kind: 'resource', at, typeUrl: CDS, name, change: 'updated', version }) as const;
const failed = (at: number, name: string, cause: 'nack' | 'timer', effect: 'kept' | 'dropped' | 'none-cached') =>
  ({ kind: 'error', at, typeUrl: CDS, name, cause, effect, status: { code: 14, message: 'why' } }) as const;
const tear = (at: number, change: 'opened' | 'closed' | 'held-back', begin: number, name: string) =>
  ({
    kind: 'tear',
    at,
    target: SCOPE,
    change,
    tear: change === 'held-back' ? undefined : 'dangling-cluster',
    begin,
    end: change === 'opened' ? undefined : at,
    resources: [{ type: 'CDS', name, version: undefined, server: undefined, status: undefined }],
  }) as const;

const spansOf = ({ tracks }: Timeline, kind: Track['kind'], name = SCOPE): string[] =>
  tracks
    .filter((track) => track.kind === kind && track.name === name)
    .flatMap(({ spans }) =>
      spans.map(({ from, to, isOpen, state, text }) => `${from}-${isOpen ? '' : to} ${state}: ${text}`),
    );
const marksOf = ({ tracks }: Timeline, name: string): string[] =>
  tracks.filter((track) => track.name === name).flatMap(({ marks }) => marks.map(({ at, kind }) => `${at} ${kind}`));

describe('the timeline of a resource', () => {
  it('is pending from the request to the first version, and has a span for each version', () => {
    const timeline = timelineOf(asked(1, ['a']), timer(1, ['a']), updated(5, 'a', '1'), updated(9, 'a', '2'));
    expect(spansOf(timeline, 'resource', 'a')).toEqual([
      '1-5 pending: requested, not received yet',
      '5-9 cached: version 1',
      '9- cached: version 2',
    ]);
  });

  it('keeps the version when an update is NACKed, with a mark', () => {
    const timeline = timelineOf(updated(5, 'a', '1'), failed(7, 'a', 'nack', 'kept'));
    expect(spansOf(timeline, 'resource', 'a')).toEqual(['5- cached: version 1']);
    expect(marksOf(timeline, 'a')).toEqual(['7 nack']);
  });

  it.each(['dropped', 'none-cached'] as const)('is missing after an error with the effect %s', (effect) => {
    const timeline = timelineOf(updated(5, 'a', '1'), failed(7, 'a', 'timer', effect));
    expect(spansOf(timeline, 'resource', 'a')).toEqual(['5-7 cached: version 1', '7- missing: timer: UNAVAILABLE why']);
    expect(marksOf(timeline, 'a')).toEqual(['7 error']);
  });

  it('has one span while the same error is repeated, and one for each update of the same version', () => {
    const error = (at: number) => failed(at, 'a', 'nack', 'none-cached');
    const timeline = timelineOf(error(1), error(2), error(3), updated(5, 'a', '1'), updated(6, 'a', '1'));
    expect(spansOf(timeline, 'resource', 'a')).toEqual([
      '1-5 missing: nack: UNAVAILABLE why',
      '5-6 cached: version 1',
      '6- cached: version 1',
    ]);
  });

  it('ends when no server is asked for it any more', () => {
    const other = '127.0.0.1:18001';
    const timeline = timelineOf(
      ...[asked(1, ['a', 'b']), asked(1, ['a'], other), updated(2, 'a', '1'), updated(2, 'b', '1')],
      // An ACK, then requests without b and without a.
      ...[asked(3, ['a', 'b']), asked(4, ['a']), asked(5, []), asked(6, [], other)],
    );
    expect(spansOf(timeline, 'resource', 'b')).toEqual(['2-4 cached: version 1']);
    expect(spansOf(timeline, 'resource', 'a')).toEqual(['2-6 cached: version 1']);
  });

  it('ends when the client cancels the stream, and not when the stream fails', () => {
    const end = (at: number, change: 'ended' | 'cancelled') => ({ kind: 'stream', at, change, stream: 1 }) as const;
    const before = [asked(1, ['a']), updated(2, 'a', '1')];
    expect(spansOf(timelineOf(...before, end(7, 'cancelled')), 'resource', 'a')).toEqual(['2-7 cached: version 1']);
    expect(spansOf(timelineOf(...before, end(7, 'ended')), 'resource', 'a')).toEqual(['2- cached: version 1']);
  });
});

describe('the timeline of a target', () => {
  it('has overlapping tears, open ones until its end', () => {
    const timeline = timelineOf(
      ...[
        tear(3, 'opened', 1, 'a'),
        tear(4, 'opened', 2, 'b'),
        tear(6, 'closed', 1, 'a'),
        tear(8, 'held-back', 7, 'c'),
      ],
    );
    expect(spansOf(timeline, 'tears')).toEqual([
      '1-6 tear: dangling-cluster: CDS a',
      '2- tear: dangling-cluster: CDS b',
      '7-8 held-back: held back: CDS c',
    ]);
  });

  it('has a span for each tear of the same resource', () => {
    const [first, second] = [tear(1, 'opened', 1, 'a'), tear(5, 'opened', 5, 'a')];
    const timeline = timelineOf(first, tear(3, 'closed', 1, 'a'), second, tear(9, 'closed', 5, 'a'));
    expect(spansOf(timeline, 'tears')).toEqual([
      '1-3 tear: dangling-cluster: CDS a',
      '5-9 tear: dangling-cluster: CDS a',
    ]);
  });

  it('has its verdicts with their causes, in the words of the report', () => {
    const timeline = new TimelineBuilder(0).finish(END, [
      { scope: SCOPE, target: SCOPE, verdict: 'ok', cause: null, at: 3 },
      { scope: SCOPE, target: SCOPE, verdict: 'waiting', cause: null, at: 5 },
    ]);
    expect(spansOf(timeline, 'target')).toEqual([
      '3-5 ok: OK  every route finds a usable endpoint',
      expect.stringMatching(/^5- waiting: WAITING/),
    ]);
  });
});

describe('the timeline of a server', () => {
  it('has the states of its connection, its streams, and fallbacks as marks of both servers', () => {
    const other = '127.0.0.1:18001';
    const timeline = timelineOf(
      { kind: 'channel', at: 1, state: 'connecting', reason: '' },
      { kind: 'channel', at: 2, state: 'ready', reason: '' },
      { kind: 'stream', at: 3, stream: 1, change: 'opened' },
      { kind: 'stream', at: 7, stream: 1, change: 'ended', status: { code: 14, message: 'gone' } },
      { kind: 'channel', at: 8, state: 'transient-failure', reason: 'refused' },
      { kind: 'fallback', at: 9, authority: '', change: 'down', from: SERVER, server: other },
    );
    expect(spansOf(timeline, 'server', SERVER)).toEqual([
      '1-2 connecting: connecting',
      '2-8 ready: ready',
      '8- transient-failure: transient-failure: refused',
    ]);
    expect(spansOf(timeline, 'stream', SERVER)).toEqual(['3-7 stream: ADS stream 1']);
    expect(marksOf(timeline, SERVER)).toEqual(['9 fallback', '7 error']);
    expect(marksOf(timeline, other)).toEqual(['9 fallback']);
  });
});

describe('a trace', () => {
  it('has a process per scope, a thread per track, and times in microseconds since the start', () => {
    const timeline = timelineOf(updated(5, 'a', '1'), failed(7, 'a', 'nack', 'kept'), tear(9, 'closed', 8, 'b'));
    const { traceEvents } = JSON.parse([...traceParts(timeline)].join(''));
    expect(traceEvents.filter(({ ph }: { ph: string }) => ph !== 'M')).toEqual([
      expect.objectContaining({ ph: 'b', pid: 1, tid: 1, ts: 8000, id: '1.0', name: 'dangling-cluster: CDS b' }),
      expect.objectContaining({ ph: 'e', pid: 1, tid: 1, ts: 9000, id: '1.0' }),
      expect.objectContaining({ ph: 'X', pid: 1, tid: 2, ts: 5000, dur: 95_000, name: 'version 1' }),
      expect.objectContaining({ ph: 'i', pid: 1, tid: 2, ts: 7000, s: 't', name: 'nack: UNAVAILABLE why' }),
    ]);
    expect(traceEvents.map(({ args }: { args: { name?: string } }) => args.name).filter(Boolean)).toEqual([
      SCOPE,
      `tears of ${SCOPE}`,
      'CDS a',
    ]);
  });
});

const FOLDER = join(ROOT, 'fixtures/scenarios');
const SCENARIOS = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.yaml'));

describe('the timeline of a session', () => {
  it.each(SCENARIOS)('has spans in order and within the session: %s', (name) => {
    const run = new RecordedSimulation(scenarioFile(join(FOLDER, name)), {});
    run.follow('greeter');
    run.clock.advanceBy(60_000);
    const [first] = run.events;
    const builder = new TimelineBuilder(first?.at ?? 0);
    for (const event of run.events) builder.observe(event);
    const timeline = builder.finish(run.clock.now());
    expect(timeline.tracks.length).toBeGreaterThan(1);
    for (const { kind, spans, marks } of timeline.tracks) {
      for (const [i, { from, to }] of spans.entries()) {
        expect(to).toBeGreaterThanOrEqual(from);
        expect(to).toBeLessThanOrEqual(timeline.end);
        if (kind !== 'tears') expect(from).toBeGreaterThanOrEqual(spans[i - 1]?.to ?? timeline.start);
      }
      for (const { at } of marks) expect(at).toBeLessThanOrEqual(timeline.end);
    }
    expectTrace([...traceParts(timeline)].join(''), timeline);
  });
});

/** What viewers of the Trace Event Format require. */
function expectTrace(text: string, { tracks }: Timeline): void {
  const { traceEvents } = JSON.parse(text) as { traceEvents: Record<string, unknown>[] };
  const named = new Set(
    traceEvents.filter(({ name }) => name === 'thread_name').map(({ pid, tid }) => `${pid} ${tid}`),
  );
  expect(named.size).toBe(tracks.length);
  const asynchronous = new Map<unknown, number>();
  for (const { ph, pid, tid, ts, dur, id } of traceEvents.filter((event) => event.ph !== 'M')) {
    expect(named).toContain(`${pid} ${tid}`);
    expect(ts).toSatisfy((time) => Number.isSafeInteger(time) && (time as number) >= 0);
    if (ph === 'X') expect(dur).toBeGreaterThanOrEqual(0);
    if (ph === 'b' || ph === 'e') asynchronous.set(id, (asynchronous.get(id) ?? 0) + (ph === 'b' ? 1 : -1));
  }
  expect([...asynchronous.values()].filter((balance) => balance !== 0)).toEqual([]);
}
