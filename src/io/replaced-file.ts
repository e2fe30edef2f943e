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
import { UsageError } from '../base/failure.js';
import { InputProblem } from '../base/input-problem.js';
import type { CliEnvironment } from './environment.js';
import { reason } from './file-problem.js';

/** Only the owner can read a file with secrets. The umask restricts other files, as that of any other report. */
const WITH_SECRETS = 0o600;
const WITHOUT_SECRETS = 0o666;

/** Text is written in pieces of this length. */
const PIECE_LENGTH = 1024 * 1024;

/** The flag that names a file. */
export interface FileFlag {
  /** `--html` */
  flag: string;
  /** What to use instead of `-`. */
  forStdout?: string;
  hasSecrets: boolean;
}

/** The file of a flag. It replaces an existing file only when it is complete: it is in a temporary file until then. */
export class ReplacedFile {
  readonly #flag: string;
  readonly #path: string;
  readonly #mode: number;
  /** Undefined for a pipe or a device, which is written directly. */
  readonly #temporary: string | undefined;
  readonly #env: Pick<CliEnvironment, 'atExit'>;

  /** Reports a wrong path before the command connects. */
  constructor(path: string, { flag, forStdout, hasSecrets }: FileFlag, env: Pick<CliEnvironment, 'atExit'>) {
    if (path === '' || path === '-') {
      throw new UsageError(`${flag} requires a file name${forStdout === undefined ? '' : `; ${forStdout}`}`);
    }
    this.#flag = flag;
    this.#env = env;
    let mode = hasSecrets ? WITH_SECRETS : WITHOUT_SECRETS;
    try {
      const found = statSync(path, { throwIfNoEntry: false });
      if (found?.isDirectory()) throw new Error('it is a folder');
      // Replaces the file that a link refers to, not the link.
      this.#path = found === undefined ? path : realpathSync(path);
      const isDevice = found !== undefined && !found.isFile();
      accessSync(isDevice ? this.#path : dirname(this.#path), constants.W_OK);
      this.#temporary = isDevice ? undefined : join(dirname(this.#path), `.${basename(this.#path)}.${process.pid}.tmp`);
      // A new version of a file is as readable as the old one.
      if (found?.isFile() && !hasSecrets) mode = found.mode & 0o777;
    } catch (error) {
      const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
      throw new InputProblem(`${flag} ${path}: cannot be written: ${isMissing ? 'no such folder' : reason(error)}`);
    }
    this.#mode = mode;
  }

  /** Writes the file and returns its size. */
  async write(parts: Iterable<string> | AsyncIterable<Uint8Array>): Promise<number> {
    const forget = this.#env.atExit(() => this.#removeTemporary());
    try {
      const file = openSync(this.#temporary ?? this.#path, 'w', this.#mode);
      let size: number;
      try {
        size = await writeParts(file, Symbol.iterator in parts ? pieces(parts) : parts);
      } finally {
        closeSync(file);
      }
      if (this.#temporary !== undefined) renameSync(this.#temporary, this.#path);
      return size;
    } catch (error) {
      this.#removeTemporary();
      throw new InputProblem(`${this.#flag} ${this.#path}: cannot be written: ${reason(error)}`);
    } finally {
      forget();
    }
  }

  #removeTemporary(): void {
    if (this.#temporary !== undefined) rmSync(this.#temporary, { force: true });
  }
}

async function writeParts(file: number, parts: Iterable<Uint8Array> | AsyncIterable<Uint8Array>): Promise<number> {
  let size = 0;
  for await (const bytes of parts) {
    for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
    size += bytes.length;
    // Ctrl-C ends the program while a large file is written.
    await new Promise(setImmediate);
  }
  return size;
}

function* pieces(parts: Iterable<string>): Iterable<Buffer> {
  let piece = '';
  for (const part of parts) {
    piece += part;
    if (piece.length < PIECE_LENGTH) continue;
    yield Buffer.from(piece);
    piece = '';
  }
  yield Buffer.from(piece);
}
