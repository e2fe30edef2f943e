import type { PathStep } from '../problem.js';
import type { JsonNode } from './node.js';

/** Lines and columns count from 1, columns in characters. */
export interface Position {
  line: number;
  column: number;
}

/** Returns the byte offset of the value at a path, or of its nearest existing parent. */
export function offsetOf(root: JsonNode, steps: readonly PathStep[]): number {
  let node = root;
  for (const step of steps) {
    const next = childOf(node, step);
    if (next === undefined) break;
    node = next;
  }
  return node.start;
}

/** Returns the byte offset of the key at a path, or of its nearest existing parent. */
export function keyOffsetOf(root: JsonNode, steps: readonly PathStep[]): number {
  let node = root;
  let offset = root.start;
  for (const step of steps) {
    const field = node.kind === 'object' ? node.fields.get(String(step)) : undefined;
    const next = field?.node ?? childOf(node, step);
    if (next === undefined) break;
    offset = field?.start ?? next.start;
    node = next;
  }
  return offset;
}

function childOf(node: JsonNode, step: PathStep): JsonNode | undefined {
  if (node.kind === 'object') return node.fields.get(String(step))?.node;
  return node.kind === 'array' ? node.elements[Number(step)] : undefined;
}

/** Distance in bytes between the positions that an index stores. */
const STRIDE = 16_384;

/** Finds lines and columns without a scan from the start of the text each time. */
export class LineIndex {
  readonly #bytes: Uint8Array;
  readonly #marks: Position[] = [{ line: 1, column: 1 }];

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  positionOf(offset: number): Position {
    const end = Math.min(offset, this.#bytes.length);
    const mark = Math.floor(end / STRIDE);
    while (this.#marks.length <= mark) {
      const from = (this.#marks.length - 1) * STRIDE;
      this.#marks.push(this.#walk(this.#marks.at(-1) as Position, from, from + STRIDE));
    }
    return this.#walk(this.#marks[mark] as Position, mark * STRIDE, end);
  }

  #walk({ line, column }: Position, from: number, to: number): Position {
    for (let i = from; i < to; i++) {
      const byte = this.#bytes[i] as number;
      if (byte === 0x0a) {
        line++;
        column = 1;
      } else if ((byte & 0xc0) !== 0x80) column++;
    }
    return { line, column };
  }
}
