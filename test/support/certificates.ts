import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export { type Issued, TestAuthority } from '../../tools/faults/tls/certificate-authority.js';

/** Writes texts into files of a new folder; returns their paths by name. */
export function filesOf<T extends string>(texts: Record<T, string>): Record<T | 'folder', string> {
  const folder = mkdtempSync(join(tmpdir(), 'xds-inspect-tls-'));
  const paths = Object.entries(texts).map(([name, text]) => {
    const path = join(folder, name);
    writeFileSync(path, text as string);
    return [name, path];
  });
  return { ...Object.fromEntries(paths), folder };
}
