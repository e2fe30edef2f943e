import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { entryForImport } from '../../tools/build/bundle.ts';
import { sbomOf } from '../../tools/build/sbom.ts';
import { ownNode } from '../../tools/nodes/node-versions.ts';
import { checksums } from '../../tools/release/checksums.ts';
import { withNode } from '../../tools/release/executable-sbom.ts';
import { reachable } from '../../tools/types/write-types.ts';
import { temporaryFolder } from '../support/clean-up.js';

const OWN = { name: 'tool', version: '1.0.0', license: 'Apache-2.0', description: 'a tool' };
const API = {
  package: 'api',
  version: '3.0.0',
  license: 'Apache-2.0',
  licenses: { 'example.com/api': 'Apache-2.0' },
} as unknown as Parameters<typeof sbomOf>[3];

describe('the list of bundled packages', () => {
  const packages = [
    {
      folder: 'node_modules/a',
      manifest: { name: 'a', version: '1.0.0', license: 'MIT', dependencies: { b: '2', c: '1' } },
    },
    { folder: 'node_modules/a/node_modules/b', manifest: { name: 'b', version: '2.0.0', license: '(MIT OR ISC)' } },
    { folder: 'node_modules/b', manifest: { name: 'b', version: '1.0.0', license: 'MIT' } },
    {
      folder: 'node_modules/@s/d',
      manifest: { name: '@s/d', version: '1.0.0', license: 'MIT', dependencies: { b: '1' } },
    },
  ];
  const lock = { packages: { 'node_modules/b': { integrity: `sha512-${Buffer.from([1, 255]).toString('base64')}` } } };
  const sbom = sbomOf(OWN, packages, lock, API);
  const component = (ref: string) => sbom.components.find((one) => one['bom-ref'] === ref);

  it('names the version that Node loads for each dependency, and only bundled ones', () => {
    expect(Object.fromEntries(sbom.dependencies.map(({ ref, dependsOn }) => [ref, dependsOn]))).toEqual({
      'tool@1.0.0': ['api@3.0.0', 'a@1.0.0', 'b@2.0.0', 'b@1.0.0', '@s/d@1.0.0'],
      'a@1.0.0': ['b@2.0.0'],
      'b@2.0.0': [],
      'b@1.0.0': [],
      '@s/d@1.0.0': ['b@1.0.0'],
    });
  });

  it('has package URLs, hashes and licenses as CycloneDX writes them', () => {
    expect(component('@s/d@1.0.0')).toMatchObject({ group: '@s', name: 'd', purl: 'pkg:npm/%40s/d@1.0.0' });
    expect(component('b@1.0.0')).toMatchObject({
      hashes: [{ alg: 'SHA-512', content: '01ff' }],
      licenses: [{ license: { id: 'MIT' } }],
    });
    expect(component('b@2.0.0')).toMatchObject({ licenses: [{ expression: '(MIT OR ISC)' }] });
    expect(component('api@3.0.0')?.purl).toBe('pkg:pypi/api@3.0.0');
  });

  it('has Node and its libraries for the single executable', () => {
    const { components, dependencies } = withNode(sbom, ownNode());
    const node = components.at(-1);
    expect(node?.purl).toBe(`pkg:generic/node@${process.versions.node}`);
    expect(node?.components).toContainEqual({ type: 'library', name: 'openssl', version: process.versions.openssl });
    expect(node?.components?.map(({ name }) => name)).not.toContain('modules');
    expect(dependencies[0]?.dependsOn).toContain(node?.['bom-ref']);
  });
});

describe('the declarations of the library', () => {
  const all = new Map([
    ['/t/index.d.ts', "export { a } from './a.js';"],
    ['/t/a.d.ts', "export declare const a: import('./deep/b.js').B;"],
    ['/t/deep/b.d.ts', "import type { A } from '../a.js';\nexport type B = A;"],
    ['/t/unused.d.ts', "import type { Channel } from '@grpc/grpc-js';"],
  ]);

  it('are those that the entry reaches, also by an import in a type', () => {
    expect([...reachable('/t/index.d.ts', all).keys()].sort()).toEqual([
      '/t/a.d.ts',
      '/t/deep/b.d.ts',
      '/t/index.d.ts',
    ]);
  });

  it('may not import the types of a package', () => {
    const bad = new Map([...all, ['/t/a.d.ts', "export * from './unused.js';"]]);
    expect(() => reachable('/t/index.d.ts', bad)).toThrow('unused.d.ts imports types of @grpc/grpc-js');
  });
});

describe('the entry for import', () => {
  it('exports each name, and is never empty', () => {
    expect(entryForImport(['a', 'b'])).toContain('export const { a, b } = library;');
    expect(() => entryForImport([])).toThrow('exports nothing');
  });
});

describe('SHA256SUMS', () => {
  it('is read by sha256sum, which finds a changed file', () => {
    const folder = temporaryFolder();
    for (const name of ['a', 'b']) writeFileSync(join(folder, name), name);
    writeFileSync(join(folder, 'SHA256SUMS'), checksums(folder, ['a', 'b']));
    const check = () => spawnSync('sha256sum', ['--check', 'SHA256SUMS'], { cwd: folder, encoding: 'utf8' });
    expect(check()).toMatchObject({ status: 0, stdout: 'a: OK\nb: OK\n' });
    writeFileSync(join(folder, 'b'), 'changed');
    expect(check()).toMatchObject({ status: 1, stdout: 'a: OK\nb: FAILED\n' });
  });
});
