import { Reader } from './reader.js';
import { skimMessage } from './skim.js';

/**
 * A submessage that is checked when it arrives and read when somebody asks: gRPC needs the metadata of endpoints only
 * with certain switches on, and it is the larger part of many resources.
 */
export class Lazy<T> {
  readonly #read: (reader: Reader, target: T) => T;
  readonly #create: () => T;
  readonly #parts: Uint8Array[] = [];

  constructor(read: (reader: Reader, target: T) => T, create: () => T) {
    this.#read = read;
    this.#create = create;
  }

  add(part: Uint8Array): void {
    this.#parts.push(part);
  }

  /** The message; occurrences of the field merge into one. */
  get(): T {
    return this.#parts.reduce((message, part) => this.#read(new Reader(part), message), this.#create());
  }
}

export function readLazy<T>(
  reader: Reader,
  current: Lazy<T> | undefined,
  read: (reader: Reader, target: T) => T,
  create: () => T,
  table: number,
): Lazy<T> {
  const lazy = current ?? new Lazy(read, create);
  const stop = reader.delimited();
  lazy.add(reader.bytes.subarray(reader.pos, stop));
  skimMessage(reader, stop, table);
  return lazy;
}
