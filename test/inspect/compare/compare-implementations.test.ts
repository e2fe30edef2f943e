import { describe, expect, it } from 'vitest';
import type { Preset } from '../../../src/bootstrap/preset-names.js';
import { compareImplementations } from '../../../src/inspect/compare/compare-implementations.js';
import type { Comparison } from '../../../src/inspect/compare/comparison.js';
import { comparisonOutcome } from '../../../src/inspect/compare/implementation-outcome.js';
import { exitCode } from '../../../src/inspect/outcome.js';
import { resourceReasons, targetReasons, targetSummary } from '../../../src/view/compare-text.js';
import { HALF, SERVED } from '../live-source.js';
import { IGNORED, REJECTED, runOf } from './runs.js';

/** The verdict of each implementation, by target or resource. */
function verdictsIn({ targets, resources }: Comparison): Record<string, string[]> {
  const words = (cells: ReadonlyMap<Preset, { verdict: string }>): string[] =>
    [...cells].map(([preset, { verdict }]) => `${preset} ${verdict}`);
  return Object.fromEntries([
    ...targets.map(({ target, cells }) => [target, words(cells)]),
    ...resources.map(({ type, name, cells }) => [`${type} ${name}`, words(cells)]),
  ]);
}

describe('a comparison of implementations', () => {
  it('has no difference if all of them use the same resources', async () => {
    const runs = [await runOf('c-core', SERVED), await runOf('grpc-java', SERVED)];
    const comparison = compareImplementations(runs, undefined);
    expect(verdictsIn(comparison)).toEqual({
      'xds:///greeter': ['c-core ok', 'grpc-java ok'],
      'LDS greeter': ['c-core accepted', 'grpc-java accepted'],
      'CDS blue': ['c-core accepted', 'grpc-java accepted'],
      'EDS blue': ['c-core accepted', 'grpc-java accepted'],
    });
    expect([...comparison.targets, ...comparison.resources].some(({ differs }) => differs)).toBe(false);
    expect(comparison.targets.map(targetSummary)).toEqual(['OK for all 2 implementations']);
    expect(exitCode(comparisonOutcome(comparison))).toBe(0);
  });

  it('puts what differs first, with the reason once', async () => {
    const runs = [
      await runOf('c-core', SERVED),
      await runOf('grpc-go', SERVED),
      { ...(await runOf('c-core', REJECTED)), preset: 'grpc-java' as const },
    ];
    const comparison = compareImplementations(runs, undefined);
    const { targets, resources } = comparison;
    expect(targets.map(targetSummary)).toEqual(['differs: grpc-java FAILS (UNAVAILABLE), the others OK']);
    expect(targets.flatMap(targetReasons)[0]).toMatch(/^grpc-java: CDS blue version 1 was rejected/);
    expect(resources.map(({ type, differs }) => [type, differs])).toEqual([
      ['CDS', true],
      ['LDS', false],
      ['EDS', false],
    ]);
    // The reason of the target names it already.
    expect(resources.flatMap((row) => resourceReasons(row, targets))).toEqual([]);
    expect(resources.flatMap((row) => resourceReasons(row))[0]).toMatch(/^grpc-java rejects it: /);
    // grpc-java does not need the endpoints of a cluster that it rejects.
    expect(verdictsIn(comparison)['EDS blue']).toEqual([
      'c-core accepted',
      'grpc-go accepted',
      'grpc-java not-requested',
    ]);
  });

  it('counts ignored parts as a difference only if they differ', async () => {
    const [plain, ignoring] = [await runOf('c-core', SERVED), await runOf('c-core', IGNORED)];
    const java = { ...ignoring, preset: 'grpc-java' as const };
    const differing = compareImplementations([plain, java], undefined).resources;
    expect(differing.find(({ type }) => type === 'LDS')?.differs).toBe(true);
    expect(differing.flatMap((row) => resourceReasons(row))[0]).toMatch(/^grpc-java ignores .*cluster_header/);
    const same = compareImplementations([ignoring, java], undefined).resources;
    expect(same.some(({ differs }) => differs)).toBe(false);
  });

  it('fails an implementation that rejects the bootstrap for every target', async () => {
    const runs = [await runOf('c-core', SERVED), { preset: 'grpc-go' as const, failure: 'no server' }];
    const { targets, implementations } = compareImplementations(runs, undefined);
    expect(targets[0]?.cells.get('grpc-go')).toMatchObject({
      verdict: 'fails',
      reason: 'rejects the bootstrap: no server',
    });
    expect(implementations.map(({ outcome }) => outcome)).toEqual(['ok', 'fails']);
  });

  it('fails an implementation for a target that only it cannot use', async () => {
    const names = { nameOf: () => 'greeter', unusable: new Map([['other', 'not a URI']]) };
    const runs = [await runOf('c-core', SERVED, names), await runOf('grpc-go', SERVED, { nameOf: () => 'greeter' })];
    const { targets } = compareImplementations(runs, undefined);
    expect(targets.map(({ target, cells }) => [target, [...cells.keys()]])).toEqual([
      ['greeter', ['c-core', 'grpc-go']],
      ['other', ['c-core']],
    ]);
  });
});

describe('the outcome of a comparison', () => {
  const required = (...presets: Preset[]): ReadonlySet<Preset> => new Set(presets);

  it.each<[title: string, ReadonlySet<Preset> | undefined, number]>([
    ['79 if any implementation fails', undefined, 79],
    ['79 if a required one fails', required('grpc-java', 'c-core'), 79],
    ['0 if only others fail', required('c-core'), 0],
    ['0 if only the reference is required', required('spec'), 0],
  ])('is %s', async (_, names, code) => {
    const runs = [
      await runOf('spec', SERVED),
      await runOf('c-core', SERVED),
      { ...(await runOf('c-core', REJECTED)), preset: 'grpc-java' as const },
    ];
    expect(exitCode(comparisonOutcome(compareImplementations(runs, names)))).toBe(code);
  });

  it('does not count the reference by default', async () => {
    const runs = [{ ...(await runOf('spec', REJECTED)) }, await runOf('c-core', SERVED)];
    expect(exitCode(comparisonOutcome(compareImplementations(runs, undefined)))).toBe(0);
  });

  it('is 75 for an implementation that still waits, or that is not measured', async () => {
    const waiting = await runOf('c-core', HALF, { seconds: 5 });
    const comparison = compareImplementations([waiting], undefined);
    expect(comparison.targets.map(targetSummary)).toEqual([expect.stringMatching(/^WAITING for c-core: /)]);
    expect(exitCode(comparisonOutcome(comparison))).toBe(75);
    const evidence = { missingFor: () => undefined, waitIsUnknown: () => 'the recording ends' };
    const unknown = compareImplementations([{ ...waiting, evidence }], undefined);
    expect(unknown.targets.map(targetSummary)).toEqual(['not measured for c-core: the recording ends']);
    expect(exitCode(comparisonOutcome(unknown))).toBe(75);
  });
});
