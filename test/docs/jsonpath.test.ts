import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT, runCli } from '../support/cli.js';

const page = readFileSync(join(ROOT, 'docs/jsonpath.md'), 'utf8');
const rows = [...page.matchAll(/^\| `(.+?)` \| [^`]*?(?:`[^|]*)?\| `(.*)` \|$/gm)].map(
  ([, expression, prints]) => [expression, prints] as [string, string],
);
const RECORDED = ['replay', 'fixtures/recordings/first-look.xdsrec', 'status', '-o'];

describe('docs/jsonpath.md', () => {
  it('has an example for each part of the syntax', () => {
    expect(rows.length).toBe((page.match(/^\| `.*\| `.*` \|$/gm) ?? []).length);
    expect(rows.length).toBeGreaterThan(15);
  });

  it.each(rows)('%s prints %j', async (expression, prints) => {
    const { stdout, stderr, code } = await runCli([...RECORDED, `jsonpath=${expression}`]);
    expect({ stdout, stderr, code }).toEqual({ stdout: prints, stderr: '', code: 0 });
  });

  it('quotes the error of an invalid expression', async () => {
    const [, quoted = ''] = /```\n(xds-inspect: --output[\s\S]*?)```/.exec(page) ?? [];
    const expression = quoted.split('\n')[1]?.replace('xds-inspect:   ', '');
    const { code, stdout, stderr } = await runCli([...RECORDED, `jsonpath=${expression}`]);
    expect([code, stdout]).toEqual([64, '']);
    expect(stderr).toContain(quoted);
  });

  it('has commands whose expressions are valid', async () => {
    const commands = [...page.matchAll(/^xds-inspect .*-o jsonpath='(.*)'$/gm)];
    expect(commands.length).toBeGreaterThan(4);
    for (const [, expression] of commands)
      expect((await runCli([...RECORDED, `jsonpath=${expression}`])).stderr, expression).toBe('');
  });
});
