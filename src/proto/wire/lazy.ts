import type { MessageType } from '../message-type.js';
import { Reader } from './reader.js';
import { skimMessage } from './skim.js';

/**
 * A submessage that is validated on arrival and decoded on first use. gRPC needs the metadata of endpoints only if
 * certain switches are on, and it is the larger part of many resources. Stores offsets, because even a view of the
 * bytes would cost more than the validation.
 */
export class Lazy<T> {
  private readonly bytes: Uint8Array;
  private readonly from: number;
  private readonly to: number;
  /** An earlier occurrence of the field, into which this one is merged. */
  private readonly before: Lazy<T> | undefined;

  constructor(bytes: Uint8Array, from: number, to: number, before: Lazy<T> | undefined) {
    this.bytes = bytes;
    this.from = from;
    this.to = to;
    this.before = before;
  }

  get(type: MessageType<T>): T {
    const reader = new Reader(this.bytes.subarray(this.from, this.to));
    return type.read(reader, this.before?.get(type) ?? type.create());
  }
}

export function readLazy<T>(reader: Reader, before: Lazy<T> | undefined, table: number): Lazy<T> {
  const stop = reader.delimited();
  const lazy = new Lazy(reader.bytes, reader.pos, stop, before);
  skimMessage(reader, stop, table);
  return lazy;
}
