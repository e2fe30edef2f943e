import { describe, expect, it } from 'vitest';
import type { Implementation } from '../../../src/peers/note.js';
import type { RecordedCase } from '../../../tools/oracle/recorded-case.js';
import { type NoteScore, scoreNotes } from '../../peers/note-score.js';
import { mutatedVerdicts, recordedVerdicts } from '../../resources/recorded-results.js';
import type { LiveVerdicts } from './live-verdict.js';
import { mutations } from './mutations.js';
import { reportFigure } from './report-figure.js';

/** The environment can select other mutations, and more of them. */
const SEED = Number(process.env.INTEROP_SEED ?? 1);
const MUTATIONS = Number(process.env.INTEROP_MUTATIONS ?? 600);
/** JVMs and some clients are slow. */
const PATIENCE_MS = 900_000;

export interface VerdictPlan {
  implementation: Implementation;
  /** The minimum share of differences from C-core that have a note. */
  share: number;
  /** Returns the verdicts of the real program. */
  validate(cases: readonly RecordedCase[]): Promise<LiveVerdicts>;
  /** Changes a resource that the implementation would always reject. */
  adapt?(one: RecordedCase): RecordedCase;
}

/** Checks that an implementation behaves as recorded, and as the notes predict. */
export function verdictSuite({ implementation, share, validate, adapt }: VerdictPlan): void {
  const corpus = [...recordedVerdicts(implementation), ...mutatedVerdicts(implementation)];

  describe(`verdicts of ${implementation}`, () => {
    it('on the corpus equal the recording and the notes', { timeout: PATIENCE_MS }, async () => {
      const cases = corpus.map(({ one }) => one);
      const live = await validate(cases);
      const differences = corpus
        .filter(({ one, verdict }) => live.verdicts.get(one.id)?.verdict !== verdict)
        .map(({ one, verdict }) => `${one.id}: recorded ${verdict}, now ${JSON.stringify(live.verdicts.get(one.id))}`);
      reportFigure(
        `${live.version} on the corpus: ${corpus.length - differences.length} of ${corpus.length} as recorded`,
      );
      checkNotes('on the corpus', implementation, cases, live, share);
      expect(differences).toEqual([]);
    });

    it('on mutations of accepted resources equal the notes', { timeout: PATIENCE_MS }, async () => {
      const accepted = corpus.filter(({ verdict }) => verdict === 'ACK').map(({ one }) => one);
      const made = mutations(accepted, SEED);
      const mutated = Array.from({ length: MUTATIONS }, () => made.next().value as RecordedCase);
      const cases = adapt === undefined ? mutated : mutated.map(adapt);
      checkNotes(`on mutations (seed ${SEED})`, implementation, cases, await validate(cases), LEAST_SHARE_OF_MUTATIONS);
    });
  });
}

/** Random mutations may find differences without a note. */
const LEAST_SHARE_OF_MUTATIONS = 0.9;

/** Checks that no note is wrong, and that at least this share of the differences has one. */
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
  reportFigure(`${version} ${where}: ${figures(score)}`);
  const withMessage = (line: string): string => `${line} ${verdicts.get(line.replace(/: [^:]*$/, ''))?.message ?? ''}`;
  expect(score.wrong.map(withMessage)).toEqual([]);
  expect(shareOf(score), score.silent.map(withMessage).join('\n')).toBeGreaterThanOrEqual(share);
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
