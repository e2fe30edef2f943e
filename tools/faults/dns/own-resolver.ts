import { spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Runs commands with another /etc/resolv.conf, in a mount namespace of their own. */
export class OwnResolver {
  readonly #file: string;

  private constructor(file: string) {
    this.#file = file;
  }

  /** Returns the reason if this machine does not permit it. */
  static create(folder: string, nameserver: string): OwnResolver | string {
    const file = join(folder, 'resolv.conf');
    writeFileSync(file, `nameserver ${nameserver}\noptions timeout:2 attempts:1\n`);
    const resolver = new OwnResolver(file);
    const { status, stderr, error } = spawnSync('unshare', [...resolver.runner.slice(1), 'true'], { encoding: 'utf8' });
    if (status === 0) return resolver;
    resolver.remove();
    return error?.message ?? stderr.trim();
  }

  /** The shell replaces itself with the command, so that signals reach the command. */
  get runner(): string[] {
    const script = 'mount --bind "$0" /etc/resolv.conf && exec "$@"';
    return ['unshare', '--mount', '--propagation', 'private', 'sh', '-c', script, this.#file];
  }

  remove(): void {
    rmSync(this.#file);
  }
}
