import { cpSync, existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { run } from '../../../tools/peers/run.js';
import { ROOT } from '../../support/root.js';

/** Copies the files of the working tree that git knows or would add, without dependencies and builds. */
export async function cloneTo(folder: string): Promise<void> {
  const list = await run('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: ROOT });
  for (const file of list.split('\0').filter((name) => name !== '' && existsSync(join(ROOT, name)))) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    cpSync(join(ROOT, file), join(folder, file));
  }
}

/** Makes a folder a git repository with one commit, and returns its hash. */
export async function commitAll(folder: string): Promise<string> {
  const author = ['-c', 'user.name=Test', '-c', 'user.email=test@localhost'];
  await run('git', ['init', '--quiet'], { cwd: folder });
  await run('git', ['add', '--all'], { cwd: folder });
  await run('git', [...author, 'commit', '--quiet', '--message', 'test'], { cwd: folder });
  return (await run('git', ['rev-parse', 'HEAD'], { cwd: folder })).trim();
}
