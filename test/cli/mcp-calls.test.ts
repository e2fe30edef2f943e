import { describe, expect, it } from 'vitest';
import { Calls } from '../../src/cli/run/mcp-calls.js';

/** Calls that end when the test says so. */
function started(
  calls: Calls,
  count: number,
  fails?: number,
): { order: number[]; ends: (() => void)[]; all: Promise<unknown>[] } {
  const order: number[] = [];
  const ends: (() => void)[] = [];
  const all = Array.from({ length: count }, (_, i) =>
    calls.run(async () => {
      order.push(i);
      await new Promise<void>((end) => ends.push(end));
      if (i === fails) throw new Error('failed');
    }),
  );
  return { order, ends, all };
}

const turn = (): Promise<void> => new Promise(setImmediate);

describe('calls', () => {
  it('run four at a time, and then in order', async () => {
    const calls = new Calls();
    const { order, ends, all } = started(calls, 7, 1);
    await turn();
    expect(order).toEqual([0, 1, 2, 3]);
    const isFinished = calls.finished();
    ends[0]?.();
    ends[1]?.();
    await expect(all[1]).rejects.toThrow('failed');
    await turn();
    expect(order).toEqual([0, 1, 2, 3, 4, 5]);
    for (let i = 2; i < 7; i++) {
      ends[i]?.();
      await turn();
    }
    await isFinished;
    expect(order).toEqual([0, 1, 2, 3, 4, 5, 6]);
  });

  it('are refused if a hundred wait', async () => {
    const calls = new Calls();
    const { ends, all } = started(calls, 103);
    await turn();
    expect(calls.isFull).toBe(false);
    const last = calls.run(async () => {});
    expect(calls.isFull).toBe(true);
    for (let i = 0; i < 103; i++) {
      ends[i]?.();
      await turn();
    }
    await Promise.allSettled([...all, last]);
    expect(calls.isFull).toBe(false);
  });
});
