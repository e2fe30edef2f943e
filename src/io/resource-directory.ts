import { type FSWatcher, readdirSync, realpathSync, statSync, watch } from 'node:fs';
import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { SourceFile } from '../scenario/read-resource-files.js';

/** Editors write a file in several steps. It is read this long after the last one. */
const SETTLE_MS = 100;

const RESOURCE_FILE = /\.(ya?ml|json)$/i;

/**
 * The files below a folder with matching names, sorted by path. Names that begin with a dot are ignored: version control,
 * and the hidden folders of a mounted ConfigMap, whose files are also visible as links. Links to a parent folder are
 * ignored too. Throws file system errors.
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

/** Reads all resource files below a folder. */
export async function readDirectory(folder: string): Promise<SourceFile[]> {
  const paths = await filesBelow(folder, RESOURCE_FILE);
  return await Promise.all(paths.map(async (path) => ({ path, text: await readFile(path, 'utf8') })));
}

/**
 * Calls back when a file below the folder changes. Returns a function that stops it. Every folder has its own watcher,
 * because Node's recursive watcher on Linux misses changes of a file that has been replaced.
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
  // Folders may have been added, removed or replaced.
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

/** Returns undefined if the folder has been removed. Then its parent reports a change. */
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
