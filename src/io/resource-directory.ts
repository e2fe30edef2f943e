import { type FSWatcher, readdirSync, realpathSync, statSync, watch } from 'node:fs';
import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { SourceFile } from '../scenario/read-resource-files.js';

/** Editors write a file in several steps; this long after the last one it is read. */
const SETTLE_MS = 100;

const RESOURCE_FILE = /\.(ya?ml|json)$/i;

/**
 * The files below a folder whose names fit, in the order of their paths. What begins with a dot is ignored: version
 * control, and the folders behind a mounted ConfigMap, whose files appear under their own names as links. So is a link to
 * a folder that it is in. Throws what the file system says.
 */
export async function filesBelow(folder: string, fitting: RegExp, above: readonly string[] = []): Promise<string[]> {
  const real = await realpath(folder);
  if (above.includes(real)) return [];
  const files: string[] = [];
  for (const name of (await readdir(folder)).sort()) {
    const path = join(folder, name);
    if (name.startsWith('.')) continue;
    const found = await stat(path);
    if (found.isDirectory()) files.push(...(await filesBelow(path, fitting, [...above, real])));
    else if (found.isFile() && fitting.test(name)) files.push(path);
  }
  return files;
}

/** All resource files below a folder with their texts. */
export async function readDirectory(folder: string): Promise<SourceFile[]> {
  const paths = await filesBelow(folder, RESOURCE_FILE);
  return await Promise.all(paths.map(async (path) => ({ path, text: await readFile(path, 'utf8') })));
}

/**
 * Calls back when something below the folder has changed; the function returned stops that. Every folder is watched by
 * itself: where Node watches a whole tree on Linux, it loses sight of a file that has been replaced once.
 */
export function watchDirectory(folder: string, onChange: () => void): () => void {
  let watchers: FSWatcher[] = [];
  let timer: NodeJS.Timeout | undefined;
  const changed = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      rewatch();
      onChange();
    }, SETTLE_MS);
  };
  // Folders come and go, and one of the same name may be another.
  const rewatch = (): void => {
    const before = watchers;
    watchers = [folder, ...foldersBelow(folder)].flatMap((path) => watchOne(path, changed) ?? []);
    for (const watcher of before) watcher.close();
  };
  rewatch();
  return () => {
    clearTimeout(timer);
    for (const watcher of watchers) watcher.close();
  };
}

/** Nothing, where it is gone by now: then whoever holds it has changed as well. */
function watchOne(path: string, onChange: () => void): FSWatcher | undefined {
  try {
    return watch(path, onChange).on('error', onChange);
  } catch {
    return undefined;
  }
}

function foldersBelow(folder: string, above: readonly string[] = []): string[] {
  try {
    const real = realpathSync(folder);
    if (above.includes(real)) return [];
    return readdirSync(folder)
      .filter((name) => !name.startsWith('.'))
      .map((name) => join(folder, name))
      .filter((path) => statSync(path, { throwIfNoEntry: false })?.isDirectory())
      .flatMap((path) => [path, ...foldersBelow(path, [...above, real])]);
  } catch {
    return [];
  }
}
