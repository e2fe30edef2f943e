import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

/** A module of the command line in a pack. */
export interface PackedModule {
  /** A function expression with the parameters of a CommonJS module. */
  source: string;
  /** Code that V8 has compiled from the source; empty if there is none. Valid until the next module is read. */
  compiled: Uint8Array;
}

/** The first line of a pack, as JSON. The modules follow, each as its source and its compiled code. */
export interface PackHeader {
  /** The build of Node that compiled the code: another one cannot use it. */
  node: string;
  /** The size of the whole file. */
  size: number;
  /** The lengths of source and compiled code by name, in the order of the file. */
  modules: Readonly<Record<string, readonly [number, number]>>;
}

/** The length of the first line, padded with spaces, so that one read is enough. */
export const HEADER_BYTES = 32 * 1024;

/** Compiled code depends on the version of V8 with Node's patches, and on the machine. */
export function nodeBuild(): string {
  return `${process.versions.v8} ${process.platform} ${process.arch}`;
}

/** A file with all modules of the command line and the code that V8 compiled from them. */
export class CodePack {
  readonly #descriptor: number;
  readonly #places = new Map<string, { at: number; source: number; compiled: number }>();
  #buffer: Buffer;

  /** Returns undefined if there is no pack for this build of Node, or if it is damaged. */
  static open(path: string): CodePack | undefined {
    let descriptor: number | undefined;
    try {
      descriptor = openSync(path, 'r');
      const buffer = Buffer.allocUnsafe(HEADER_BYTES);
      readSync(descriptor, buffer, 0, HEADER_BYTES, 0);
      const header = JSON.parse(buffer.toString('latin1')) as PackHeader;
      if (header.node === nodeBuild() && header.size === fstatSync(descriptor).size)
        return new CodePack(descriptor, header, buffer);
    } catch {
      // Without a pack, the command line loads its modules one by one.
    }
    if (descriptor !== undefined) closeSync(descriptor);
    return undefined;
  }

  private constructor(descriptor: number, { modules }: PackHeader, buffer: Buffer) {
    this.#descriptor = descriptor;
    this.#buffer = buffer;
    let at = HEADER_BYTES;
    for (const [name, [source, compiled]] of Object.entries(modules)) {
      this.#places.set(name, { at, source, compiled });
      at += source + compiled;
    }
  }

  get names(): string[] {
    return [...this.#places.keys()];
  }

  /** Undefined if the pack does not contain the module. */
  read(name: string): PackedModule | undefined {
    const place = this.#places.get(name);
    if (place === undefined) return undefined;
    const length = place.source + place.compiled;
    if (this.#buffer.length < length) this.#buffer = Buffer.allocUnsafe(2 * length);
    readSync(this.#descriptor, this.#buffer, 0, length, place.at);
    return {
      source: this.#buffer.toString('utf8', 0, place.source),
      compiled: this.#buffer.subarray(place.source, length),
    };
  }
}
