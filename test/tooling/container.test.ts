import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { buildContext, dockerfileStages } from '../support/dockerfile.js';
import { ROOT } from '../support/root.js';

const stages = dockerfileStages();
const last = stages.at(-1);
const textOf = (keyword: string): string =>
  last?.instructions.find((instruction) => instruction.keyword === keyword)?.text ?? '';

describe('the Dockerfile', () => {
  it('builds in one stage, and ends with a slim image of the same Node', () => {
    expect(stages.map(({ name }) => name)).toEqual(['build', undefined]);
    expect(new Set(stages.map(({ image }) => image)).size).toBe(1);
    expect(last?.image).toMatch(/^node:\d+-\w+-slim$/);
  });

  it('runs xds-inspect as a numeric user, which Kubernetes can check', () => {
    expect(textOf('USER')).toMatch(/^[1-9]\d*:[1-9]\d*$/);
    expect(JSON.parse(textOf('ENTRYPOINT'))).toEqual(['xds-inspect']);
  });

  it('has the version of the package in its label', () => {
    const { version, license } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    expect(textOf('LABEL')).toContain(`org.opencontainers.image.version="${version}"`);
    expect(textOf('LABEL')).toContain(`org.opencontainers.image.licenses="${license}"`);
  });

  it('has a build context with everything that the package contains', () => {
    const { files } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { files: string[] };
    const packed = files.filter((file) => !file.startsWith('!') && file !== 'dist').map((file) => file.split('/')[0]);
    expect(buildContext()).toEqual(expect.arrayContaining([...packed, 'LICENSE', 'README.md', 'package-lock.json']));
    expect(buildContext().filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
  });
});
