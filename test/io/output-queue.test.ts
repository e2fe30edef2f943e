import { describe, expect, it } from 'vitest';
import { MAX_QUEUED, OutputQueue } from '../../src/io/output-queue.js';
import { VirtualClock } from '../../src/scenario/virtual-clock.js';

/** A pipe whose reader reads on request. */
class Pipe {
  read = '';
  #pending: { text: string; written: () => void }[] = [];

  write(text: string, written: () => void): void {
    this.#pending.push({ text, written });
  }

  unsent(): number {
    return this.#pending.reduce((sum, { text }) => sum + text.length, 0);
  }

  /** Reads everything that has been written so far. */
  readAll(): void {
    while (this.#pending.length > 0) this.readOne();
  }

  readOne(): void {
    const one = this.#pending.shift();
    this.read += one?.text ?? '';
    one?.written();
  }
}

const LINE = `${'x'.repeat(1023)}\n`;
const LINES = MAX_QUEUED / LINE.length;
const gap = (dropped: number): string => `${dropped} dropped\n`;

function queueOn(pipe: Pipe): { queue: OutputQueue; warnings: () => number } {
  let warnings = 0;
  const queue = new OutputQueue(pipe, () => warnings++);
  return { queue, warnings: () => warnings };
}

describe('OutputQueue', () => {
  it('keeps the order of lines and documents', () => {
    const pipe = new Pipe();
    const { queue } = queueOn(pipe);
    for (const text of ['a', 'b', 'c', 'd']) queue.write(text);
    queue.offer(() => 'e', gap);
    pipe.readAll();
    expect(pipe.read).toBe('abcde');
    expect(queue.queued).toBe(0);
  });

  it('bounds the lines that wait for a reader that never reads', () => {
    const pipe = new Pipe();
    const { queue, warnings } = queueOn(pipe);
    let rendered = 0;
    for (let i = 0; i < 10 * LINES; i++) {
      queue.offer(() => {
        rendered++;
        return LINE;
      }, gap);
    }
    expect(queue.queued).toBeLessThanOrEqual(MAX_QUEUED + LINE.length);
    expect(rendered).toBe(10 * LINES - queue.dropped);
    expect(warnings()).toBe(1);
  });

  it('counts the dropped lines where they are missing', () => {
    const pipe = new Pipe();
    const { queue } = queueOn(pipe);
    for (let i = 0; i < LINES + 101; i++) queue.offer(() => LINE, gap);
    pipe.readAll();
    queue.offer(() => 'next\n', gap);
    pipe.readAll();
    expect(pipe.read.slice(LINE.length * (LINES + 1))).toBe('100 dropped\nnext\n');
    expect(queue.dropped).toBe(100);
  });

  it('drops until half of the queue is read, so that gaps are few', () => {
    const pipe = new Pipe();
    const { queue } = queueOn(pipe);
    for (let i = 0; i < LINES + 2; i++) queue.offer(() => LINE, gap);
    pipe.readOne();
    queue.offer(() => 'dropped too\n', gap);
    pipe.readAll();
    queue.offer(() => 'next\n', gap);
    pipe.readAll();
    expect(pipe.read.slice(LINE.length * (LINES + 1))).toBe('2 dropped\nnext\n');
  });

  it('keeps documents even if the queue is full', () => {
    const pipe = new Pipe();
    const { queue } = queueOn(pipe);
    for (let i = 0; i < LINES + 2; i++) queue.offer(() => LINE, gap);
    queue.closeGap();
    queue.write('document');
    pipe.readAll();
    expect(pipe.read.endsWith('1 dropped\ndocument')).toBe(true);
  });

  it('writes what waits when the process exits', () => {
    const pipe = new Pipe();
    const { queue } = queueOn(pipe);
    for (const text of ['a', 'b', 'c']) queue.write(text);
    queue.flush();
    pipe.readAll();
    expect(pipe.read).toBe('abc');
  });
});

describe('OutputQueue.drain', () => {
  /** Advances the clock until the promise settles; `each` runs at every step. */
  async function settle(clock: VirtualClock, draining: Promise<number>, each = (): void => {}): Promise<number> {
    let result: number | undefined;
    void draining.then((lost) => {
      result = lost;
    });
    while (result === undefined) {
      await Promise.resolve();
      clock.advanceBy(10);
      each();
    }
    return result;
  }

  it('does not wait if everything is written', async () => {
    const clock = new VirtualClock();
    const { queue } = queueOn(new Pipe());
    expect(await queue.drain(clock)).toBe(0);
    expect(clock.now()).toBe(0);
  });

  it('gives up after 100 ms if the reader takes nothing', async () => {
    const pipe = new Pipe();
    const clock = new VirtualClock();
    const { queue } = queueOn(pipe);
    for (let i = 0; i < LINES; i++) queue.write(LINE);
    expect(await settle(clock, queue.drain(clock))).toBe(MAX_QUEUED);
    expect(clock.now()).toBeLessThanOrEqual(150);
  });

  it('waits for a reader that reads', async () => {
    const pipe = new Pipe();
    const clock = new VirtualClock();
    const { queue } = queueOn(pipe);
    for (let i = 0; i < 1000; i++) queue.write(LINE);
    expect(await settle(clock, queue.drain(clock), () => pipe.readOne())).toBe(0);
    expect(pipe.read.length).toBe(1000 * LINE.length);
  });

  it('ends after a second even if the reader still reads', async () => {
    const pipe = new Pipe();
    const clock = new VirtualClock();
    const { queue } = queueOn(pipe);
    for (let i = 0; i < LINES; i++) queue.write(LINE);
    expect(await settle(clock, queue.drain(clock), () => pipe.readOne())).toBeGreaterThan(0);
    expect(clock.now()).toBeLessThanOrEqual(1100);
  });
});
