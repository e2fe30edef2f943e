import { describe, expect, it } from 'vitest';
import recorded from '../../../fixtures/resources/c-core.json' with { type: 'json' };
import type { Implementation } from '../../../src/resources/notes/note.js';
import { type NoteScore, notedCases, scoreNotes } from '../../resources/note-score.js';
import type { RecordedCase } from '../../resources/recorded.js';
import type { LiveVerdicts } from './live-verdict.js';
import { mutations } from './mutations.js';
import { seen } from './seen.js';

/** The recorded cases, as they are. */
export const CORPUS = recorded.cases as RecordedCase[];

/** Other mutations of the same kind, and more of them, can be asked for. */
const SEED = Number(process.env.INTEROP_SEED ?? 1);
const MUTATIONS = Number(process.env.INTEROP_MUTATIONS ?? 600);
/** Clients take their time, and so do virtual machines. */
const PATIENCE_MS = 900_000;

export interface VerdictPlan {
  implementation: Implementation;
  cases: readonly RecordedCase[];
  /** By the ids of the cases; those without one were not recorded. */
  known: Readonly<Record<string, string>>;
  /** At least this share of what it decides otherwise than C-core has a note. */
  share: number;
  /** What the live program says. */
  ask(cases: readonly RecordedCase[]): Promise<LiveVerdicts>;
  /** What it needs to be changed in a resource that it would always refuse. */
  adapt?(one: RecordedCase): RecordedCase;
}

/** An implementation decides as it did when it was recorded, and as the notes say. */
export function verdictSuite({ implementation, cases, known, share, ask, adapt }: VerdictPlan): void {
  describe(`verdicts of ${implementation}`, () => {
    it('on the corpus are those recorded, and those that the notes tell', { timeout: PATIENCE_MS }, async () => {
      const compared = cases.filter(({ id }) => known[id] !== undefined);
      const live = await ask(compared);
      const differences = compared
        .filter(({ id }) => live.verdicts.get(id)?.verdict !== known[id])
        .map(({ id }) => `${id}: ${known[id]} was recorded, but ${JSON.stringify(live.verdicts.get(id))}`);
      seen(`${live.version} on the corpus: ${compared.length - differences.length} of ${compared.length} as recorded`);
      checkNotes('on the corpus', implementation, compared, live, share);
      expect(differences).toEqual([]);
    });

    it('on mutations of what it takes are those that the notes tell', { timeout: PATIENCE_MS }, async () => {
      const made = mutations(
        cases.filter(({ id }) => known[id] === 'ACK'),
        SEED,
      );
      const mutated = Array.from({ length: MUTATIONS }, () => made.next().value as RecordedCase);
      const asked = adapt === undefined ? mutated : mutated.map(adapt);
      checkNotes(`on mutations (seed ${SEED})`, implementation, asked, await ask(asked), LEAST_SHARE_OF_MUTATIONS);
    });
  });
}

/** Chance may find what no rule is for. */
const LEAST_SHARE_OF_MUTATIONS = 0.9;

/** No note is wrong about what was just seen, and this share of the differences has one. */
function checkNotes(
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
  const precision = percent(1 - wrong.length / Math.max(1, noted));
  return [
    `${noted - wrong.length} of ${noted} noted cases are right (${precision})`,
    `${different.length - silent.length} of ${different.length} differences are noted (${percent(shareOf(score))})`,
  ].join(', ');
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}
