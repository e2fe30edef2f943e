import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The commit of a ref, or undefined if git does not know the ref. */
export function commitOf(root: string, ref: string): string | undefined {
  const { status, stdout } = spawnSync(
    'git',
    ['rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`],
    { cwd: root, encoding: 'utf8' },
  );
  return status === 0 ? stdout.trim() : undefined;
}

/** The sources of another commit in a git worktree outside of this checkout. */
export class OtherTree {
  readonly folder: string;
  readonly #root: string;

  constructor(root: string, commit: string) {
    this.#root = root;
    this.folder = join(mkdtempSync(join(tmpdir(), 'xds-inspect-against-')), 'tree');
    run('git', ['worktree', 'add', '--quiet', '--detach', this.folder, commit], root);
  }

  /** Uses the packages of this checkout if both trees lock the same versions: installing takes longer than the build. */
  build(): void {
    const [here, there] = [this.#root, this.folder].map((tree) =>
      readFileSync(join(tree, 'package-lock.json'), 'utf8'),
    );
    if (here === there)
      symlinkSync(realpathSync(join(this.#root, 'node_modules')), join(this.folder, 'node_modules'), 'dir');
    else run('npm', ['ci', '--no-audit', '--no-fund', '--silent'], this.folder);
    run('npm', ['run', '--silent', 'build'], this.folder);
  }

  remove(): void {
    spawnSync('git', ['worktree', 'remove', '--force', this.folder], { cwd: this.#root });
    rmSync(join(this.folder, '..'), { recursive: true, force: true });
  }
}

function run(command: string, args: readonly string[], cwd: string): void {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd, encoding: 'utf8' });
  if (error) throw error;
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${status} in ${cwd}:\n${stdout}${stderr}`);
}
