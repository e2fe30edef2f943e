import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The manual pages in the package, by their paths below docs: `findings/XI204.md`. */
export function loadManual({ packageRoot }: { packageRoot: string }): Map<string, string> {
  const folder = join(packageRoot, 'docs');
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => path.endsWith('.md'));
  return new Map(paths.sort().map((path) => [path, readFileSync(join(folder, path), 'utf8')]));
}
