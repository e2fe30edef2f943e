import { closeSync, fstatSync, openSync, readSync, type Stats } from 'node:fs';

/** A module of the command line in a pack. */
export interface PackedModule {
  /** A function expression with the parameters of a CommonJS module. */
  source: string;
  /** Code that V8 has compiled from the source; empty if there is none. Valid until the next module is read. */
  compiled: Uint8Array;
}

/** The start of the module in the file, the lengths of its source and of its compiled code, and a checksum of both. */
export type PackEntry = readonly [at: number, source: number, compiled: number, checksum?: number];

/** The first line of a pack, as JSON. The modules follow, each as its source and its compiled code. */
export interface PackHeader {
  /** What the compiled code depends on. */
  key: string;
  /** The size of the whole file. */
  size: number;
  modules: Readonly<Record<string, PackEntry>>;
}

/** The length of the first line, padded with spaces, so that one read is enough. */
export const HEADER_BYTES = 32 * 1024;

/** Compiled code depends on the version of V8 with Node's patches, and on the machine. */
export function nodeBuild(): string {
  return `${process.versions.v8} ${process.platform} ${process.arch}`;
}

/** V8 does not notice damaged code. */
export function checksumOf(bytes: Uint8Array): number {
  // Loading this module takes a millisecond, which a pack of the package does not need.
  return process.getBuiltinModule('node:zlib').crc32(bytes);
}

/** A file with modules of the command line and the code that V8 compiled from them. */
export class CodePack {
  readonly #descriptor: number;
  readonly #modules: PackHeader['modules'];
  readonly #hasChecksums: boolean;
  #buffer: Buffer;

  /**
   * Returns undefined if there is no such pack, if it was written for another key, or if it is damaged.
   * @param isTrusted Decides about the file of a cache, whose modules have checksums; a pack of the package has none.
   */
  static open(path: string, key: string, isTrusted?: (file: Stats) => boolean): CodePack | undefined {
    let descriptor: number | undefined;
    try {
      descriptor = openSync(path, 'r');
      const file = fstatSync(descriptor);
      if (isTrusted?.(file) ?? true) {
        const buffer = Buffer.allocUnsafe(HEADER_BYTES);
        readSync(descriptor, buffer, 0, HEADER_BYTES, 0);
        const header = JSON.parse(buffer.toString('latin1')) as PackHeader;
        if (header.key === key && header.size === file.size && typeof header.modules === 'object')
          return new CodePack(descriptor, header, buffer, isTrusted !== undefined);
      }
    } catch {
      // Without a pack, the command line loads its modules one by one.
    }
    if (descriptor !== undefined) closeSync(descriptor);
    return undefined;
  }

  private constructor(descriptor: number, { modules }: PackHeader, buffer: Buffer, hasChecksums: boolean) {
    this.#descriptor = descriptor;
    this.#modules = modules;
    this.#hasChecksums = hasChecksums;
    this.#buffer = buffer;
  }

  get names(): string[] {
    return Object.keys(this.#modules);
  }

  /** Undefined if the pack does not contain the module, or if its bytes have changed. */
  read(name: string): PackedModule | undefined {
    if (!Object.hasOwn(this.#modules, name)) return undefined;
    const [at, source, compiled, checksum] = this.#modules[name] as PackEntry;
    const length = source + compiled;
    if (this.#buffer.length < length) this.#buffer = Buffer.allocUnsafe(2 * length);
    readSync(this.#descriptor, this.#buffer, 0, length, at);
    if (this.#hasChecksums && checksum !== checksumOf(this.#buffer.subarray(0, length))) return undefined;
    return {
      source: this.#buffer.toString('utf8', 0, source),
      compiled: this.#buffer.subarray(source, length),
    };
  }
}
