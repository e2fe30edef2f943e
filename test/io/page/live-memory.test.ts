import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { readHeader } from '../../../src/inspect/feed-recording.js';
import { emptyStep, type JournalStep } from '../../../src/inspect/history/journal.js';
import { StepWindow } from '../../../src/inspect/history/step-window.js';
import { EventStream } from '../../../src/io/page/event-stream.js';
import { LiveRecording } from '../../../src/io/page/live-recording.js';
import { LiveSession } from '../../../src/io/page/live-session.js';
import { documentsAt, historyOf, journalOf, recordedScenario } from '../../support/journal.js';
import { textRecording } from '../../support/text-recording.js';
import { until } from '../../support/until.js';

const LINES = recordedScenario('findings/nack-loop.yaml');
const END = Number.POSITIVE_INFINITY;
const FORMAT = { keyOf: (_: string, bytes: Uint8Array) => String(bytes.length), print: () => '' };

async function sessionOf(maxBytes: number): Promise<{ session: LiveSession; steps: JournalStep[] }> {
  const header = await readHeader(textRecording(LINES));
  const options = { header, suppress: new Set<string>(), format: FORMAT, onStep: () => {}, maxBytes };
  return { session: await LiveSession.start(options), steps: (await journalOf(LINES)).steps };
}

/** A connection that takes as many messages as a test says. */
class SlowResponse extends EventEmitter {
  readonly written: string[] = [];
  room = END;
  writableEnded = false;
  destroyed = false;

  write(text: string): boolean {
    this.written.push(text);
    return --this.room > 0;
  }

  end(): void {
    this.writableEnded = true;
  }

  /** The reader has read everything. */
  read(room: number): void {
    this.room = room;
    this.emit('drain');
  }

  get names(): string[] {
    return this.written.flatMap((text) => /^event: (\w+)/.exec(text)?.[1] ?? []);
  }
}

function streamOf(session: LiveSession): { stream: EventStream; response: SlowResponse } {
  const response = new SlowResponse();
  const stream = new EventStream(response as unknown as ServerResponse, session, { now: () => 0 });
  return { stream, response };
}

describe('the memory of a live session', () => {
  it('has a bounded number of steps and versions, however long the session is', async () => {
    const { session, steps } = await sessionOf(100_000);
    const hour = (steps.at(-1)?.at ?? 0) - (steps[0]?.at ?? 0) + 1;
    const kept: number[] = [];
    const states: number[] = [];
    for (let i = 0; i < 20; i++) {
      for (const step of steps) session.window.add({ ...step, at: step.at + i * hour });
      session.contents.keepOnly(session.window.entries());
      kept.push(session.window.next - session.window.first);
      states.push(JSON.stringify(session.window.checkpoint()).length);
    }
    expect(session.window.next).toBe(20 * steps.length);
    expect(Math.max(...kept)).toBeLessThan(200);
    expect(session.contents.size).toBeLessThanOrEqual(kept.at(-1) as number);
    // Counters have more digits, and nothing else grows.
    expect(states.at(-1)).toBeLessThan(1.05 * (states[1] as number));
  });

  it('keeps the steps of a moment together, and the last moment', async () => {
    const { client, steps } = await journalOf(LINES);
    const window = new StepWindow(client, 10_000);
    const now = steps[0]?.at ?? 0;
    for (let i = 0; i < 100; i++) window.add(emptyStep(now));
    expect([window.first, window.next]).toEqual([0, 100]);
    window.add(emptyStep(now + 1));
    expect([window.first, window.next]).toEqual([100, 101]);
  });

  it('returns at least one step, however large it is', async () => {
    const { client, steps } = await journalOf(LINES);
    const window = new StepWindow(client);
    for (const step of steps) window.add(step);
    expect(window.steps(0, 0)).toEqual(steps.slice(0, 1));
    expect(window.steps(0, END)).toEqual(steps);
    expect(window.checkpoint()).toBeUndefined();
  });

  it('has no queue for a page that does not read: the page starts again when it reads', async () => {
    const { session, steps } = await sessionOf(50_000);
    const { stream, response } = streamOf(session);
    stream.flush();
    await until(() => response.names.length === 2, 'the page is ready');
    expect(response.names).toEqual(['reset', 'ready']);
    response.room = 1;
    const [first, ...others] = steps;
    session.window.add(first as JournalStep);
    await until(() => {
      stream.flush();
      return response.room === 0;
    }, 'the page has no room for another message');
    for (const step of others) {
      session.window.add(step);
      stream.flush();
      stream.beat();
    }
    expect(response.names).toEqual(['reset', 'ready', 'steps']);
    expect(session.window.first).toBeGreaterThan(1);
    response.read(END);
    await until(() => response.names.at(-1) === 'ready', 'the page is ready again');
    expect(response.names.slice(3, 5)).toEqual(['reset', 'steps']);
  });

  it('sends nothing to a connection that was closed', async () => {
    const { session, steps } = await sessionOf(50_000);
    const { stream, response } = streamOf(session);
    response.destroyed = true;
    const before = response.written.length;
    for (const step of steps.slice(0, 10)) session.window.add(step);
    stream.flush();
    stream.beat();
    expect(response.written).toHaveLength(before);
  });
});

describe('the recording of a live session', () => {
  it('is complete until it is too large, and then dropped', async () => {
    const file = textRecording(LINES);
    const header = await readHeader(file);
    const recording = new LiveRecording(header, 1000);
    const bytes = new Uint8Array(100_000).map((_, i) => (i * i) % 251);
    recording.add({ kind: 'message', stream: 1, bytes }, header.start);
    expect(recording.isComplete).toBe(true);
    expect([...recording.parts(header.start)].join('')).toContain('"kind":"end"');
    for (let i = 0; i < 5; i++)
      recording.add({ kind: 'message', stream: 1, bytes: bytes.map((b) => b ^ i) }, header.start);
    expect(recording.isComplete).toBe(false);
    expect([...recording.parts(header.start)].join('').length).toBeLessThan(1000);
  });

  it('can be read while the session goes on', async () => {
    const { session } = await sessionOf(1e9);
    const { steps } = await journalOf(LINES);
    expect(session.recording.isComplete).toBe(true);
    const text = [...session.recording.parts(0)].join('');
    expect(text.split('\n')[0]).toBe(LINES[0]);
    expect(documentsAt(historyOf({ client: session.window.client, steps }), END)).toBeDefined();
  });
});
