import type { Problems } from '../../base/problem.js';
import { Writer } from '../wire/writer.js';
import type { Catalogue } from './catalogue.js';
import { type AnyBytes, MessageEncoder } from './message-encoder.js';

/**
 * Reads an Any in proto JSON (a mapping with "@type") and encodes it. Whatever `printAny` printed is read back; numbers
 * may be BigInts. Problems are added with their path, and `undefined` is returned when there is any.
 */
export function parseAny(catalogue: Catalogue, json: unknown, problems: Problems): AnyBytes | undefined {
  const before = problems.list.length;
  const any = new MessageEncoder(catalogue, problems).any(json, 0);
  return problems.list.length === before ? any : undefined;
}

/** Reads a message of a known type in proto JSON and encodes it. */
export function parseMessage(
  catalogue: Catalogue,
  typeName: string,
  json: unknown,
  problems: Problems,
): Uint8Array | undefined {
  const before = problems.list.length;
  const writer = new Writer();
  new MessageEncoder(catalogue, problems).named(writer, typeName, json, 0);
  return problems.list.length === before ? writer.finish() : undefined;
}
