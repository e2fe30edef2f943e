import type { JsonNode } from '../base/json-node.js';
import type { PathStep } from '../base/problem.js';

/** Lines and columns count from 1, columns in characters. */
export interface Place {
  line: number;
  column: number;
}

/** The byte offset of what a path leads to: the value, or its key where the value is missing, or what is above it. */
export function offsetOf(root: JsonNode, steps: readonly PathStep[]): number {
  let node = root;
  for (const step of steps) {
    const next = childOf(node, step);
    if (next === undefined) break;
    node = next;
  }
  return node.start;
}

function childOf(node: JsonNode, step: PathStep): JsonNode | undefined {
  if (node.kind === 'object') return node.fields.get(String(step))?.node;
  return node.kind === 'array' ? node.elements[Number(step)] : undefined;
}

export function placeOf(bytes: Uint8Array, offset: number): Place {
  let line = 1;
  let column = 1;
  for (let i = 0; i < offset && i < bytes.length; i++) {
    const byte = bytes[i] as number;
    if (byte === 0x0a) {
      line++;
      column = 1;
    } else if ((byte & 0xc0) !== 0x80) column++;
  }
  return { line, column };
}
