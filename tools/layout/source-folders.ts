import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** docs/architecture.md describes each folder in one sentence; more of them are hard to remember. */
const MAX_FOLDERS = 16;

/** Returns an error message if there are too many folders directly below src. */
export function tooManyFolders(root: string): string | undefined {
  const folders = readdirSync(join(root, 'src'), { withFileTypes: true }).filter((entry) => entry.isDirectory());
  if (folders.length <= MAX_FOLDERS) return undefined;
  const names = folders.map(({ name }) => name).sort();
  return `src has ${folders.length} folders, at most ${MAX_FOLDERS} are allowed: ${names.join(', ')}`;
}
