import { watch } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { SourceFile } from '../scenario/read-resource-files.js';

/** Editors write a file in several steps; this long after the last one it is read. */
const SETTLE_MS = 100;

const RESOURCE_FILE = /\.(ya?ml|json)$/i;

/**
 * The files below a folder whose names fit, in the order of their paths. What begins with a dot is passed over: version
 * control, and the folders behind a mounted ConfigMap, whose files appear under their own names as links.
 * Throws what the file system says.
 */
export async function filesBelow(folder: string, fitting: RegExp): Promise<string[]> {
  const files: string[] = [];
  for (const name of (await readdir(folder)).sort()) {
    const path = join(folder, name);
    if (name.startsWith('.')) continue;
    const found = await stat(path);
    if (found.isDirectory()) files.push(...(await filesBelow(path, fitting)));
    else if (found.isFile() && fitting.test(name)) files.push(path);
  }
  return files;
}

/** All resource files below a folder with their texts. */
export async function readDirectory(folder: string): Promise<SourceFile[]> {
  const paths = await filesBelow(folder, RESOURCE_FILE);
  return await Promise.all(paths.map(async (path) => ({ path, text: await readFile(path, 'utf8') })));
}

/** Calls back when something below the folder has changed; the function returned stops that. */
export function watchDirectory(folder: string, onChange: () => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  const watcher = watch(folder, { recursive: true }, () => {
    clearTimeout(timer);
    timer = setTimeout(onChange, SETTLE_MS);
  });
  watcher.on('error', onChange);
  return () => {
    clearTimeout(timer);
    watcher.close();
  };
}
