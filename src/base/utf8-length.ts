const ENCODER = new TextEncoder();

/** Length in bytes, as it goes over the wire. */
export function utf8Length(text: string): number {
  return ENCODER.encode(text).length;
}
