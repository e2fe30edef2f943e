import { describe, expect, it } from 'vitest';
import type { TargetCheck } from '../../../src/inspect/expect/expectations.js';
import { runDrills } from '../../../src/inspect/expect/run-drills.js';
import { GREETER, live, SERVED } from '../live-source.js';

/** The same control plane twice: the primary `p` and the fallback server `q`. */
const TWO = SERVED.replace(/ {2}p:\n([\s\S]*)$/, (_, rest: string) => `  p:\n${rest}  q:\n${rest}`);

const CHECK = {
  target: 'greeter',
  drill: { at: { line: 3, column: 5 }, drop: 'primary', readyWithin: 5000, backWithin: 20_000 },
} as TargetCheck;

describe('fallback drills of live sources', () => {
  it('block the primary, wait for events without polling, and unblock the primary', async () => {
    const { source, clock } = live(TWO);
    const lines: string[] = [];
    const drills = runDrills([{ check: CHECK, source: { ...source, inputs: [GREETER] } }], clock, {}, (event) => {
      if (event.kind === 'fallback') lines.push(`${event.change} to ${event.server}`);
    });
    clock.advanceBy(30_000);
    const { ending, evaluated } = await drills;
    expect(ending).toBe('met');
    expect(evaluated.get(CHECK)?.map(({ name, ok, at }) => [name, ok, at.line])).toEqual([
      ['fallback drill: stays ready', true, 3],
      ['fallback drill: a new client is ready on the fallback', true, 3],
      ['fallback drill: back on the primary', true, 3],
    ]);
    expect(lines).toEqual(['down to memory:q', 'up to memory:p']);
  });

  it('end at the limit of a stage without events', async () => {
    const { source, clock } = live(TWO.replace(/ {2}q:\n[\s\S]*$/, '  q: { state: refusing }\n'));
    const drills = runDrills([{ check: CHECK, source: { ...source, inputs: [GREETER] } }], clock, {}, undefined);
    clock.advanceBy(60_000);
    const { ending, evaluated } = await drills;
    expect(ending).toBe('met');
    const [kept, fresh] = evaluated.get(CHECK) ?? [];
    expect(kept?.ok).toBe(true);
    expect(fresh).toMatchObject({ ok: false, actual: expect.stringMatching(/^not ready after 5\.0 s: /) });
  });

  it('report unfinished stages when they are interrupted', async () => {
    const { source, clock } = live(TWO);
    let interrupt = (): void => {};
    const onInterrupt = (stop: () => void): (() => void) => {
      interrupt = stop;
      return () => {};
    };
    const drills = runDrills(
      [{ check: CHECK, source: { ...source, inputs: [GREETER] } }],
      clock,
      { onInterrupt },
      undefined,
    );
    interrupt();
    const { ending, evaluated } = await drills;
    expect(ending).toBe('interrupted');
    expect(evaluated.get(CHECK)?.map(({ actual }) => actual)).toEqual(Array(3).fill('interrupted before the end'));
  });
});
