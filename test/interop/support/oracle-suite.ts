import { join } from 'node:path';
import { expect } from 'vitest';
import type { ClientRecording, ClientScenario } from '../../../tools/oracle/conformance/client/recording.js';
import { type Comparison, sorted } from '../../../tools/oracle/conformance/comparison.js';
import { deepDifference } from '../../../tools/oracle/conformance/deep-difference.js';
import { readRecordingFile } from '../../../tools/oracle/conformance/recording-file.js';
import { ORACLE_RECIPES, type OracleName, type OracleRecipe } from '../../../tools/oracle/record/programs.js';
import { type Agreement, runWithBoth } from '../../../tools/oracle/scenarios/agreement.js';
import type { PeerName } from '../../../tools/peers/peers.js';
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
  return readRecordingFile(join(FIXTURES, file)) as ClientRecording;
}

/** Runs scenarios with both clients. They may differ only in the known scenarios. */
export async function expectAgreement(
  recording: ClientRecording,
  chosen: readonly ClientScenario[],
  atOnce: number,
): Promise<void> {
  const results = await runAs('c-core', recording, chosen, atOnce);
  for (const { scenario, earlier } of results)
    for (const reason of earlier) reportFigure(`ran again: ${scenario.id}: ${reason}`);
  const differing = results.filter(({ scenario, peer, here }) => {
    const differences = [...peer.differences, ...here.differences];
    if (differences.length > 0) printDifferences({ peer, here });
    return differences.length > 0 && !Object.hasOwn(KNOWN, scenario.id);
  });
  expect(differing.map(({ scenario }) => scenario.id)).toEqual([]);
}

/** The shares of a client's behaviour that must be as predicted. */
const WANTED: Readonly<Record<string, number>> = { answers: 0.95, subscriptions: 0.95, csds: 0.95, rpcs: 0.9 };

/** Runs scenarios with another client than C-core: a share of what it does must be as predicted. */
export async function expectPrediction(
  preset: OracleName,
  recording: ClientRecording,
  chosen: readonly ClientScenario[],
  atOnce: number,
): Promise<void> {
  const results = await runAs(preset, recording, chosen, atOnce);
  for (const { peer, here } of results) printDifferences({ peer, here });
  for (const [what, { agree, total }] of sums(results.map(({ here }) => here)))
    if (what in WANTED) expect(agree / total, `${what} as predicted`).toBeGreaterThanOrEqual(WANTED[what] as number);
}

async function runAs(
  preset: OracleName,
  recording: ClientRecording,
  chosen: readonly ClientScenario[],
  atOnce: number,
): Promise<Agreement[]> {
  const { peer: name, mergesRequests, adapt }: OracleRecipe = ORACLE_RECIPES[preset];
  const scenarios = adapt === undefined ? chosen : chosen.map(adapt);
  const isRecorded = preset === 'c-core';
  const client = { command: commandOf(name as PeerName), preset, mergesRequests, isRecorded };
  const results = await runWithBoth(recording, scenarios, client, atOnce);
  expect(results.length).toBe(chosen.length);
  if (isRecorded)
    reportFigure(`C-core now as recorded, ${chosen.length} scenarios: ${figures(results.map(({ peer }) => peer))}`);
  reportFigure(`xds-inspect as ${preset}, over real sockets: ${figures(results.map(({ here }) => here))}`);
  return results;
}

function figures(comparisons: readonly Comparison[]): string {
  return [...sums(comparisons)].map(([what, { agree, total }]) => `${what} ${agree} of ${total}`).join(', ');
}

function sums(comparisons: readonly Comparison[]): Map<string, { agree: number; total: number }> {
  const all = new Map<string, { agree: number; total: number }>();
  for (const { what, agree, total } of comparisons.flatMap(({ tallies }) => tallies)) {
    const sum = all.get(what) ?? { agree: 0, total: 0 };
    all.set(what, { agree: sum.agree + agree, total: sum.total + total });
  }
  return all;
}

function printDifferences({ peer, here }: Pick<Agreement, 'peer' | 'here'>): void {
  for (const [who, { differences }] of Object.entries({ 'the client now': peer, 'xds-inspect': here })) {
    for (const { id, what, expected, actual } of differences) {
      const places = deepDifference(sorted(expected), sorted(actual)).slice(0, 5);
      console.log(`${id}: ${what}: ${who}\n  ${places.join('\n  ')}`);
    }
  }
}
