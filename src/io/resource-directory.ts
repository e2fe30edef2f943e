import { watch } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SourceFile } from '../scenario/read-resource-files.js';

/** Editors write a file in several steps; this long after the last one it is read. */
const SETTLE_MS = 100;

const RESOURCE_FILE = /\.(ya?ml|json)$/;

/** All resource files below a folder, in the order of their paths. Throws what the file system says. */
export async function readDirectory(folder: string): Promise<SourceFile[]> {
  const names = (await readdir(folder, { recursive: true })).filter((name) => RESOURCE_FILE.test(name)).sort();
  return Promise.all(
    names.map(async (name) => ({ path: join(folder, name), text: await readFile(join(folder, name), 'utf8') })),
  );
}

/** Calls back when something below the folder has changed; the function returned stops that. */
export function watchDirectory(folder: string, onChange: () => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  const watcher = watch(folder, { recursive: true }, () => {
    clearTimeout(timer);
    timer = setTimeout(onChange, SETTLE_MS);
  });
  watcher.on('error', () => {});
  return () => {
    clearTimeout(timer);
    watcher.close();
  };
}
