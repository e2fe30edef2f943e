import { existsSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const LIBRARIES = '/usr/lib';

/** The library that fakes the clock of a process; undefined if it is not installed. */
export function fakeTimeLibrary(): string | undefined {
  if (!existsSync(LIBRARIES)) return undefined;
  return readdirSync(LIBRARIES)
    .map((folder) => join(LIBRARIES, folder, 'faketime/libfaketimeMT.so.1'))
    .find((path) => existsSync(path));
}

/** The wall clock of a process, which can be stepped while the process runs. Its monotonic clock is not changed. */
export class FakeClock {
  readonly #library: string;
  readonly #file: string;

  constructor(library: string, folder: string, name: string) {
    this.#library = library;
    this.#file = join(folder, `${name}.clock`);
    this.step(0);
  }

  get env(): NodeJS.ProcessEnv {
    return {
      LD_PRELOAD: this.#library,
      FAKETIME_TIMESTAMP_FILE: this.#file,
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      FAKETIME_NO_CACHE: '1',
      // Without it, a killed process leaves files in /dev/shm.
      FAKETIME_DISABLE_SHM: '1',
    };
  }

  /** Sets the difference to the real time. The library reads the file at any time, so it is replaced at once. */
  step(seconds: number): void {
    const next = `${this.#file}.next`;
    writeFileSync(next, `${seconds < 0 ? '' : '+'}${seconds}\n`);
    renameSync(next, this.#file);
  }

  remove(): void {
    rmSync(this.#file, { force: true });
  }
}
