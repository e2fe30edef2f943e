import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { ClientRecording, ClientScenario } from '../../../tools/oracle/conformance/client/recording.js';
import { type Comparison, sorted } from '../../../tools/oracle/conformance/comparison.js';
import { deepDifference } from '../../../tools/oracle/conformance/deep-difference.js';
import { type Agreement, runWithBoth } from '../../../tools/oracle/scenarios/agreement.js';
import { commandOf } from './built-peers.js';
import { reportFigure } from './report-figure.js';

const FIXTURES = join(import.meta.dirname, '../../../fixtures/client');

const JITTER = 'the next stream may or may not have been opened, because of jitter';
/** R1.27: a dependency that changes and changes back within one response. */
const RACE = 'a race of threads in C-core';

/** Scenarios in which the clients may differ, and why. */
const KNOWN: Record<string, string> = {
  'sotw-eds-partial': 'the route selects one of two clusters at random',
  'stream-fails-ok': JITTER,
  'stream-fails-internal': JITTER,
  'stream-fails-unimplemented': JITTER,
  'stream-fails-permission-denied': JITTER,
  'fuzz-020': RACE,
  'fuzz-035': RACE,
  'fuzz-134': RACE,
  'fuzz-153': RACE,
};

export function readScenarios(file: string): ClientRecording {
  return JSON.parse(readFileSync(join(FIXTURES, file), 'utf8')) as ClientRecording;
}

/** Runs scenarios with both clients. They may differ only in the known scenarios. */
export async function expectAgreement(
  recording: ClientRecording,
  chosen: readonly ClientScenario[],
  atOnce: number,
): Promise<void> {
  const results = await runWithBoth(recording, chosen, commandOf('c-core-oracle'), atOnce);
  expect(results.length).toBe(chosen.length);
  reportFigure(`C-core now as recorded, ${chosen.length} scenarios: ${figures(results.map(({ core }) => core))}`);
  reportFigure(`xds-inspect as C-core, over real sockets: ${figures(results.map(({ here }) => here))}`);
  for (const { scenario, earlier } of results)
    for (const reason of earlier) reportFigure(`ran again: ${scenario.id}: ${reason}`);
  const differing = results.filter(({ scenario, core, here }) => {
    const differences = [...core.differences, ...here.differences];
    if (differences.length > 0) printDifferences({ core, here });
    return differences.length > 0 && !Object.hasOwn(KNOWN, scenario.id);
  });
  expect(differing.map(({ scenario }) => scenario.id)).toEqual([]);
}

function figures(comparisons: readonly Comparison[]): string {
  const sums = new Map<string, { agree: number; total: number }>();
  for (const { what, agree, total } of comparisons.flatMap(({ tallies }) => tallies)) {
    const sum = sums.get(what) ?? { agree: 0, total: 0 };
    sums.set(what, { agree: sum.agree + agree, total: sum.total + total });
  }
  return [...sums].map(([what, { agree, total }]) => `${what} ${agree} of ${total}`).join(', ');
}

function printDifferences({ core, here }: Pick<Agreement, 'core' | 'here'>): void {
  for (const [who, { differences }] of Object.entries({ 'C-core now': core, 'xds-inspect': here })) {
    for (const { id, what, expected, actual } of differences) {
      const places = deepDifference(sorted(expected), sorted(actual)).slice(0, 5);
      console.log(`${id}: ${what}: ${who}\n  ${places.join('\n  ')}`);
    }
  }
}
