import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Spec, Validation } from '@cyclonedx/cyclonedx-library';
import ts from 'typescript';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Sbom } from '../../tools/build/sbom.ts';
import { tarballProblems } from '../../tools/package/check-tarball.mts';
import { installInto, packInto } from '../../tools/smoke/installed-package.ts';
import { temporaryFolder } from '../support/clean-up.js';
import { ROOT } from '../support/root.js';

let tarball: string;
let home: string;
let installed: string;
beforeAll(() => {
  const folder = temporaryFolder();
  tarball = packInto(ROOT, folder);
  home = installInto(folder, tarball);
  installed = join(home, 'node_modules/xds-inspect');
});

/** Runs a module in the folder of the installation. */
function evaluate(name: string, source: string): string {
  writeFileSync(join(home, name), source);
  return execFileSync('node', [name], { cwd: home, encoding: 'utf8' }).trim();
}

/** Checks files, and the declarations that they import. The folder has no others: not those of Node or of grpc-js. */
function typeProblems(files: readonly string[], kind: ts.CompilerOptions): string[] {
  const { ES2022 } = ts.ScriptTarget;
  const options = { ...kind, strict: true, noEmit: true, target: ES2022, lib: ['lib.es2022.d.ts'], types: [] };
  // Those of the language itself are not checked.
  const all = { ...options, skipDefaultLibCheck: true };
  const program = ts.createProgram(
    files.map((name) => join(home, name)),
    all,
  );
  return ts.getPreEmitDiagnostics(program).map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}

/** A packed package with this manifest and these files. */
function packed(manifest: object, files: Record<string, string>): string {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'out'));
  const all = { 'package.json': JSON.stringify({ name: 'one', version: '1.0.0', ...manifest }), ...files };
  for (const [name, text] of Object.entries(all)) writeFileSync(join(folder, name), text);
  execFileSync('npm', ['pack', '--pack-destination', 'out'], { cwd: folder, stdio: 'ignore' });
  return join(folder, 'out/one-1.0.0.tgz');
}

describe('the packed package', () => {
  it('has entries and types that publint and attw accept', async () => {
    expect(await tarballProblems(tarball)).toEqual([]);
  });

  it.each([
    [
      'the file of an entry is missing',
      { type: 'commonjs', exports: './none.js' },
      {},
      /^publint: error: .*does not exist/,
    ],
    [
      'import gets the types of CommonJS',
      { type: 'commonjs', exports: { import: { types: './a.d.ts', default: './a.mjs' }, require: './a.js' } },
      { 'a.mjs': 'export const a = 1;', 'a.js': 'exports.a = 1;', 'a.d.ts': 'export declare const a: number;' },
      /^attw: Types are CJS, but implementation is ESM$/m,
    ],
  ])('would be refused if %s', async (_what, manifest, files, problem) => {
    expect((await tarballProblems(packed(manifest, files))).join('\n')).toMatch(problem);
  });

  it('has the same classes for import and require, by their names', () => {
    const names = 'ConnectError, Engine, Session, connect, loadRouting';
    const source = `
      import { createRequire } from 'node:module';
      import * as all from 'xds-inspect';
      import { ${names} } from 'xds-inspect';
      const required = createRequire(import.meta.url)('xds-inspect');
      const same = Object.entries({ ${names} }).every(([name, value]) => value !== undefined && required[name] === value);
      const missing = Object.keys(required).filter((name) => !(name in all));
      console.log(JSON.stringify({ same, missing }));`;
    expect(JSON.parse(evaluate('same.mjs', source))).toEqual({ same: true, missing: [] });
  });

  it('exports its manifest and none of its inner modules', () => {
    const source = `
      const attempt = (name) => { try { return typeof require(name); } catch ({ code }) { return code; } };
      console.log(attempt('xds-inspect/package.json'), attempt('xds-inspect/dist/cli.js'));`;
    expect(evaluate('inner.cjs', source)).toBe('object ERR_PACKAGE_PATH_NOT_EXPORTED');
  });

  it('declares types for import and require in each kind of module resolution', () => {
    const use = `
      const client: Connected = connect('{}');
      const stop: () => void = client.watch('CDS', 'a', { onResourceChanged: () => {}, onAmbientError: () => {} });
      // @ts-expect-error: there is no such type.
      connect(1);
      export { stop };`;
    writeFileSync(join(home, 'a.mts'), `import { type Connected, connect } from 'xds-inspect';${use}`);
    writeFileSync(
      join(home, 'b.cts'),
      `import xds = require('xds-inspect');\ntype Connected = xds.Connected;\nconst { connect } = xds;${use}`,
    );
    const { Preserve, ESNext, Node16, NodeNext } = ts.ModuleKind;
    const { Bundler, Node16: LikeNode16, NodeNext: LikeNodeNext } = ts.ModuleResolutionKind;
    const kinds = [
      { module: Node16, moduleResolution: LikeNode16, files: ['a.mts', 'b.cts'] },
      { module: NodeNext, moduleResolution: LikeNodeNext, files: ['a.mts', 'b.cts'] },
      { module: ESNext, moduleResolution: Bundler, files: ['a.mts'] },
      { module: Preserve, moduleResolution: Bundler, files: ['a.mts', 'b.cts'] },
    ];
    const problems = kinds.map(({ files, ...kind }) => typeProblems(files, kind));
    expect(problems).toEqual(kinds.map(() => []));
  });

  it('lists the bundled packages as valid CycloneDX', async () => {
    const text = readFileSync(join(installed, 'dist/sbom.cdx.json'), 'utf8');
    expect(await new Validation.JsonStrictValidator(Spec.Version.v1dot6).validate(text)).toBe(null);
    const { metadata, components } = JSON.parse(text) as Sbom;
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
    expect(metadata.component.purl).toBe(`pkg:npm/xds-inspect@${version}`);
    const references = components.map((one) => one['bom-ref']);
    const licenses = readFileSync(join(installed, 'dist/THIRD-PARTY-LICENSES.txt'), 'utf8');
    for (const name of ['@grpc/grpc-js', 'yargs', 'yaml', 'preact', 'xds-protos'])
      expect(references).toContainEqual(expect.stringMatching(new RegExp(`^${name}@`)));
    for (const one of references) expect(licenses).toContain(`${one?.replace(/@([^@]*)$/, ' $1')} (`);
    for (const tool of ['esbuild', 'typescript', 'vitest'])
      expect(references).not.toContainEqual(expect.stringMatching(new RegExp(`^${tool}@`)));
  });

  it('contains only the declarations that the library reaches', () => {
    const all = execFileSync('tar', ['tzf', tarball], { encoding: 'utf8' });
    expect(all).toContain('package/dist/types/io/connect.d.ts\n');
    expect(all).not.toContain('package/dist/types/io/credentials.d.ts\n');
  });
});
