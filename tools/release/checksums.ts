import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The lines that `sha256sum --check` reads. */
export function checksums(folder: string, names: readonly string[]): string {
  const hash = (name: string): string =>
    createHash('sha256')
      .update(readFileSync(join(folder, name)))
      .digest('hex');
  return names.map((name) => `${hash(name)}  ${name}\n`).join('');
}
