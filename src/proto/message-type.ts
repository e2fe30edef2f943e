import { SLICE_BYTES, type Slices } from '../base/slices.js';
import { Malformed } from './wire/malformed.js';
import { Reader } from './wire/reader.js';
import { Writer } from './wire/writer.js';

/** A generated message type: its name, and functions that create and decode it. */
export interface MessageType<T> {
  /** The full name as in a type URL, without the host: `envoy.config.listener.v3.Listener`. */
  readonly typeName: string;
  /** Creates a message with default values except for the fields in `init`. */
  create(init?: Partial<T>): T;
  read(reader: Reader, target: T): T;
}

/** A message type that can also be encoded. */
export interface WritableType<T> extends MessageType<T> {
  write(writer: Writer, message: T): void;
}

/** A decoded message, or the reason and offset at which decoding failed. */
export type Decoded<T> = { ok: true; value: T } | { ok: false; reason: string; offset: number };

/** Decodes bytes as C-core does: it rejects what upb rejects, without throwing. */
export function decode<T>(type: MessageType<T>, bytes: Uint8Array): Decoded<T> {
  const reader = new Reader(bytes);
  try {
    return { ok: true, value: type.read(reader, type.create()) };
  } catch (error) {
    if (error instanceof Malformed) return { ok: false, reason: error.reason, offset: error.offset };
    throw error;
  }
}

/** Decodes a message with very many fields in slices; the result is that of `decode`. */
export function* decodeInSlices<T>(type: MessageType<T>, bytes: Uint8Array): Slices<Decoded<T>> {
  const reader = new Reader(bytes);
  const message = type.create();
  try {
    for (;;) {
      reader.end = endOfSlice(bytes, reader.pos);
      type.read(reader, message);
      if (reader.pos >= bytes.length) return { ok: true, value: message };
      yield;
    }
  } catch (error) {
    if (error instanceof Malformed) return { ok: false, reason: error.reason, offset: error.offset };
    throw error;
  }
}

/** The end of the field in which the slice ends, or of the message if it is malformed. */
function endOfSlice(bytes: Uint8Array, from: number): number {
  const reader = new Reader(bytes, from);
  try {
    while (reader.pos < reader.end && reader.pos - from < SLICE_BYTES) reader.skip(reader.tag());
    return reader.pos;
  } catch (error) {
    if (error instanceof Malformed) return bytes.length;
    throw error;
  }
}

export function encode<T>(type: WritableType<T>, message: T): Uint8Array {
  const writer = new Writer();
  type.write(writer, message);
  return writer.finish();
}
