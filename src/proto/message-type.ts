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

export function encode<T>(type: WritableType<T>, message: T): Uint8Array {
  const writer = new Writer();
  type.write(writer, message);
  return writer.finish();
}
