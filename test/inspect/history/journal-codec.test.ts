import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { CacheEntry } from '../../../src/core/resource-cache.js';
import { type JournalStep, splitStep } from '../../../src/inspect/history/journal.js';
import { JournalDecoder, JournalEncoder } from '../../../src/inspect/history/journal-codec.js';
import { SessionHistory } from '../../../src/inspect/history/session-history.js';
import { documentsAt, historyOf, type Journal, journalOf, recordedScenario, SCENARIOS } from '../../support/journal.js';
import { ROOT } from '../../support/root.js';

/** Sends a journal in batches. A small table has many epochs. */
function sent({ client, steps }: Journal, batch: number, maxObjects?: number): Journal {
  const encoder = new JournalEncoder(maxObjects === undefined ? {} : { maxObjects });
  const decoder = new JournalDecoder();
  const received: Journal = { client: decoder.client(JSON.parse(encoder.client(client))), steps: [] };
  for (let i = 0; i < steps.length; i += batch)
    received.steps.push(...decoder.steps(JSON.parse(`{${encoder.steps(steps.slice(i, i + batch))}}`)));
  return received;
}

/** Watchers are compared by number only, and bytes by their values: a Buffer is decoded to a Uint8Array. */
const comparable = (step: JournalStep) => ({
  ...step,
  scopes: step.scopes.map((change) => ({
    ...change,
    entries: change.entries.map((entry: CacheEntry) => ({
      ...entry,
      watchers: entry.watchers.length,
      bytes: entry.bytes && [...entry.bytes],
      rejected: entry.rejected && [...entry.rejected],
    })),
  })),
});

function expectEqual(received: SessionHistory, original: SessionHistory, times: Iterable<number>): void {
  for (const time of times) expect(documentsAt(received, time)).toEqual(documentsAt(original, time));
  expect(received.verdictChanges()).toEqual(original.verdictChanges());
}

/** At most this many elements of a list, evenly spread, with the last one. */
function some<T>(list: readonly T[], count: number): T[] {
  const every = Math.ceil(list.length / count);
  return list.filter((_, i) => (list.length - 1 - i) % every === 0);
}

const timesOf = ({ steps }: Journal): number[] => some([...new Set(steps.map(({ at }) => at))], 12);

/** Indices of the last steps of moments: the verdicts of a moment are known when it is over. */
const endsOfMoments = (steps: readonly JournalStep[]): number[] =>
  steps.flatMap(({ at }, i) => (steps[i + 1]?.at === at ? [] : [i]));

describe('the journal on the wire', () => {
  it.each(SCENARIOS)('is decoded to equal steps and an equal history: %s', async (name) => {
    const original = await journalOf(recordedScenario(name));
    const received = sent(original, 3);
    expect(received.client).toStrictEqual(original.client);
    expect(received.steps.map(comparable)).toStrictEqual(original.steps.map(comparable));
    expectEqual(historyOf(received), historyOf(original), timesOf(original));
  });

  it.each([1, 50])('gives an equal history of a recording if the table has room for %i objects', async (size) => {
    const lines = readFileSync(join(ROOT, 'fixtures/recordings/first-look.xdsrec'), 'utf8').trimEnd().split('\n');
    const original = await journalOf(lines);
    expectEqual(historyOf(sent(original, 1, size)), historyOf(original), timesOf(original));
  });

  it.each(SCENARIOS)('lets a page join at any step through a checkpoint: %s', async (name) => {
    const original = await journalOf(recordedScenario(name));
    const all = historyOf(original);
    for (const i of some(endsOfMoments(original.steps), 5)) {
      const { at } = original.steps[i] as JournalStep;
      const next = original.steps[i + 1]?.at ?? at;
      const base = historyOf({ ...original, steps: original.steps.slice(0, i + 1) });
      const joined = sent({ ...original, steps: [base.checkpoint(), ...original.steps.slice(i + 1)] }, 3);
      const late = historyOf(joined);
      expectEqual(late, all, [at, next, Number.POSITIVE_INFINITY]);
      expect(late.forgottenEvents + late.events.length).toBe(all.events.length);
    }
  });

  it.each(SCENARIOS)('lets a page join a history that has forgotten its past: %s', async (name) => {
    const original = await journalOf(recordedScenario(name));
    const all = historyOf(original);
    const base = new SessionHistory(original.client);
    const ends = new Set(some(endsOfMoments(original.steps), 20));
    for (const [i, step] of original.steps.entries()) {
      base.apply(step);
      if (ends.has(i)) base.forget(step.at);
    }
    const late = historyOf(sent({ ...original, steps: [base.checkpoint()] }, 1));
    expect(documentsAt(late, Number.POSITIVE_INFINITY)).toEqual(documentsAt(all, Number.POSITIVE_INFINITY));
  });

  it.each(SCENARIOS)('gives an equal history if each step is sent in parts: %s', async (name) => {
    const original = await journalOf(recordedScenario(name));
    const steps = original.steps.flatMap((step) => splitStep(step, 1));
    expectEqual(historyOf(sent({ ...original, steps }, 1)), historyOf(original), timesOf(original));
    const parts = splitStep(historyOf(original).checkpoint(), 2);
    for (const { scopes } of parts) for (const { entries } of scopes) expect(entries.length).toBeLessThanOrEqual(2);
    expectEqual(historyOf(sent({ ...original, steps: parts }, 1)), historyOf(original), [Number.POSITIVE_INFINITY]);
  });

  it('starts no epoch while the reader catches up', async () => {
    const { steps } = await journalOf(recordedScenario('findings/nack-loop.yaml'));
    const encoder = new JournalEncoder({ maxObjects: 1 });
    const isNewEpoch = (step: JournalStep, isCatchingUp: boolean): boolean =>
      encoder.steps([step], isCatchingUp).startsWith('"isNewEpoch":true');
    expect(steps.slice(0, 20).map((step) => isNewEpoch(step, true))).not.toContain(true);
    expect(steps.slice(20, 40).map((step) => isNewEpoch(step, false))).toContain(true);
  });

  it('sends a resource once, also as a part of the configuration', async () => {
    const { steps } = await journalOf(recordedScenario('demo/healthy.yaml'));
    const encoder = new JournalEncoder();
    const texts = steps.map((step) => encoder.steps([step]));
    const endpoints = texts.join('').match(/"\$":"e"/g) ?? [];
    const sizes = steps.flatMap(({ scopes }) =>
      scopes.flatMap(({ entries }) =>
        entries.flatMap(({ resource }) =>
          resource?.type === 'EDS' ? resource.value.priorities.flat().map((one) => one.endpoints.length) : [],
        ),
      ),
    );
    expect(sizes.length).toBeGreaterThan(0);
    expect(endpoints.length).toBe(sizes.reduce((sum, size) => sum + size, 0));
  });
});
