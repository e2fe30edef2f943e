import { readFileSync, writeFileSync } from 'node:fs';
import { type Checker, type CheckResult, CheckStatus } from '@stryker-mutator/api/check';
import type { Mutant } from '@stryker-mutator/api/core';
import { declareClassPlugin, PluginKind } from '@stryker-mutator/api/plugin';
import { rank } from './rank.mts';

/**
 * Restricts a run of Stryker to a sample. Stryker has no option for that; but a checker, which is meant to find mutants
 * that do not compile, may exclude any mutant before its tests run. `group` and `check` may run in different processes,
 * so the sample is passed in a file.
 */
class SampleChecker implements Checker {
  readonly #file = process.env.MUTATION_SAMPLE ?? '';
  readonly #size = Number(process.env.MUTATION_SAMPLE_SIZE);
  readonly #seed = process.env.MUTATION_SEED ?? '';

  async init(): Promise<void> {}

  async group(mutants: Mutant[]): Promise<string[][]> {
    const ranked = mutants.map((mutant) => ({ id: mutant.id, order: rank(mutant, this.#seed) }));
    const ids = ranked.sort((a, b) => (a.order < b.order ? -1 : 1)).map(({ id }) => id);
    writeFileSync(this.#file, JSON.stringify(ids.slice(0, this.#size)));
    return [ids];
  }

  async check(mutants: Mutant[]): Promise<Record<string, CheckResult>> {
    const sample = new Set(JSON.parse(readFileSync(this.#file, 'utf8')) as string[]);
    const outside: CheckResult = { status: CheckStatus.CompileError, reason: 'not in the sample' };
    return Object.fromEntries(mutants.map(({ id }) => [id, sample.has(id) ? { status: CheckStatus.Passed } : outside]));
  }
}

export const strykerPlugins = [declareClassPlugin(PluginKind.Checker, 'sample', SampleChecker)];
