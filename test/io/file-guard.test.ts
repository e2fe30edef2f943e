import { execFileSync } from 'node:child_process';
import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { FileGuard, guardedPath, RefusedFile, withFileGuard, withoutFileGuard } from '../../src/io/file-guard.js';
import { readInput } from '../../src/io/input-file.js';
import { resourceSources } from '../../src/io/resource-sources.js';
import { temporaryFolder } from '../support/clean-up.js';

let outside: string;
let root: string;

beforeAll(() => {
  outside = realpathSync(temporaryFolder());
  root = join(outside, 'root');
  mkdirSync(join(root, 'folder/inner'), { recursive: true });
  mkdirSync(join(outside, 'root-sibling'));
  for (const file of ['secret.json', 'root-sibling/a.json', 'root/a.json', 'root/folder/b.json'])
    writeFileSync(join(outside, file), `"${file}"`);
  const links: Record<string, string> = {
    'to-secret.json': '../secret.json',
    'to-secret-absolute.json': join(outside, 'secret.json'),
    'to-parent': '..',
    'to-inner-link': 'folder/to-outside',
    'folder/to-outside': '../..',
    'to-nowhere': '../nothing',
    'to-nowhere-inside': 'nothing',
    'to-itself': 'to-itself',
    'to-a': 'a.json',
    'to-folder': 'folder',
    'to-root': '../root',
    'to-device': '/dev/zero',
  };
  for (const [name, target] of Object.entries(links)) symlinkSync(target, join(root, name));
  execFileSync('mkfifo', [join(root, 'pipe.json')]);
});

const resolved = (path: string): string => withFileGuard(new FileGuard(root), () => guardedPath(path));

describe('a guarded task', () => {
  it.each([
    ['a.json', 'a.json'],
    ['./folder/../a.json', 'a.json'],
    ['folder/b.json', 'folder/b.json'],
    ['.', ''],
    ['', ''],
    ['to-a', 'a.json'],
    ['to-folder/b.json', 'folder/b.json'],
    ['to-root/a.json', 'a.json'],
  ])('opens %j below the root', (path, real) => {
    expect(resolved(path)).toBe(join(root, real));
    expect(resolved(join(root, path))).toBe(join(root, real));
  });

  it.each([
    ['../secret.json', 'it is outside'],
    ['..', 'it is outside'],
    ['folder/../../secret.json', 'it is outside'],
    ['../root-sibling/a.json', 'it is outside'],
    ['/etc/passwd', 'it is outside'],
    ['/', 'it is outside'],
    ['../nothing', 'it is outside'],
    ['to-secret.json', 'the link to-secret.json leads nowhere, or outside'],
    ['to-secret-absolute.json', 'the link'],
    ['to-parent', 'the link'],
    ['to-parent/secret.json', 'the link'],
    ['to-parent/nothing', 'the link'],
    ['to-inner-link/secret.json', 'the link'],
    ['folder/to-outside/root/a.json', 'the link folder/to-outside'],
    ['to-nowhere', 'the link'],
    ['to-nowhere-inside', 'the link'],
    ['to-itself', 'the link'],
    ['to-device', 'the link'],
    ['pipe.json', 'it is neither a regular file nor a folder'],
    ['a.json\0', 'it contains a NUL character'],
    ['-', 'stdin is not available'],
  ])('refuses %j', (path, reason) => {
    expect(() => resolved(path)).toThrow(RefusedFile);
    expect(() => resolved(path)).toThrow(reason);
  });

  it('tells nothing about a path below a link that leads outside', () => {
    const reasons = ['to-parent/secret.json', 'to-parent/nothing', 'to-parent/root/nothing/x'].map((path) => {
      try {
        return resolved(path);
      } catch (error) {
        return (error as Error).message;
      }
    });
    expect(new Set(reasons).size).toBe(1);
  });

  it('reports a missing file below the root as the file system does', () => {
    expect(() => resolved('nothing.json')).toThrow('ENOENT');
  });

  it('reads only what it may open, also after it has waited', async () => {
    const guard = new FileGuard(root);
    const read = (path: string): Promise<string> =>
      withFileGuard(guard, async () => {
        await new Promise(setImmediate);
        return (await readInput(path, 1000)).toString();
      });
    expect(await read('a.json')).toBe('"root/a.json"');
    await expect(read('to-secret.json')).rejects.toThrow('outside');
    await expect(read('pipe.json')).rejects.toThrow('regular');
  });

  it('reads the files of the user without the guard', () => {
    const guard = new FileGuard(root);
    expect(withFileGuard(guard, () => withoutFileGuard(() => guardedPath('../secret.json')))).toBe('../secret.json');
  });

  it('reads a folder without the links that lead outside, and reports them', async () => {
    const found = await withFileGuard(new FileGuard(root), async () => {
      const all: Record<string, string> = {};
      for await (const read of resourceSources('.', async () => new Uint8Array()))
        all[read.source] = 'bytes' in read ? new TextDecoder().decode(read.bytes) : read.problem;
      return all;
    });
    expect(Object.values(found).join()).not.toContain('secret.json"');
    expect(found).toMatchObject({
      'a.json': '"root/a.json"',
      'folder/b.json': '"root/folder/b.json"',
      'to-secret.json': expect.stringContaining('outside the root folder'),
      'to-parent': expect.stringContaining('outside the root folder'),
    });
  });
});

it('opens any path without a guard', () => {
  expect(guardedPath('../secret.json')).toBe('../secret.json');
});
