import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { MAX_FOLDER_DEPTH } from '../../src/base/limits.js';
import { walkFolder } from '../../src/io/folder-walk.js';

const roots: string[] = [];
afterAll(() => {
  for (const root of roots) rmSync(root, { recursive: true, force: true });
});

/** A folder with files (`path: text`) and links (`path: { link: target }`). */
function folderOf(entries: Record<string, string | { link: string }>): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'xds-inspect-walk-')));
  roots.push(root);
  for (const [path, content] of Object.entries(entries)) {
    mkdirSync(join(root, dirname(path)), { recursive: true });
    if (typeof content === 'string') writeFileSync(join(root, path), content);
    else symlinkSync(content.link, join(root, path));
  }
  return root;
}

async function walked(root: string): Promise<{ files: string[]; folders: string[]; problems: string[] }> {
  const { files, folders, problems } = await walkFolder(root, /\.yaml$/);
  return {
    files: files.map((path) => relative(root, path)),
    folders: folders.map((path) => relative(root, path)),
    problems: problems.map(({ path, problem }) => `${relative(root, path)}: ${problem}`),
  };
}

describe('the files below a folder', () => {
  it('are found once if packages link to each other, in work proportional to their number', async () => {
    const names = Array.from({ length: 9 }, (_, i) => `p${i}`);
    const links = names.flatMap((from) =>
      names.filter((to) => to !== from).map((to) => [`${from}/deps/${to}`, { link: `../../${to}` }] as const),
    );
    const root = folderOf({
      ...Object.fromEntries(names.map((name) => [`${name}/a.yaml`, 'a'])),
      ...Object.fromEntries(links),
    });
    const { files, folders, problems } = await walked(root);
    expect(files).toEqual(names.map((name) => `${name}/a.yaml`));
    expect(folders).toHaveLength(1 + 2 * names.length);
    expect(problems).toEqual([]);
  });

  const CASES: [title: string, entries: Parameters<typeof folderOf>[0], files: string[]][] = [
    [
      'are sorted by the names in their paths',
      { 'b.yaml': '', 'a/z.yaml': '', 'a.b/c.yaml': '', 'notes.txt': '' },
      ['a/z.yaml', 'a.b/c.yaml', 'b.yaml'],
    ],
    ['have the path without links, if there is one', { 'a/link': { link: '../z' }, 'z/x.yaml': '' }, ['z/x.yaml']],
    [
      'have the first path by name, if all contain links',
      { 'm/b': { link: '../.hidden' }, 'm/a': { link: '../.hidden' }, '.hidden/x.yaml': '' },
      ['m/a/x.yaml'],
    ],
    ['are found through a link to a parent only once', { 'a/up': { link: '..' }, 'a/x.yaml': '' }, ['a/x.yaml']],
    ['are listed once if a link names the same file', { 'a.yaml': { link: 'b.yaml' }, 'b.yaml': '' }, ['b.yaml']],
    [
      'include the files of a mounted ConfigMap',
      { '..1/a.yaml': '', '..data': { link: '..1' }, 'a.yaml': { link: '..data/a.yaml' } },
      ['a.yaml'],
    ],
    [
      'include links without a target, whose reader reports them',
      { 'gone.yaml': { link: 'nowhere' }, gone: { link: 'nowhere' }, 'loop.yaml': { link: 'loop.yaml' } },
      ['gone.yaml', 'loop.yaml'],
    ],
  ];
  it.each(CASES)('%s', async (_, entries, files) => {
    const found = await walked(folderOf(entries));
    expect(found).toMatchObject({ files, problems: [] });
  });

  it('are read to a limited depth, with a message', async () => {
    const path = (depth: number): string => `${'d/'.repeat(depth)}x.yaml`;
    const root = folderOf({ [path(MAX_FOLDER_DEPTH)]: '', [path(MAX_FOLDER_DEPTH + 1)]: '' });
    const { files, problems } = await walked(root);
    expect(files).toEqual([path(MAX_FOLDER_DEPTH)]);
    expect(problems).toEqual([`${dirname(path(MAX_FOLDER_DEPTH + 1))}: more than 100 folders deep`]);
  });

  it.skipIf(process.getuid?.() === 0)(
    'are read although another folder is not readable, which is reported',
    async () => {
      const root = folderOf({ 'a/x.yaml': '', 'b/y.yaml': '' });
      chmodSync(join(root, 'a'), 0);
      expect(await walked(root)).toMatchObject({
        files: ['b/y.yaml'],
        problems: ['a: cannot be read: permission denied'],
      });
      chmodSync(join(root, 'a'), 0o700);
    },
  );

  it('are reported as unreadable if the folder does not exist', async () => {
    const root = folderOf({});
    expect(await walkFolder(join(root, 'none'), /x/)).toMatchObject({
      files: [],
      problems: [{ path: join(root, 'none'), problem: 'cannot be read: no such file' }],
    });
  });
});
