import { expect, it } from 'vitest';
import recorded from '../../../fixtures/resources/c-core.json' with { type: 'json' };
import type { Implementation } from '../../../src/resources/notes/note.js';
import { type NoteScore, notedCases, scoreNotes } from '../../resources/note-score.js';
import type { RecordedCase } from '../../resources/recorded.js';
import type { PeerName } from './peers.js';
import { seen } from './seen.js';
import { type Completion, type LiveVerdicts, liveVerdicts } from './verdict-client.js';

/** The recorded cases, as they are. */
export const CORPUS = recorded.cases as RecordedCase[];

export interface VerdictPlan {
  implementation: Implementation;
  peer: PeerName;
  cases: readonly RecordedCase[];
  /** By the ids of the cases; those without one were not recorded. */
  known: Readonly<Record<string, string>>;
  /** At least this share of what it decides otherwise than C-core has a note. */
  share: number;
  complete?: Completion;
}

/** An implementation decides about the corpus as it did when it was recorded, and as the notes say. */
export function verdictSuite({ implementation, peer, cases, known, share, complete }: VerdictPlan): void {
  it('decides as recorded, and as the notes say', { timeout: 600_000 }, async () => {
    const live = await liveVerdicts(peer, cases, complete);
    const compared = cases.filter(({ id }) => known[id] !== undefined);
    const differences = compared
      .filter(({ id }) => live.verdicts.get(id)?.verdict !== known[id])
      .map(({ id }) => `${id}: ${known[id]} was recorded, but ${JSON.stringify(live.verdicts.get(id))}`);
    seen(`${live.version} on the corpus: ${compared.length - differences.length} of ${compared.length} as recorded`);
    checkNotes('on the corpus', implementation, cases, live, share);
    expect(differences).toEqual([]);
  });
}

/** No note is wrong about what was just seen, and this share of the differences has one. */
export function checkNotes(
  where: string,
  implementation: Implementation,
  cases: readonly RecordedCase[],
  { version, verdicts }: LiveVerdicts,
  share: number,
): void {
  const score = scoreNotes(implementation, notedCases(cases), (id) => verdicts.get(id)?.verdict);
  seen(`${version} ${where}: ${figures(score)}`);
  const told = (line: string): string => `${line} ${verdicts.get(line.replace(/: [^:]*$/, ''))?.message ?? ''}`;
  expect(score.wrong.map(told)).toEqual([]);
  expect(shareOf(score), score.silent.map(told).join('\n')).toBeGreaterThanOrEqual(share);
}

function shareOf({ different, silent }: NoteScore): number {
  return 1 - silent.length / Math.max(1, different.length);
}

function figures(score: NoteScore): string {
  const { noted, wrong, different, silent } = score;
  const precision = `${noted - wrong.length} of ${noted} noted cases are right (${percent(1 - wrong.length / Math.max(1, noted))})`;
  const recall = `${different.length - silent.length} of ${different.length} differences are noted (${percent(shareOf(score))})`;
  return `${precision}, ${recall}`;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}
