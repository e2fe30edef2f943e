import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { embeddedFile } from '../../src/io/embedded-files.js';
import { filesInExecutable, filesOnDisk } from '../../src/io/package-files.js';
import { temporaryFolder } from '../support/clean-up.js';

describe('the files of an installed package', () => {
  it('are listed by folder, with those of its folders, and read by name', () => {
    const root = temporaryFolder();
    mkdirSync(join(root, 'docs/findings'), { recursive: true });
    for (const name of ['docs/b.md', 'docs/findings/a.md', 'other.md']) writeFileSync(join(root, name), name);
    const files = filesOnDisk(root);
    expect(files.list('docs')).toEqual(['b.md', 'findings/a.md']);
    expect(files.read('docs/findings/a.md').toString()).toBe('docs/findings/a.md');
    expect(files.pathOf('docs/b.md')).toBe(join(root, 'docs/b.md'));
  });
});

describe('the files of a single executable', () => {
  it('do not exist for Node itself: package: is no special path there', () => {
    expect(filesInExecutable.list('docs')).toEqual([]);
    expect(embeddedFile(filesInExecutable.pathOf('docs/b.md'))).toBe(undefined);
    expect(() => filesInExecutable.read('docs/b.md')).toThrow('package:docs/b.md: no such file');
  });
});
