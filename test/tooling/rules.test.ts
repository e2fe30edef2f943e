import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tooManyFolders } from '../../tools/layout/source-folders.js';
import { temporaryFolder } from '../support/clean-up.js';
import { ROOT } from '../support/root.js';

let copy: string;

/** A tree with only the project's rules; each test adds a file that breaks one of them. */
beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), 'xds-inspect-rules-'));
  for (const file of [
    'biome.json',
    'tsconfig.json',
    'package.json',
    'tools/dependency-rules.cjs',
    'tools/no-ambient-random.grit',
    '.gitignore',
  ])
    cpSync(join(ROOT, file), join(copy, file));
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  spawnSync('git', ['init', '-q'], { cwd: copy });
  write('src/base/thing.ts', 'export const thing = 1;\n');
  write('src/core/other.ts', "export { thing } from '../base/thing.js';\n");
  write('tools/tool.ts', "export { thing } from '../src/base/thing.js';\n");
});
afterAll(() => rmSync(copy, { recursive: true }));

function write(path: string, text: string): void {
  mkdirSync(dirname(join(copy, path)), { recursive: true });
  writeFileSync(join(copy, path), text);
}

function run(tool: string, ...args: string[]): { code: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync(join(ROOT, 'node_modules/.bin', tool), args, {
    cwd: copy,
    encoding: 'utf8',
  });
  return { code: status, output: stdout + stderr };
}

const imports = (): ReturnType<typeof run> =>
  run('depcruise', 'src', 'tools', '--config', 'tools/dependency-rules.cjs');

describe('import directions', () => {
  const cases: [rule: string, path: string, text: string][] = [
    ['base-imports', 'src/base/upwards.ts', "export { thing } from '../core/other.js';\n"],
    ['scenario-imports', 'src/scenario/bad.ts', "export { thing } from '../engine/e.js';\n"],
    ['pure-folders-touch-no-node', 'src/core/bad.ts', "export { readFileSync } from 'node:fs';\n"],
    ['grpc-js-only-in-io', 'src/engine/bad.ts', "export { Client } from '@grpc/grpc-js';\n"],
    ['colours-and-tables-only-in-render', 'src/view/bad.ts', "export { Chalk } from 'chalk';\n"],
    ['no-cycles', 'src/base/bad.ts', "import { b } from './bad2.js';\nexport const a = b;\n"],
    ['no-tests-in-tools', 'tools/bad.ts', "export { helper } from '../test/helper.js';\n"],
  ];
  let kept: ReturnType<typeof run>;
  let broken: ReturnType<typeof run>;

  // One run for all violations: each run takes a second.
  beforeAll(() => {
    kept = imports();
    write('src/engine/e.ts', 'export const thing = 1;\n');
    write('src/base/bad2.ts', "import { a } from './bad.js';\nexport const b = a;\n");
    write('test/helper.ts', 'export const helper = 1;\n');
    for (const [, path, text] of cases) write(path, text);
    broken = imports();
    for (const [, path] of cases) rmSync(join(copy, path));
  });

  it('pass in a tree without violations', () => expect(kept).toMatchObject({ code: 0 }));

  it.each(cases)('%s fails on a violation', (rule, path) => {
    expect(broken.code).not.toBe(0);
    expect(broken.output).toContain(`error ${rule}: ${path} → `);
  });
});

describe('purity of folders', () => {
  const lint = (path: string): ReturnType<typeof run> => run('biome', 'lint', '--colors=off', path);

  it('passes in a file without violations', () => expect(lint('src/base/thing.ts')).toMatchObject({ code: 0 }));

  const TEXTS = [
    'Date.now()',
    'new Date()',
    'setTimeout(() => {}, 1)',
    'process.env',
    'console.log(1)',
    'Buffer.alloc(1)',
    'Math.random()',
  ];
  const file = (folder: string, text: string): string => `src/${folder}/ambient-${TEXTS.indexOf(text)}.ts`;
  let pure = '';
  let impure: ReturnType<typeof run>;

  beforeAll(() => {
    for (const text of TEXTS)
      for (const folder of ['core', 'io']) write(file(folder, text), `export const x = ${text};\n`);
    pure = lint('src/core').output;
    impure = lint('src/io');
  });

  it.each(TEXTS)('%s fails in src/core and passes in src/io', (text) => {
    expect(pure).toContain(`${file('core', text)}:1:`);
    expect(impure).toMatchObject({ code: 0 });
  });
});

describe('the layout of src', () => {
  // Comments and blank lines count, too; Biome reports the position of the first statement. The files have no other
  // problem, since Biome limits the number of diagnostics.
  const lines = (count: number): string => {
    const code = Array.from({ length: count - 200 }, (_, i) => `export const line${i} = ${i};\n`).join('');
    return `${'// a comment\n\n'.repeat(100)}${code}`;
  };

  it('allows files of up to 300 lines, and tables of rules of any length', () => {
    write('src/base/long.ts', lines(300));
    write('src/base/too-long.ts', lines(301));
    write('src/base/rules/table.ts', lines(1000));
    const { code, output } = run('biome', 'lint', '--colors=off', '--max-diagnostics=none', 'src/base');
    expect(code).not.toBe(0);
    expect(output.match(/^src\S+ lint\/style\/noExcessiveLinesPerFile/gm)).toEqual([
      'src/base/too-long.ts:201:1 lint/style/noExcessiveLinesPerFile',
    ]);
  });

  it('has at most 16 folders', () => {
    const folder = temporaryFolder();
    const add = (count: number): void => {
      for (let i = 0; i < count; i++) mkdirSync(join(folder, 'src', `f${i}`), { recursive: true });
    };
    add(16);
    writeFileSync(join(folder, 'src/index.ts'), '');
    expect(tooManyFolders(folder)).toBeUndefined();
    add(17);
    expect(tooManyFolders(folder)).toMatch(/^src has 17 folders, at most 16 are allowed: f0, f1, f10/);
  });
});
