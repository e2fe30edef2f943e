import { describe, expect, it } from 'vitest';
import { openLive } from '../../../src/inspect/live.js';
import { readConditions } from '../../../src/inspect/wait/read-condition.js';
import { waitFor } from '../../../src/inspect/wait/wait-for.js';
import { HALF, live, SERVED } from '../live-source.js';

/** Waits for conditions with a time limit of one second. */
async function waited(scenario: string, conditions: string[]) {
  const { source, clock } = live(scenario);
  const read = readConditions(conditions);
  if (!read.ok) throw new Error(read.problems.join());
  const inspection = openLive(source, {});
  const { condition, text } = waitFor(inspection, read.conditions);
  const ending = inspection.until(condition, { limit: 1000 });
  clock.advanceBy(1000);
  const result = { ending: await ending, text: text() };
  inspection.close();
  return result;
}

describe('wait', () => {
  it.each<[title: string, scenario: string, conditions: string[], ending: string, text: string]>([
    ['ends when the verdict is ok', SERVED, ['ready'], 'met', 'waiting for  · 1 of 1 hold'],
    ['ends when a resource has the status', HALF, ['LDS/greeter=ACKED'], 'met', 'waiting for  · 1 of 1 hold'],
    [
      'names the conditions that do not hold at the time limit',
      HALF,
      ['LDS/greeter=ACKED', 'ready', 'acked'],
      'timed out',
      'waiting for ready, acked · 1 of 3 hold',
    ],
  ])('%s', async (_, scenario, conditions, ending, text) => {
    expect(await waited(scenario, conditions)).toEqual({ ending, text });
  });
});
