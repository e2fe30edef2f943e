import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { bootstrapFor, REJECTED_CLUSTER, RESOURCES, writeFiles } from '../support/ci-repository.js';
import { temporaryFolder } from '../support/clean-up.js';
import { runCli } from '../support/cli.js';
import { ROOT } from '../support/root.js';

interface Hook {
  id: string;
  entry: string;
  language: string;
  files: string;
}

const hooks: Hook[] = parse(readFileSync(join(ROOT, '.pre-commit-hooks.yaml'), 'utf8'));
const hook = (id: string): Hook => hooks.find((one) => one.id === id) as Hook;

/** Runs the entry of a hook with files, as pre-commit does. */
async function runHook(id: string, files: Record<string, object>): Promise<number> {
  const folder = temporaryFolder();
  writeFiles(folder, files);
  const [program, ...words] = hook(id).entry.split(' ');
  expect(program).toBe('xds-inspect');
  return (await runCli([...words, ...Object.keys(files).map((name) => join(folder, name))])).code;
}

describe('.pre-commit-hooks.yaml', () => {
  it('has hooks that pre-commit installs with npm', () => {
    expect(hooks.map(({ id, language }) => `${id} ${language}`)).toEqual([
      'xds-inspect-bootstrap node',
      'xds-inspect-resources node',
    ]);
  });

  it('passes valid files, and fails if one of several is invalid', async () => {
    const [good, bad] = [bootstrapFor('a:1'), { xds_servers: [] }];
    expect(await runHook('xds-inspect-bootstrap', { 'a.json': good, 'b.json': good })).toBe(0);
    expect(await runHook('xds-inspect-bootstrap', { 'a.json': good, 'b.json': bad })).toBe(65);
    expect(await runHook('xds-inspect-resources', RESOURCES)).toBe(0);
    expect(await runHook('xds-inspect-resources', { ...RESOURCES, 'bad.yaml': REJECTED_CLUSTER })).toBe(79);
  });

  it.each([
    [
      'xds-inspect-bootstrap',
      ['bootstrap.json', 'deploy/grpc-bootstrap-prod.json'],
      ['bootstrap.js', 'bootstrap/a.json'],
    ],
    [
      'xds-inspect-resources',
      ['xds/a.yaml', 'deploy/xds/b/c.json', 'xds/d.binpb'],
      ['a.yaml', 'xds/README.md', 'axds/a.yaml'],
    ],
  ])('selects files by their name: %s', (id, selected, others) => {
    const pattern = new RegExp(hook(id).files);
    expect([...selected, ...others].filter((name) => pattern.test(name))).toEqual(selected);
  });
});
