import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

export const PEERS = import.meta.dirname;

/** The folder in which peers are installed and built: outside of the source tree, and kept between runs. */
export function cacheFolder(...parts: string[]): string {
  const base = process.env.XDG_CACHE_HOME || join(homedir(), '.cache');
  const folder = join(base, 'xds-inspect-interop', ...parts);
  mkdirSync(folder, { recursive: true });
  return folder;
}

/** A short hash of the contents of these files: a new hash requires a new installation. */
export function fingerprint(...files: string[]): string {
  const hash = createHash('sha256');
  for (const file of files) hash.update(readFileSync(file));
  return hash.digest('hex').slice(0, 12);
}
