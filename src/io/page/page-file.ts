import { chmodSync, closeSync, openSync, realpathSync, renameSync, rmSync, statSync, writeSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { UsageError } from '../../base/failure.js';
import { InputProblem } from '../../base/input-problem.js';
import type { CliEnvironment } from '../environment.js';
import { reason } from '../file-problem.js';

/** Only the owner can read a page with secrets. */
const PRIVATE = 0o600;
const PUBLIC = 0o666;

/** Text is written in pieces of this length. */
const PIECE_LENGTH = 1024 * 1024;

/**
 * The file of `--html`. A complete page replaces an existing file; until then the page is in a temporary file beside it.
 * Creating it before the command connects reports a wrong path at once.
 */
export class PageFile {
  readonly #path: string;
  /** Undefined for a pipe or a device, which is written directly. */
  readonly #temporary: string | undefined;
  readonly #file: number;
  readonly #forget: () => void;

  constructor(path: string, hasSecrets: boolean, env: Pick<CliEnvironment, 'atExit'>) {
    if (path === '' || path === '-') throw new UsageError('--html requires a file name; -o html writes to stdout');
    try {
      const target = existing(path);
      this.#path = target?.path ?? path;
      const name = `.${basename(this.#path)}.${process.pid}.tmp`;
      this.#temporary = target?.isRegular === false ? undefined : join(dirname(this.#path), name);
      this.#file = openSync(this.#temporary ?? this.#path, 'w', hasSecrets ? PRIVATE : PUBLIC);
      // A new version of a file is as readable as the old one.
      if (this.#temporary !== undefined && target !== undefined && !hasSecrets) chmodSync(this.#temporary, target.mode);
    } catch (error) {
      throw new InputProblem(`--html ${path}: cannot be written: ${reason(error)}`);
    }
    this.#forget = env.atExit(() => this.#remove());
  }

  /** Writes the page and closes the file. */
  async write(parts: Iterable<string>): Promise<void> {
    try {
      let piece = '';
      for (const part of parts) {
        piece += part;
        if (piece.length < PIECE_LENGTH) continue;
        this.#writeAll(piece);
        piece = '';
        // Ctrl-C ends the program while a large page is written.
        await new Promise(setImmediate);
      }
      this.#writeAll(piece);
      closeSync(this.#file);
      if (this.#temporary !== undefined) renameSync(this.#temporary, this.#path);
      this.#forget();
    } catch (error) {
      this.discard();
      throw new InputProblem(`--html ${this.#path}: cannot be written: ${reason(error)}`);
    }
  }

  /** Removes the temporary file: there will be no page. */
  discard(): void {
    this.#forget();
    this.#remove();
  }

  #writeAll(text: string): void {
    const bytes = Buffer.from(text);
    for (let at = 0; at < bytes.length; ) at += writeSync(this.#file, bytes, at);
  }

  #remove(): void {
    if (this.#temporary !== undefined) rmSync(this.#temporary, { force: true });
  }
}

/** The file that a path refers to, also by links; undefined if there is none. */
function existing(path: string): { path: string; isRegular: boolean; mode: number } | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return undefined;
  if (found.isDirectory()) throw Object.assign(new Error('it is a folder'), { code: 'EISDIR' });
  return { path: realpathSync(path), isRegular: found.isFile(), mode: found.mode & 0o777 };
}
