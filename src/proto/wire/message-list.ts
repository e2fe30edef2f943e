import { Reader } from './reader.js';
import { skimMessage } from './skim.js';

/** The elements of a repeated message field: an array, or a `MessageList` if there are very many. */
export interface Repeated<T> extends Iterable<T> {
  readonly length: number;
  entries(): IterableIterator<[number, T]>;
  find(test: (element: T) => boolean): T | undefined;
  /** The result is an array: not for elements of which a hostile message can have millions. */
  map<U>(convert: (element: T, index: number) => U): U[];
}

/**
 * Elements that are checked on arrival and decoded each time they are iterated. An element can be two bytes on the wire
 * and hundreds as an object, so a message with millions of them would need more memory than the process has. Stores
 * runs of adjacent elements: most encoders write all elements of a field in one run.
 */
export class MessageList<T> implements Repeated<T> {
  length: number;
  readonly bytes: Uint8Array;
  /** The elements before those of `bytes`. */
  readonly #head: Repeated<T>;
  readonly #read: (reader: Reader, target: T) => T;
  readonly #create: () => T;
  /** The first and last offset of each run, in pairs. */
  #runs = new Uint32Array(2);
  #used = 0;

  constructor(head: Repeated<T>, bytes: Uint8Array, read: (reader: Reader, target: T) => T, create: () => T) {
    this.#head = head;
    this.bytes = bytes;
    this.#read = read;
    this.#create = create;
    this.length = head.length;
  }

  /** Adds the element between the end of its tag and `to`. */
  add(from: number, to: number): void {
    this.length++;
    if (this.#used > 0 && isOneTag(this.bytes, this.#runs[this.#used - 1] as number, from)) {
      this.#runs[this.#used - 1] = to;
      return;
    }
    if (this.#used === this.#runs.length) {
      const runs = new Uint32Array(this.#used * 2);
      runs.set(this.#runs);
      this.#runs = runs;
    }
    this.#runs[this.#used++] = from;
    this.#runs[this.#used++] = to;
  }

  *[Symbol.iterator](): IterableIterator<T> {
    yield* this.#head;
    for (let i = 0; i < this.#used; i += 2) {
      const end = this.#runs[i + 1] as number;
      for (let pos = this.#runs[i] as number; pos < end; ) {
        const reader = new Reader(this.bytes, pos);
        const stop = reader.delimited();
        reader.end = stop;
        yield this.#read(reader, this.#create());
        pos = stop < end ? afterTag(this.bytes, stop) : end;
      }
    }
  }

  *entries(): IterableIterator<[number, T]> {
    let i = 0;
    for (const element of this) yield [i++, element];
  }

  find(test: (element: T) => boolean): T | undefined {
    for (const element of this) if (test(element)) return element;
    return undefined;
  }

  map<U>(convert: (element: T, index: number) => U): U[] {
    return Array.from(this, convert);
  }
}

/** Whether the bytes are a single tag, so that the elements before and after it are adjacent. */
function isOneTag(bytes: Uint8Array, from: number, to: number): boolean {
  return from < to && afterTag(bytes, from) === to;
}

function afterTag(bytes: Uint8Array, from: number): number {
  let pos = from;
  while ((bytes[pos] as number) >= 0x80) pos++;
  return pos + 1;
}

/** Checks the next element as upb does, and leaves it to be decoded later. The tag of the element was just read. */
export function appendLater<T>(
  reader: Reader,
  list: Repeated<T>,
  read: (reader: Reader, target: T) => T,
  create: () => T,
  table: number,
): MessageList<T> {
  const from = reader.pos;
  const stop = reader.delimited();
  skimMessage(reader, stop, table);
  const isSameInput = list instanceof MessageList && list.bytes === reader.bytes;
  const target = isSameInput ? (list as MessageList<T>) : new MessageList(list, reader.bytes, read, create);
  target.add(from, stop);
  return target;
}
