import { describe, expect, it } from 'vitest';
import { type Condition, never, type WaitOptions, waitOnClock } from '../../src/inspect/until.js';
import { VirtualClock } from '../../src/scenario/virtual-clock.js';

/** A wait on a virtual clock, with controls for tests. */
function waiting(condition: Condition, wait: Omit<WaitOptions, 'onInterrupt'>) {
  const clock = new VirtualClock(1000);
  const looks: number[] = [];
  let changed = (): void => {};
  let interrupt = (): void => {};
  let isListening = true;
  const ending = waitOnClock(
    clock,
    (wake) => {
      changed = wake;
      return () => {
        isListening = false;
      };
    },
    (now) => {
      looks.push(now - 1000);
      return condition(now);
    },
    {
      ...wait,
      onInterrupt: (stop) => {
        interrupt = stop;
        return () => {};
      },
    },
  );
  return {
    clock,
    looks,
    ending,
    change: () => changed(),
    interrupt: () => interrupt(),
    isListening: () => isListening,
  };
}

describe('a wait on a clock', () => {
  it('evaluates its condition immediately, and then only after changes', async () => {
    let isMet = false;
    const wait = waiting(() => ({ isMet }), { limit: 10_000 });
    wait.clock.advanceBy(5000);
    expect(wait.looks).toEqual([0]);
    isMet = true;
    wait.change();
    wait.clock.settle();
    expect(wait.looks).toEqual([0, 5000]);
    expect(await wait.ending).toBe('met');
    expect(wait.isListening()).toBe(false);
  });

  it('evaluates its condition once for simultaneous changes, and at most every 50 ms', () => {
    const wait = waiting(never, { limit: 10_000 });
    wait.clock.advanceBy(1000);
    for (let i = 0; i < 1000; i++) wait.change();
    wait.clock.settle();
    expect(wait.looks).toEqual([0, 1000]);
    for (let i = 0; i < 100; i++) {
      wait.change();
      wait.clock.advanceBy(1);
    }
    expect(wait.looks).toEqual([0, 1000, 1050, 1100]);
  });

  it('evaluates its condition at nextCheck', async () => {
    const wait = waiting((now) => ({ isMet: now >= 1300, nextCheck: 1300 }), { limit: 10_000 });
    wait.clock.advanceBy(299);
    expect(wait.looks).toEqual([0]);
    wait.clock.advanceBy(1);
    expect(wait.looks).toEqual([0, 300]);
    expect(await wait.ending).toBe('met');
  });

  it('does not loop if nextCheck is in the past', async () => {
    const wait = waiting(() => ({ isMet: false, nextCheck: 1000 }), { limit: 700 });
    wait.clock.advanceBy(700);
    expect(await wait.ending).toBe('timed out');
    expect(wait.looks).toEqual([0, 700]);
  });

  it('ends at its limit, and is met if the condition holds at that moment', async () => {
    const late = waiting(never, { limit: 700 });
    late.clock.advanceBy(700);
    expect(await late.ending).toBe('timed out');
    const intime = waiting((now) => ({ isMet: now >= 1700 }), { limit: 700 });
    intime.clock.advanceBy(700);
    expect(await intime.ending).toBe('met');
  });

  it('evaluates its condition once if the limit is 0', async () => {
    const wait = waiting(never, { limit: 0 });
    expect(await wait.ending).toBe('timed out');
    expect(wait.looks).toEqual([0]);
  });

  it('ends without another evaluation when the user interrupts it', async () => {
    const wait = waiting(never, { limit: 700 });
    wait.interrupt();
    expect(await wait.ending).toBe('interrupted');
    wait.clock.advanceBy(1000);
    expect(wait.looks).toEqual([0]);
  });

  it('ticks at every evaluation, and at least every everyMs', () => {
    let ticks = 0;
    const tick = { everyMs: 250, run: () => void ticks++ };
    const wait = waiting(never, { limit: 2000, tick });
    expect([ticks, wait.looks]).toEqual([1, [0]]);
    wait.clock.advanceBy(300);
    wait.change();
    wait.clock.advanceBy(300);
    expect([ticks, wait.looks]).toEqual([4, [0, 250, 300, 550]]);
  });

  it('rejects with the error of a condition, and unsubscribes', async () => {
    const wait = waiting(
      () => {
        throw new Error('boom');
      },
      { limit: 700 },
    );
    await expect(wait.ending).rejects.toThrow('boom');
    expect(wait.isListening()).toBe(false);
  });
});
