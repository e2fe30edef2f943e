import type { ObjectNode } from '../../base/json/node.js';

/** A JSON value with all that a text contains: every member of an object, and strings as they are written. */
export type RawNode = { start: number; end: number } & (
  | RawObject
  | { kind: 'array'; elements: readonly RawNode[] }
  | { kind: 'string'; value: string; raw: string }
  | { kind: 'number'; text: string }
  | { kind: 'boolean'; value: boolean }
  | { kind: 'null' }
);

type RawObject = Pick<ObjectNode, 'kind'> & {
  /** The last member of each key. */
  fields: ReadonlyMap<string, RawMember>;
  /** In the order of the text. A key can occur more than once. */
  members: readonly RawMember[];
};

export type RawObjectNode = Extract<RawNode, { kind: 'object' }>;

export interface RawMember {
  key: string;
  /** The key as it is written, with its quotes. */
  raw: string;
  start: number;
  node: RawNode;
}

export function rawObject(members: readonly RawMember[], start: number, end: number): RawObjectNode {
  return { kind: 'object', fields: new Map(members.map((member) => [member.key, member])), members, start, end };
}

/** The text of a bootstrap. Go, Java and Node.js replace invalid UTF-8. */
export function textOf(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
}

/** Returns a function from an index in the text to its offset in bytes. */
export function byteOffsets(text: string): (index: number) => number {
  if (!/[^\0-\x7f]/.test(text)) return (index) => index;
  const offsets = new Uint32Array(text.length + 1);
  let offset = 0;
  for (let i = 0; i < text.length; i++) {
    offsets[i] = offset;
    const unit = text.charCodeAt(i);
    // Each half of a surrogate pair counts as two of its four bytes.
    offset += unit < 0x80 ? 1 : unit < 0x800 || (unit >= 0xd800 && unit < 0xe000) ? 2 : 3;
  }
  offsets[text.length] = offset;
  return (index) => offsets[index] ?? offset;
}
