import { describe, expect, it } from 'vitest';
import type { Event } from '../../src/core/event.js';
import type { Input } from '../../src/core/input.js';
import { readHeader } from '../../src/inspect/feed-recording.js';
import { type ClientInspection, open } from '../../src/inspect/inspection.js';
import { settled } from '../../src/inspect/settled.js';
import type { RecordingFile } from '../../src/inspect/source.js';
import { never, until } from '../../src/inspect/until.js';
import { RESOURCE_TYPES } from '../../src/proto/resource-types.js';
import { RecordedSimulation } from '../support/recorded.js';
import { scenarioFrom } from '../support/simulate.js';
import { textRecording } from '../support/text-recording.js';
import { HALF, live, SERVED } from './live-source.js';

/** A recording of a number of seconds. */
function recordedText(scenarioText: string, seconds: number): string {
  const simulation = new RecordedSimulation(scenarioFrom(scenarioText));
  simulation.follow('xds:///greeter', 'greeter');
  simulation.clock.advanceBy(1000 * seconds);
  return simulation.finish();
}

function recordingOf(text: string): RecordingFile {
  return textRecording(text.trimEnd().split('\n'));
}

async function replayed(text: string): Promise<ClientInspection> {
  const file = recordingOf(text);
  const header = await readHeader(file);
  return await open({ kind: 'recording', file, header, until: undefined, changes: {}, onRemark: () => {} });
}

describe('a live inspection', () => {
  it('does nothing before it is started, so that a listener gets every event', async () => {
    const { source, clock } = live(SERVED);
    const inspection = await open(source);
    clock.advanceBy(1000);
    expect(inspection.snapshot()).toEqual([]);
    const events: Event[] = [];
    inspection.events.subscribe((event) => events.push(event));
    inspection.start();
    inspection.start();
    clock.advanceBy(1000);
    expect(events[0]).toMatchObject({ kind: 'stream', change: 'opened' });
    expect(events.filter((event) => event.kind === 'stream' && event.change === 'opened')).toHaveLength(1);
    inspection.close();
  });

  it('has only followed targets as its targets, not single watched resources', async () => {
    const { source } = live(SERVED);
    const watch: Input = { kind: 'watch', scope: 'get', watcher: 1, typeUrl: RESOURCE_TYPES.CDS, name: 'blue' };
    const { targets } = await open({ ...source, inputs: [watch, ...source.inputs] });
    expect(targets.map(({ target }) => target)).toEqual(['xds:///greeter']);
  });

  it('settles 200 ms after the last change and reads the cache once', async () => {
    const { source, clock } = live(SERVED);
    const inspection = await open(source);
    let snapshots = 0;
    const condition = settled({
      changedAt: inspection.changedAt,
      snapshot: () => {
        snapshots++;
        return inspection.snapshot();
      },
    });
    const ending = until(inspection, condition, { limit: 25_000 });
    clock.advanceBy(199);
    expect(snapshots).toBe(0);
    clock.advanceBy(1);
    expect(await ending).toBe('met');
    expect(snapshots).toBe(1);
    expect(inspection.snapshot()[0]?.entries.map(({ status }) => status)).toEqual(['ACKED', 'ACKED', 'ACKED']);
    expect(inspection.verdict()).toMatchObject([
      { scope: 'xds:///greeter', target: 'xds:///greeter', verdict: 'ok', cause: null },
    ]);
    inspection.close();
  });

  it('waits without reading the cache while a resource timer runs', async () => {
    const { source, clock } = live(HALF);
    const inspection = await open(source);
    let snapshots = 0;
    const snapshot = (): ReturnType<typeof inspection.snapshot> => {
      snapshots++;
      return inspection.snapshot();
    };
    const counted = { changedAt: inspection.changedAt, snapshot };
    const ending = until(inspection, settled(counted), { limit: 25_000 });
    clock.advanceBy(14_000);
    expect(snapshots).toBe(1);
    expect(inspection.nextTimerEnd(inspection.snapshot().flatMap(({ entries }) => entries))).toBe(15_000);
    expect(inspection.verdict()).toMatchObject([{ verdict: 'waiting' }]);
    clock.advanceBy(2000);
    expect(await ending).toBe('met');
    expect(inspection.verdict()).toMatchObject([
      { verdict: 'fails', cause: { resource: { type: 'CDS', name: 'blue' } } },
    ]);
    inspection.close();
  });

  it('omits suppressed findings and passes every input to its recorder', async () => {
    const { source, clock } = live(SERVED);
    const inputs: Input['kind'][] = [];
    let isClosed = false;
    const recorder = {
      record: (input: Input) => inputs.push(input.kind),
      close: () => {
        isClosed = true;
      },
    };
    const inspection = await open({ ...source, recorder }, { suppress: new Set(['XI201']) });
    inspection.start();
    clock.advanceBy(500);
    expect(inputs[0]).toBe('follow');
    expect(inputs).toContain('message');
    inspection.close();
    expect(isClosed).toBe(true);
  });
});

describe('a recorded inspection', () => {
  it('has the same events, snapshot and verdict as the live one', async () => {
    const inspection = await replayed(recordedText(SERVED, 1));
    const kinds = new Set<string>();
    inspection.events.subscribe(({ kind }) => kinds.add(kind));
    expect(await until(inspection, settled(inspection), { limit: 0 })).toBe('met');
    expect(kinds).toEqual(new Set(['stream', 'channel', 'request', 'response', 'timer', 'resource', 'config']));
    expect(inspection.snapshot()[0]?.entries.map(({ status }) => status)).toEqual(['ACKED', 'ACKED', 'ACKED']);
    expect(inspection.verdict()).toMatchObject([{ verdict: 'ok' }]);
    expect(inspection.now() - inspection.startedAt()).toBe(1000);
  });

  it('is replayed to its end even if a condition held before, and evaluates the condition at every moment', async () => {
    const inspection = await replayed(recordedText(HALF, 20));
    const seen: number[] = [];
    const ending = await until(
      inspection,
      (now) => {
        seen.push(now - inspection.startedAt());
        return { isMet: inspection.verdict()[0]?.verdict === 'waiting' };
      },
      { limit: 0 },
    );
    expect(ending).toBe('timed out');
    expect(seen.at(-1)).toBe(20_000);
    expect(seen).toContain(15_000);
    expect(inspection.verdict()).toMatchObject([{ verdict: 'fails' }]);
  });

  it('is replayed once for several waits', async () => {
    const inspection = await replayed(recordedText(SERVED, 1));
    let events = 0;
    inspection.events.subscribe(() => events++);
    await until(inspection, never, { limit: 0 });
    const once = events;
    await until(inspection, never, { limit: 0 });
    expect(events).toBe(once);
    expect(once).toBeGreaterThan(10);
  });
});
