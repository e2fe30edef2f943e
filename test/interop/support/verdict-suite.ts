import { describe, expect, it } from 'vitest';
import type { Implementation } from '../../../src/peers/note.js';
import type { RecordedCase } from '../../../tools/oracle/recorded-case.js';
import { type NoteScore, scoreNotes } from '../../peers/note-score.js';
import { mutatedVerdicts, recordedVerdicts } from '../../resources/recorded-results.js';
import type { LiveVerdicts } from './live-verdict.js';
import { mutations } from './mutations.js';
import { seen } from './seen.js';

/** Other mutations of the same kind, and more of them, can be asked for. */
const SEED = Number(process.env.INTEROP_SEED ?? 1);
const MUTATIONS = Number(process.env.INTEROP_MUTATIONS ?? 600);
/** Clients take their time, and so do virtual machines. */
const PATIENCE_MS = 900_000;

export interface VerdictPlan {
  implementation: Implementation;
  /** At least this share of what it decides otherwise than C-core has a note. */
  share: number;
  /** What the live program says. */
  ask(cases: readonly RecordedCase[]): Promise<LiveVerdicts>;
  /** What it needs to be changed in a resource that it would always refuse. */
  adapt?(one: RecordedCase): RecordedCase;
}

/** An implementation decides as it did when it was recorded, and as the notes say. */
export function verdictSuite({ implementation, share, ask, adapt }: VerdictPlan): void {
  const corpus = [...recordedVerdicts(implementation), ...mutatedVerdicts(implementation)];

  describe(`verdicts of ${implementation}`, () => {
    it('on the corpus are those recorded, and those that the notes tell', { timeout: PATIENCE_MS }, async () => {
      const cases = corpus.map(({ one }) => one);
      const live = await ask(cases);
      const differences = corpus
        .filter(({ one, verdict }) => live.verdicts.get(one.id)?.verdict !== verdict)
        .map(
          ({ one, verdict }) => `${one.id}: ${verdict} was recorded, but ${JSON.stringify(live.verdicts.get(one.id))}`,
        );
      seen(`${live.version} on the corpus: ${corpus.length - differences.length} of ${corpus.length} as recorded`);
      checkNotes('on the corpus', implementation, cases, live, share);
      expect(differences).toEqual([]);
    });

    it('on mutations of what it takes are those that the notes tell', { timeout: PATIENCE_MS }, async () => {
      const taken = corpus.filter(({ verdict }) => verdict === 'ACK').map(({ one }) => one);
      const made = mutations(taken, SEED);
      const mutated = Array.from({ length: MUTATIONS }, () => made.next().value as RecordedCase);
      const cases = adapt === undefined ? mutated : mutated.map(adapt);
      checkNotes(`on mutations (seed ${SEED})`, implementation, cases, await ask(cases), LEAST_SHARE_OF_MUTATIONS);
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
  const score = scoreNotes(
    implementation,
    cases.map((one) => ({ one, verdict: verdicts.get(one.id)?.verdict ?? 'NONE' })),
  );
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
