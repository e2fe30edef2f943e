import type { Problems } from '../../base/problem.js';
import { Writer } from '../wire/writer.js';
import type { Catalogue } from './catalogue.js';
import { type AnyBytes, MessageEncoder, type UnknownPart } from './message-encoder.js';

/**
 * Encodes an Any from proto JSON (a mapping with "@type"). Accepts all output of `printAny`; numbers may be BigInts.
 * Adds problems with their path and returns `undefined` if there are any. Unknown fields and types are problems unless
 * there is a list for them.
 */
export function parseAny(
  catalogue: Catalogue,
  json: unknown,
  problems: Problems,
  unknownParts?: UnknownPart[],
): AnyBytes | undefined {
  const before = problems.list.length;
  const any = new MessageEncoder(catalogue, problems, unknownParts).any(json, 0);
  return problems.list.length === before ? any : undefined;
}

/** Encodes a message of a known type from proto JSON. */
export function parseMessage(
  catalogue: Catalogue,
  typeName: string,
  json: unknown,
  problems: Problems,
  unknownParts?: UnknownPart[],
): Uint8Array | undefined {
  const before = problems.list.length;
  const writer = new Writer();
  new MessageEncoder(catalogue, problems, unknownParts).named(writer, typeName, json, 0);
  return problems.list.length === before ? writer.finish() : undefined;
}
