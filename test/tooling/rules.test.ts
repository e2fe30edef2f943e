import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROOT } from '../support/root.js';

let copy: string;

/** A tree with the project's rules and nothing else; each test adds one file that breaks one of them. */
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

const imports = (): ReturnType<typeof run> => run('depcruise', 'src', '--config', 'tools/dependency-rules.cjs');

describe('import directions', () => {
  it('hold in a tree that keeps them', () => expect(imports()).toMatchObject({ code: 0 }));

  const cases: [rule: string, path: string, text: string][] = [
    ['base-imports', 'src/base/bad.ts', "export { thing } from '../core/other.js';\n"],
    ['scenario-imports', 'src/scenario/bad.ts', "export { thing } from '../engine/e.js';\n"],
    ['pure-folders-touch-no-node', 'src/core/bad.ts', "export { readFileSync } from 'node:fs';\n"],
    ['grpc-js-only-in-io', 'src/engine/bad.ts', "export { Client } from '@grpc/grpc-js';\n"],
    ['colours-and-tables-only-in-render', 'src/view/bad.ts', "export { Chalk } from 'chalk';\n"],
    ['no-cycles', 'src/base/bad.ts', "import { b } from './bad2.js';\nexport const a = b;\n"],
  ];
  for (const [rule, path, text] of cases) {
    it(`${rule} fails on a violation`, () => {
      write(path, text);
      write('src/engine/e.ts', 'export const thing = 1;\n');
      write('src/base/bad2.ts', "import { a } from './bad.js';\nexport const b = a;\n");
      const { code, output } = imports();
      rmSync(join(copy, path));
      rmSync(join(copy, 'src/base/bad2.ts'));
      expect(output).toContain(`error ${rule}`);
      expect(code).not.toBe(0);
    });
  }
});

describe('purity of folders', () => {
  const lint = (path: string): ReturnType<typeof run> => run('biome', 'lint', path);

  it('holds in a file that keeps it', () => expect(lint('src/base/thing.ts')).toMatchObject({ code: 0 }));

  for (const text of [
    'Date.now()',
    'new Date()',
    'setTimeout(() => {}, 1)',
    'process.env',
    'console.log(1)',
    'Buffer.alloc(1)',
    'Math.random()',
  ]) {
    it(`${text} fails in src/core and passes in src/io`, () => {
      for (const folder of ['core', 'io']) write(`src/${folder}/ambient.ts`, `export const x = ${text};\n`);
      expect(lint('src/core/ambient.ts').code).not.toBe(0);
      expect(lint('src/io/ambient.ts').code).toBe(0);
    });
  }
});
