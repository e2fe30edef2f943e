import { Malformed } from './wire/malformed.js';
import { Reader } from './wire/reader.js';
import { Writer } from './wire/writer.js';

/** A generated message type: its name on the wire and how to make and read it. */
export interface MessageType<T> {
  /** Full name as in a type URL, without the host: `envoy.config.listener.v3.Listener`. */
  readonly typeName: string;
  /** A message with every field at its default but those in `init`. */
  create(init?: Partial<T>): T;
  read(reader: Reader, target: T): T;
}

/** A message type that is also sent. */
export interface WritableType<T> extends MessageType<T> {
  write(writer: Writer, message: T): void;
}

/** A decoded message, or why and where its bytes are no message of that type. */
export type Decoded<T> = { ok: true; value: T } | { ok: false; reason: string; offset: number };

/** Decodes bytes as C-core would: what upb refuses is refused, and nothing throws. */
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
