import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ReplacedFile } from '../../src/io/replaced-file.js';
import { temporaryFolder } from '../support/clean-up.js';

const FLAG = { flag: '--bundle', hasSecrets: false };

/** An existing file, and the callbacks that run when the process ends. */
function existing() {
  const folder = temporaryFolder();
  const path = join(folder, 'out.tgz');
  writeFileSync(path, 'old');
  const atExit = new Set<() => void>();
  const env = {
    atExit: (restore: () => void) => {
      atExit.add(restore);
      return () => atExit.delete(restore);
    },
  };
  return { path, file: new ReplacedFile(path, FLAG, env), names: () => readdirSync(folder), atExit };
}

describe('a file that replaces another', () => {
  it('is in place only when it is complete', async () => {
    const { path, file, names, atExit } = existing();
    const seen: unknown[] = [];
    const parts = async function* (): AsyncGenerator<Buffer> {
      yield Buffer.from('new ');
      seen.push(readFileSync(path, 'utf8'), names().length, atExit.size);
      yield Buffer.from('contents');
    };
    expect(await file.write(parts())).toBe(12);
    expect(seen).toEqual(['old', 2, 1]);
    expect([readFileSync(path, 'utf8'), names(), atExit.size]).toEqual(['new contents', ['out.tgz'], 0]);
  });

  it('leaves the old one, and no other, if its contents fail', async () => {
    const { path, file, names, atExit } = existing();
    const parts = async function* (): AsyncGenerator<Buffer> {
      yield Buffer.from('new');
      throw new Error('no space left');
    };
    await expect(file.write(parts())).rejects.toThrow(`--bundle ${path}: cannot be written: no space left`);
    expect([readFileSync(path, 'utf8'), names(), atExit.size]).toEqual(['old', ['out.tgz'], 0]);
  });

  it('leaves the old one, and no other, if the process ends meanwhile', async () => {
    const { path, file, names, atExit } = existing();
    const parts = async function* (): AsyncGenerator<Buffer> {
      yield Buffer.from('new');
      for (const restore of atExit) restore();
      expect([readFileSync(path, 'utf8'), names()]).toEqual(['old', ['out.tgz']]);
      throw new Error('the process has ended');
    };
    await expect(file.write(parts())).rejects.toThrow('the process has ended');
  });
});
