import { describe, expect, it } from 'vitest';
import type { ExitCode } from '../../src/base/exit-codes.js';
import { exitCode, firstExitCode, type Outcome } from '../../src/inspect/outcome.js';
import { byVerdict, unknownVerdict, type VerdictWord, worst } from '../../src/inspect/verdict/verdict.js';

const ROWS: [title: string, outcome: Outcome, code: ExitCode][] = [
  ['an empty outcome', {}, 0],
  ['ok', { verdicts: ['ok', 'ok'] }, 0],
  ['unknown', { verdicts: ['unknown'] }, 0],
  ['partly', { verdicts: ['ok', 'partly'] }, 79],
  ['fails', { verdicts: ['fails'] }, 79],
  ['waiting', { verdicts: ['waiting'] }, 75],
  ['fails and waiting: 75 comes before 79', { verdicts: ['fails', 'waiting'] }, 75],
  ['ok with a status named by --fail-on', { verdicts: ['ok'], hasFindings: true }, 79],
  ['ok, but past the deadline of wait', { verdicts: ['ok'], isTimedOut: true }, 75],
  ['fails because no server can be used', { verdicts: ['fails'], isLost: true, hasFindings: true }, 69],
  ['a timeout because no server can be used', { isLost: true, isTimedOut: true }, 69],
  ['interrupted', { verdicts: ['fails'], isLost: true, isTimedOut: true, isInterrupted: true }, 130],
];

describe('the exit code of', () => {
  it.each(ROWS)('%s', (_, outcome, code) => {
    expect(exitCode(outcome)).toBe(code);
  });
});

describe('firstExitCode', () => {
  it('returns the first of 1, 130, 64, 65, 69, 75, 79', () => {
    const ladder: ExitCode[] = [1, 130, 64, 65, 69, 75, 79, 0];
    expect(ladder.map((_, i) => firstExitCode(ladder.slice(i).toReversed()))).toEqual(ladder);
    expect(firstExitCode([])).toBe(0);
  });
});

describe('the worst verdict', () => {
  it('is fails, then partly, waiting, unknown, ok', () => {
    expect(worst(['ok', 'partly', 'fails', 'waiting', 'unknown'])).toBe('fails');
    expect(worst(['ok', 'waiting', 'partly', 'unknown'])).toBe('partly');
    expect(worst(['unknown', 'waiting', 'ok'])).toBe('waiting');
    expect(worst(['ok', 'unknown'])).toBe('unknown');
    expect(worst([])).toBe('ok');
  });

  it('is sorted first', () => {
    const words: VerdictWord[] = ['ok', 'fails', 'unknown', 'partly', 'waiting'];
    const verdicts = words.map((verdict) => ({ ...unknownVerdict('t'), verdict }));
    expect(verdicts.sort(byVerdict).map(({ verdict }) => verdict)).toEqual([
      'fails',
      'partly',
      'waiting',
      'unknown',
      'ok',
    ]);
  });
});
