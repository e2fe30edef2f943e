const ENCODER = new TextEncoder();

/** Returns the length of a text in bytes on the wire. */
export function utf8Length(text: string): number {
  return ENCODER.encode(text).length;
}
