import { describe, expect, it } from 'vitest';
import { never, waitOnClock } from '../../src/inspect/until.js';
import { machineClock } from '../../src/io/system-clock.js';

const HOUR_MS = 3_600_000;
const START = Date.UTC(2026, 0, 2, 3, 4, 5);

/** A machine whose wall clock can be set while time passes. */
function machine() {
  let wall = START;
  let elapsed = 123.25;
  const timers = new Set<{ at: number; run: () => void }>();
  const clock = machineClock({
    wall: () => wall,
    elapsed: () => elapsed,
    after: (ms, run) => {
      const timer = { at: elapsed + ms, run };
      timers.add(timer);
      return () => timers.delete(timer);
    },
  });
  const pass = (ms: number): void => {
    const end = elapsed + ms;
    for (;;) {
      const [next] = [...timers].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at);
      if (next === undefined) break;
      timers.delete(next);
      wall += next.at - elapsed;
      elapsed = next.at;
      next.run();
    }
    wall += end - elapsed;
    elapsed = end;
  };
  const setWall = (by: number): void => {
    wall += by;
  };
  return { clock, pass, timers, setWall };
}

describe('the clock of the system', () => {
  it('starts at the wall time and has whole milliseconds', () => {
    const { clock, pass } = machine();
    expect(clock.now()).toBe(START);
    pass(0.75);
    expect(clock.now()).toBe(START);
    pass(0.25);
    expect(clock.now()).toBe(START + 1);
  });

  it.each([
    ['back', -HOUR_MS],
    ['forward', HOUR_MS],
  ])('counts the time that passed if the wall clock is set %s by an hour', (_, step) => {
    const { clock, pass, setWall } = machine();
    pass(1000);
    setWall(step);
    expect(clock.now()).toBe(START + 1000);
    pass(1000);
    expect(clock.now()).toBe(START + 2000);
  });

  it.each([
    ['back', -HOUR_MS],
    ['forward', HOUR_MS],
  ])('wakes after the requested time if the wall clock is set %s by an hour', (_, step) => {
    const { clock, pass, setWall } = machine();
    const woken: number[] = [];
    clock.wakeAt(START + 6000, () => woken.push(clock.now() - START));
    pass(2000);
    setWall(step);
    pass(3999);
    expect(woken).toEqual([]);
    pass(1);
    expect(woken).toEqual([6000]);
  });

  it.each([
    ['back', -HOUR_MS],
    ['forward', HOUR_MS],
  ])(
    'ends a wait after its limit, with a redraw in between, if the wall clock is set %s by an hour',
    async (_, step) => {
      const { clock, pass, setWall, timers } = machine();
      let ticks = 0;
      const tick = { everyMs: 200, run: () => void ticks++ };
      let ending: string | undefined;
      void waitOnClock(clock, () => () => {}, never, { limit: 6000, tick }).then((how) => {
        ending = how;
      });
      pass(2000);
      setWall(step);
      pass(3999);
      await Promise.resolve();
      expect([ending, ticks]).toEqual([undefined, 30]);
      pass(1);
      await Promise.resolve();
      expect(ending).toBe('timed out');
      expect(timers.size).toBe(0);
    },
  );

  it('wakes after more than the longest timer of Node, and can be cancelled', () => {
    const { clock, pass, timers } = machine();
    const month = 31 * 24 * HOUR_MS;
    let isWoken = false;
    clock.wakeAt(START + month, () => {
      isWoken = true;
    });
    const cancel = clock.wakeAt(START + month, () => expect.unreachable());
    pass(month - 1);
    expect([isWoken, timers.size]).toEqual([false, 2]);
    cancel();
    pass(1);
    expect([isWoken, timers.size]).toEqual([true, 0]);
  });
});
