import { quoteGo } from '../../base/go-quote.js';
import type { RawNode } from './raw-json.js';
import type { StrictJsonError } from './strict-json.js';

/** Prints JSON like json.Indent without indentation: grpc-go quotes parts of this text in its errors. */
export function indented(node: RawNode): string {
  switch (node.kind) {
    case 'object': {
      const members = node.members.map(({ raw, node: value }) => `${raw}: ${indented(value)}`);
      return members.length === 0 ? '{}' : `{\n${members.join(',\n')}\n}`;
    }
    case 'array':
      return node.elements.length === 0 ? '[]' : `[\n${node.elements.map(indented).join(',\n')}\n]`;
    case 'string':
      return node.raw;
    case 'number':
      return node.text;
    case 'boolean':
      return String(node.value);
    case 'null':
      return 'null';
  }
}

/** The error of encoding/json for a text that is not JSON. */
export function goSyntaxError({ context, character }: StrictJsonError): string {
  if (context.startsWith('exceeded')) return context;
  return character === undefined
    ? 'unexpected end of JSON input'
    : `invalid character ${quotedByte(character)} ${context}`;
}

/** Go reads bytes, and prints the first one of a character as if it were Latin-1. */
function quotedByte(character: string): string {
  const [byte = 0] = new TextEncoder().encode(character);
  const letter = String.fromCharCode(byte);
  if (letter === "'") return "'\\''";
  return letter === '"' ? `'"'` : `'${quoteGo(letter).slice(1, -1)}'`;
}
