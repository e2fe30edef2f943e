import { AsyncLocalStorage } from 'node:async_hooks';
import { lstatSync, realpathSync, type Stats } from 'node:fs';
import { join, resolve, sep } from 'node:path';
import { UnsuitableFile } from './unsuitable-file.js';

/** A file that a guarded task may not open. */
export class RefusedFile extends UnsuitableFile {}

/** Limits the files that a task can open to those below a folder. Relative paths start there. */
export class FileGuard {
  readonly #root: string;

  /** `root` is a real path. */
  constructor(root: string) {
    this.#root = root;
  }

  /** The path to open: without symbolic links, below the root, of a regular file or a folder. */
  resolve(path: string): string {
    if (path === '-') throw new RefusedFile('stdin is not available');
    if (path.includes('\0')) throw new RefusedFile('it contains a NUL character');
    const lexical = resolve(this.#root, path);
    if (!this.#contains(lexical)) throw new RefusedFile(this.#outside('it is'));
    let real = this.#root;
    for (const name of lexical.slice(this.#root.length).split(sep).filter(Boolean)) real = this.#enter(real, name);
    return real;
  }

  /** One folder at a time: a path must not tell whether something outside exists. */
  #enter(folder: string, name: string): string {
    const path = join(folder, name);
    const found = lstatSync(path);
    if (!found.isSymbolicLink()) return mustBeOrdinary(path, found);
    let target: string;
    try {
      target = realpathSync(path);
    } catch {
      throw new RefusedFile(this.#link(path));
    }
    if (!this.#contains(target)) throw new RefusedFile(this.#link(path));
    return mustBeOrdinary(target, lstatSync(target));
  }

  #contains(path: string): boolean {
    return path === this.#root || path.startsWith(this.#root.endsWith(sep) ? this.#root : `${this.#root}${sep}`);
  }

  #link(path: string): string {
    return this.#outside(`the link ${path.slice(this.#root.length + 1)} leads nowhere, or`);
  }

  #outside(what: string): string {
    return `${what} outside the root folder ${this.#root}`;
  }
}

/** Opening a pipe or a device may block, or have an effect. */
function mustBeOrdinary(path: string, found: Stats): string {
  if (found.isFile() || found.isDirectory()) return path;
  throw new RefusedFile('it is neither a regular file nor a folder');
}

/** Created on first use: most commands have no guard. */
let active: AsyncLocalStorage<FileGuard | undefined> | undefined;

/** Runs a task whose input comes from a program, not from the user. */
export function withFileGuard<T>(guard: FileGuard, task: () => T): T {
  active ??= new AsyncLocalStorage();
  return active.run(guard, task);
}

/**
 * Reads files that the user has chosen, also in a guarded task: a bootstrap to connect with, its certificates and keys, and the
 * file with the contexts.
 */
export function withoutFileGuard<T>(task: () => T): T {
  return active === undefined ? task() : active.run(undefined, task);
}

/** The path to open in place of this one. Throws a RefusedFile, or the error of the file system. */
export function guardedPath(path: string): string {
  return active?.getStore()?.resolve(path) ?? path;
}
