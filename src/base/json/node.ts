/** A JSON value with its position: `start` and `end` are byte offsets. */
export type JsonNode = { start: number; end: number } & (
  | { kind: 'object'; fields: ReadonlyMap<string, JsonField> }
  | { kind: 'array'; elements: readonly JsonNode[] }
  | { kind: 'string'; value: string }
  /** C-core keeps numbers as text, and accepts some invalid ones: `-`, `1e400`. */
  | { kind: 'number'; text: string }
  | { kind: 'boolean'; value: boolean }
  | { kind: 'null' }
);

export type ObjectNode = Extract<JsonNode, { kind: 'object' }>;

export interface JsonField {
  /** Byte offset of the key. */
  start: number;
  node: JsonNode;
}
