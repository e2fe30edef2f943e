import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MutantResult } from '@stryker-mutator/api/core';
import { Stryker } from '@stryker-mutator/core';
import { rank } from './rank.mts';

interface Sampling {
  readonly size: number;
  readonly seed: string;
  readonly concurrency: number;
}

/** Results that say nothing about the tests: excluded by Stryker or outside the sample. */
const UNCOUNTED: readonly string[] = ['Ignored', 'CompileError', 'RuntimeError'];

/** Runs tests against a sample of the mutants of one folder of src, and returns the results of that sample. */
export async function mutate(folder: string, tests: readonly string[], sampling: Sampling): Promise<MutantResult[]> {
  const scratch = mkdtempSync(join(tmpdir(), 'xds-inspect-mutation-'));
  process.env.MUTATION_SAMPLE = join(scratch, 'sample.json');
  process.env.MUTATION_SAMPLE_SIZE = String(sampling.size);
  process.env.MUTATION_SEED = sampling.seed;
  try {
    const results = await new Stryker({
      mutate: [`src/${folder}/**/*.ts`],
      testRunner: 'mocha',
      mochaOptions: { spec: ['mutation-tests.mjs'] },
      buildCommand: `tsx tools/mutation/bundle.mts ${tests.map((name) => `test/${name}`).join(' ')}`,
      plugins: ['@stryker-mutator/mocha-runner', './tools/mutation/sample-checker.mts'],
      checkers: ['sample'],
      checkerNodeArgs: ['--import', 'tsx'],
      testRunnerNodeArgs: ['--import', 'tsx'],
      coverageAnalysis: 'perTest',
      // A mutant that is evaluated only while modules load needs a process of its own.
      ignoreStatic: true,
      ignorePatterns: ['dist', 'coverage'],
      concurrency: sampling.concurrency,
      timeoutMS: 60_000,
      dryRunTimeoutMinutes: 15,
      reporters: ['progress-append-only'],
      tempDirName: '.mutation',
    }).runMutationTest();
    // Mutants that no test runs never reach the checker, but belong to the sample.
    return results
      .filter(({ status }) => !UNCOUNTED.includes(status))
      .map(countFromZero)
      .map((mutant) => ({ mutant, order: rank(mutant, sampling.seed) }))
      .sort((a, b) => (a.order < b.order ? -1 : 1))
      .slice(0, sampling.size)
      .map(({ mutant }) => mutant);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** Stryker counts lines and columns from 0 in mutants, but from 1 in results. */
function countFromZero(result: MutantResult): MutantResult {
  const { start, end } = result.location;
  return {
    ...result,
    location: {
      start: { line: start.line - 1, column: start.column - 1 },
      end: { line: end.line - 1, column: end.column - 1 },
    },
  };
}
