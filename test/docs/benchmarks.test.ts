import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { page, partNames } from '../../tools/bench/page/page.js';
import { readResults, resultsText, writePage } from '../../tools/bench/page/results.js';
import { ROOT } from '../support/root.js';

if (process.env.UPDATE_DOCS === '1') writePage(ROOT);

const text = readFileSync(join(ROOT, 'docs/benchmarks.md'), 'utf8');

describe('docs/benchmarks.md', () => {
  it('is what the bench writes from docs/benchmarks.json (UPDATE_DOCS=1 writes it)', () => {
    expect(text).toBe(page(text, readResults(ROOT)));
  });

  it('has marks for every part of the bench, and for the missed goals first', () => {
    const { stderr } = spawnSync(process.execPath, ['--import', 'tsx', join(ROOT, 'tools/bench/main.mts'), '?'], {
      cwd: ROOT,
      encoding: 'utf8',
    });
    const parts = /the parts are (.+)/.exec(stderr)?.[1]?.split(', ');
    const [first, ...others] = partNames(text);
    expect(first).toBe('missed');
    expect(others.sort()).toEqual(parts?.sort());
  });

  it('has no number that people do not read', () => {
    expect(text.match(/\d(?:\.\d+)?e[+-]\d+|\b0\.00\d+|NaN|undefined|Infinity/g)).toBeNull();
    // Counts of four and more digits have separators. Versions and years do not.
    const cells = text.split('\n').filter((line) => line.startsWith('| '));
    expect(cells.join('\n').match(/(?<![\d.,#-])\d{5,}/g)).toBeNull();
  });
});

it('docs/benchmarks.json has the format that the bench writes', () => {
  expect(readFileSync(join(ROOT, 'docs/benchmarks.json'), 'utf8')).toBe(resultsText(readResults(ROOT)));
});
