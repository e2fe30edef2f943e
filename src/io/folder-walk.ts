import type { Dirent } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { MAX_FOLDER_DEPTH, MAX_FOLDER_ENTRIES } from '../base/limits.js';
import { guardedPath, RefusedFile } from './file-guard.js';
import { reason } from './file-problem.js';

export interface FolderWalk {
  /** The files with matching names, sorted by path. */
  files: string[];
  /** The folders that were read, the first one first. */
  folders: string[];
  /** The symbolic links that were found, to files and folders. */
  links: string[];
  /** Parts of the folder that were not read, and why. */
  problems: { path: string; problem: string }[];
}

interface FolderToRead {
  path: string;
  depth: number;
}

/**
 * Finds the files below a folder with matching names. Follows symbolic links, but reads each real folder and each real
 * file once: packages that link to each other have a path for every order of their links. A path without links is
 * preferred; of several links, the first by path wins, so the result is the same on every run. Ignores names that begin
 * with a dot: version control, and the hidden folders of a mounted ConfigMap, whose files are also visible as links.
 */
export async function walkFolder(folder: string, fitting: RegExp): Promise<FolderWalk> {
  const walker = new Walker(fitting);
  await walker.run(folder);
  const { files, folders, links, problems } = walker;
  return { files: files.sort(byPath), folders, links, problems };
}

class Walker implements FolderWalk {
  readonly files: string[] = [];
  readonly folders: string[] = [];
  readonly links: string[] = [];
  readonly problems: FolderWalk['problems'] = [];
  readonly #fitting: RegExp;
  readonly #seen = new Set<string>();
  /** Links whose targets are read after everything that is reachable without them. */
  #pending: FolderToRead[] = [];
  #entries = 0;

  constructor(fitting: RegExp) {
    this.#fitting = fitting;
  }

  get #isFull(): boolean {
    return this.#entries > MAX_FOLDER_ENTRIES;
  }

  async run(folder: string): Promise<void> {
    await this.#readTree({ path: folder, depth: 0 });
    while (this.#pending.length > 0 && !this.#isFull) {
      const links = this.#pending.sort((a, b) => byPath(a.path, b.path));
      this.#pending = [];
      for (const link of links) await this.#follow(link);
    }
    if (this.#isFull) {
      const problem = `more than ${MAX_FOLDER_ENTRIES} files and folders: not all of them were read`;
      this.problems.push({ path: folder, problem });
    }
  }

  /** Reads a folder and the folders below it, without following links. */
  async #readTree(first: FolderToRead): Promise<void> {
    const open = [first];
    for (let next = open.pop(); next !== undefined && !this.#isFull; next = open.pop()) {
      const { path, depth } = next;
      if (depth > MAX_FOLDER_DEPTH) this.problems.push({ path, problem: `more than ${MAX_FOLDER_DEPTH} folders deep` });
      else open.push(...(await this.#readFolder(next)).reverse());
    }
  }

  /** Reads the entries of a folder; returns the folders in it. */
  async #readFolder({ path: folder, depth }: FolderToRead): Promise<FolderToRead[]> {
    const inner: FolderToRead[] = [];
    try {
      const real = await realpath(guardedPath(folder));
      if (!this.#isNew(real)) return [];
      const entries = await readdir(real, { withFileTypes: true });
      this.folders.push(folder);
      for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
        if (entry.name.startsWith('.')) continue;
        this.#entries++;
        if (this.#isFull) return [];
        const path = join(folder, entry.name);
        if (entry.isSymbolicLink()) this.#pending.push({ path, depth: depth + 1 });
        else if (entry.isDirectory()) inner.push({ path, depth: depth + 1 });
        else if (this.#isFile(entry) && this.#isNew(join(real, entry.name))) this.files.push(path);
      }
    } catch (error) {
      this.problems.push({ path: folder, problem: `cannot be read: ${reason(error)}` });
    }
    return inner;
  }

  async #follow(link: FolderToRead): Promise<void> {
    const { path } = link;
    this.links.push(path);
    try {
      const real = await realpath(guardedPath(path));
      const target = await stat(real);
      if (target.isDirectory()) await this.#readTree(link);
      else if (target.isFile() && this.#fitting.test(path) && this.#isNew(real)) this.files.push(path);
    } catch (error) {
      if (error instanceof RefusedFile) this.problems.push({ path, problem: `cannot be read: ${error.message}` });
      // A link without a target is a file that cannot be read, which the reader of the file reports.
      else if (this.#fitting.test(path)) this.files.push(path);
    }
  }

  #isFile(entry: Dirent): boolean {
    return entry.isFile() && this.#fitting.test(entry.name);
  }

  #isNew(real: string): boolean {
    if (this.#seen.has(real)) return false;
    this.#seen.add(real);
    return true;
  }
}

/** Compares paths name by name, so that the files of a folder stay together. */
function byPath(a: string, b: string): number {
  const [x, y] = [a.replaceAll(sep, '\0'), b.replaceAll(sep, '\0')];
  return x < y ? -1 : x > y ? 1 : 0;
}
