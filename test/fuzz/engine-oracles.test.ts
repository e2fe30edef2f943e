import { describe, expect, it } from 'vitest';
import { engineTarget } from '../../tools/fuzz/engine/engine-target.js';
import type { MakeEngine } from '../../tools/fuzz/engine/world.js';
import { runTarget, type TargetReport } from '../../tools/fuzz/runner.js';
import { PLANTED } from './planted-engines.js';

/** Runs a number of inputs, so that the test does not depend on time. */
function fuzzed(inputs: number, makeEngine?: MakeEngine): Promise<TargetReport> {
  return runTarget(engineTarget(makeEngine), { seed: 1, budget: { inputs, isOver: () => false } });
}

/** Far fewer than the inputs of a generated session. */
const FEW = 30;

/** Oracles that only some sessions reach: with a complete configuration, or with a replay. */
const RARE: Record<string, number> = { 'from-scratch': 4000, replay: 3000, history: 3000 };

describe('fuzzing the engine', () => {
  it('finds no bug', async () => {
    const { bugs, inputs } = await fuzzed(3000);
    expect(bugs).toEqual([]);
    expect(inputs).toBeGreaterThanOrEqual(3000);
  });

  it.each(Object.keys(PLANTED))(
    'finds a planted violation of %s, and shrinks the session to a recording',
    async (oracle) => {
      const { bugs } = await fuzzed(RARE[oracle] ?? 600, PLANTED[oracle]);
      const bug = bugs.find((one) => one.oracle === oracle);
      expect(bug, JSON.stringify(bugs.map((one) => one.oracle))).toBeDefined();
      expect(bug?.inputs).toBeLessThanOrEqual(FEW);
      expect(bug?.reproducers[0]?.contents).toMatch(/^\{"schema":"xds-inspect\/recording/);
    },
  );

  it('repeats a case from its seed and number', async () => {
    const { bugs } = await fuzzed(600, PLANTED['one-write']);
    const { case: firstCase = -1 } = bugs[0] ?? {};
    const again = await runTarget(engineTarget(PLANTED['one-write']), {
      seed: 1,
      firstCase,
      budget: { inputs: 1, isOver: () => true },
    });
    expect(again.bugs[0]?.reproducers).toEqual(bugs[0]?.reproducers);
  });
});
