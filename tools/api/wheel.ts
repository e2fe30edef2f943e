import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PACKAGE, type Release } from './package-index.ts';

/** Downloads the wheel with pip, checks its hash, and returns the descriptors in it as a FileDescriptorSet. */
export function downloadDescriptors({ version, wheel, sha256 }: Release): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'xds-api-'));
  try {
    const what = [`${PACKAGE}==${version}`, '--only-binary', ':all:', '--no-deps', '--quiet', '--dest', folder];
    execFileSync('python3', ['-m', 'pip', 'download', ...what], { stdio: ['ignore', 'ignore', 'inherit'] });
    const file = join(folder, wheel);
    const found = createHash('sha256').update(readFileSync(file)).digest('hex');
    if (found !== sha256) throw new Error(`${wheel} has SHA-256 ${found}, PyPI lists ${sha256}`);
    return execFileSync('python3', [join(import.meta.dirname, 'descriptors.py'), file], { maxBuffer: 1 << 28 });
  } finally {
    rmSync(folder, { recursive: true });
  }
}
