import { closeSync, openSync, readSync, writeSync } from 'node:fs';

/** The number of the current case, how many cases have begun, and the inputs of those that have ended. */
export interface Progress {
  case: number;
  begun: number;
  inputs: number;
}

const BYTES = 3 * 8;

/** Progress of a child process that stays readable when the child is busy or dead: a file that it writes at once. */
export class ProgressFile {
  readonly #file: number;
  readonly #numbers = new Float64Array(3);
  readonly #bytes = new Uint8Array(this.#numbers.buffer);

  constructor(path: string, mode: 'r' | 'w+') {
    this.#file = openSync(path, mode);
  }

  write({ case: number, begun, inputs }: Progress): void {
    this.#numbers.set([number, begun, inputs]);
    writeSync(this.#file, this.#bytes, 0, BYTES, 0);
  }

  read(): Progress {
    readSync(this.#file, this.#bytes, 0, BYTES, 0);
    const [number = 0, begun = 0, inputs = 0] = this.#numbers;
    return { case: number, begun, inputs };
  }

  close(): void {
    closeSync(this.#file);
  }
}
