import {
  accessSync,
  closeSync,
  constants,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { UsageError } from '../../base/failure.js';
import { InputProblem } from '../../base/input-problem.js';
import type { CliEnvironment } from '../environment.js';
import { reason } from '../file-problem.js';

/** Only the owner can read a page with secrets. The umask restricts other pages, as that of any other report. */
const WITH_SECRETS = 0o600;
const WITHOUT_SECRETS = 0o666;

/** Text is written in pieces of this length. */
const PIECE_LENGTH = 1024 * 1024;

/** The file of `--html`. A page replaces an existing file only when it is complete: it is in a temporary file until then. */
export class PageFile {
  readonly #path: string;
  readonly #mode: number;
  /** Undefined for a pipe or a device, which is written directly. */
  readonly #temporary: string | undefined;
  readonly #env: Pick<CliEnvironment, 'atExit'>;

  /** Reports a wrong path before the command connects. */
  constructor(path: string, hasSecrets: boolean, env: Pick<CliEnvironment, 'atExit'>) {
    if (path === '' || path === '-') throw new UsageError('--html requires a file name; -o html writes to stdout');
    this.#env = env;
    this.#mode = hasSecrets ? WITH_SECRETS : WITHOUT_SECRETS;
    try {
      const found = statSync(path, { throwIfNoEntry: false });
      if (found?.isDirectory()) throw new Error('it is a folder');
      // Replaces the file that a link refers to, not the link.
      this.#path = found === undefined ? path : realpathSync(path);
      const isDevice = found !== undefined && !found.isFile();
      accessSync(isDevice ? this.#path : dirname(this.#path), constants.W_OK);
      this.#temporary = isDevice ? undefined : join(dirname(this.#path), `.${basename(this.#path)}.${process.pid}.tmp`);
      // A new version of a file is as readable as the old one.
      if (found?.isFile() && !hasSecrets) this.#mode = found.mode & 0o777;
    } catch (error) {
      const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
      throw new InputProblem(`--html ${path}: cannot be written: ${isMissing ? 'no such folder' : reason(error)}`);
    }
  }

  async write(parts: Iterable<string>): Promise<void> {
    const forget = this.#env.atExit(() => this.#removeTemporary());
    try {
      const file = openSync(this.#temporary ?? this.#path, 'w', this.#mode);
      try {
        await writeParts(file, parts);
      } finally {
        closeSync(file);
      }
      if (this.#temporary !== undefined) renameSync(this.#temporary, this.#path);
    } catch (error) {
      this.#removeTemporary();
      throw new InputProblem(`--html ${this.#path}: cannot be written: ${reason(error)}`);
    } finally {
      forget();
    }
  }

  #removeTemporary(): void {
    if (this.#temporary !== undefined) rmSync(this.#temporary, { force: true });
  }
}

async function writeParts(file: number, parts: Iterable<string>): Promise<void> {
  let piece = '';
  for (const part of parts) {
    piece += part;
    if (piece.length < PIECE_LENGTH) continue;
    writeAll(file, piece);
    piece = '';
    // Ctrl-C ends the program while a large page is written.
    await new Promise(setImmediate);
  }
  writeAll(file, piece);
}

function writeAll(file: number, text: string): void {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
}
