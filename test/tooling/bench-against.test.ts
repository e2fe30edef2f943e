import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readArguments } from '../../tools/bench/against/arguments.js';
import { Command } from '../../tools/bench/against/command.js';
import { comparisonTable } from '../../tools/bench/against/comparison.js';
import { commitOf } from '../../tools/bench/against/other-tree.js';
import { bundled } from '../../tools/bench/bundle.js';
import { temporaryFolder } from '../support/clean-up.js';
import { ROOT } from '../support/root.js';

it('bench against requires exactly one ref', () => {
  expect(readArguments(['main'])).toEqual({ kind: 'ref', ref: 'main' });
  for (const args of [[], [''], ['main', 'other']])
    expect(readArguments(args)).toEqual({ kind: 'usage', message: expect.stringContaining('requires one commit') });
});

it('bench against resolves a ref to its commit, and rejects an unknown ref', () => {
  const folder = temporaryFolder();
  const git = (...args: string[]): string =>
    spawnSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...args], { cwd: folder, encoding: 'utf8' }).stdout;
  git('init', '-q', '-b', 'main');
  git('commit', '-q', '--allow-empty', '-m', 'x');
  expect(commitOf(folder, 'main')).toBe(git('rev-parse', 'HEAD').trim());
  for (const bad of ['no-such-ref', '--all', '']) expect(commitOf(folder, bad)).toBeUndefined();
});

it('bench against exits with 64 and the name of an unknown ref', () => {
  const { status, stderr } = spawnSync(
    process.execPath,
    ['--import', 'tsx', join(ROOT, 'tools/bench/main.mts'), 'against', 'no-such-ref'],
    { cwd: ROOT, encoding: 'utf8' },
  );
  expect([status, stderr]).toEqual([64, 'no commit, branch or tag is called no-such-ref\n']);
});

it('bench against prints medians, spread and the ratio new / old', () => {
  const rows = [
    { what: 'status', unit: 'ms', before: [400, 200, 300], after: [150, 150, 3000] },
    { what: 'watch', unit: 'ms of CPU', before: [0.5], after: [0.25] },
  ];
  expect(comparisonTable('main', rows)).toBe(
    [
      '| what | unit | main | this tree | new / old | runs |',
      '| --- | --- | --- | --- | --- | --- |',
      '| status | ms | 300 (200–400) | 150 (150–3,000) | 0.50 | 3 |',
      '| watch | ms of CPU | 0.50 | 0.25 | 0.50 | 1 |',
    ].join('\n'),
  );
});

it('a measured command reports its CPU time, or why it failed', async () => {
  const folder = temporaryFolder();
  const preload = await bundled(ROOT, 'against/report-usage');
  const file = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const cost = await new Command(preload, file('ends.mjs', ''), []).cost();
  expect(cost.cpuMs).toBeGreaterThan(0);
  expect(cost.wallMs).toBeGreaterThan(0);
  await expect(
    new Command(preload, file('fails.mjs', 'console.error("why"); process.exit(3)'), []).cost(),
  ).rejects.toThrow('ended with 3: why');
});
