import { type CatalogueField, xdsCatalogue } from '../../../src/proto/json/catalogue.js';

/** A message in wire format, with its submessages. */
export interface Tree {
  shape: Shape;
  nodes: Node[];
}

/** The type of a message: its name in the catalogue, or the map field of which it is an entry. */
type Shape = { message: string } | { entryOf: CatalogueField };

export interface Node {
  field: number;
  wire: 0 | 1 | 2 | 5;
  value: bigint | Buffer | Tree;
}

const ANY = 'google.protobuf.Any';
const PREFIX = 'type.googleapis.com/';
const MAX_DEPTH = 40;

/** Returns `undefined` for bytes that are not a message. */
export function parseTree(bytes: Buffer, shape: Shape, depth = 0): Tree | undefined {
  const nodes: Node[] = [];
  const cursor = { at: 0 };
  while (cursor.at < bytes.length) {
    const node = nextNode(bytes, cursor);
    if (node === undefined) return undefined;
    nodes.push(node);
  }
  const typeUrl = isAny(shape) ? textOf(nodes.find(({ field }) => field === 1)) : undefined;
  for (const node of nodes) {
    const inner = depth < MAX_DEPTH && Buffer.isBuffer(node.value) && node.wire === 2;
    const shapeOfIt = inner ? shapeOf(shape, node.field, typeUrl) : undefined;
    if (shapeOfIt !== undefined) node.value = parseTree(node.value as Buffer, shapeOfIt, depth + 1) ?? node.value;
  }
  return { shape, nodes };
}

function nextNode(bytes: Buffer, cursor: { at: number }): Node | undefined {
  const tag = varint(bytes, cursor);
  if (tag === undefined) return undefined;
  const [field, wire] = [Number(tag >> 3n), Number(tag & 7n)];
  if (wire === 0) {
    const value = varint(bytes, cursor);
    return value === undefined ? undefined : { field, wire, value };
  }
  if (wire !== 1 && wire !== 2 && wire !== 5) return undefined;
  const length = wire === 1 ? 8n : wire === 5 ? 4n : varint(bytes, cursor);
  if (length === undefined || BigInt(cursor.at) + length > bytes.length) return undefined;
  const from = cursor.at;
  cursor.at += Number(length);
  return { field, wire, value: bytes.subarray(from, cursor.at) };
}

function varint(bytes: Buffer, cursor: { at: number }): bigint | undefined {
  let result = 0n;
  for (let shift = 0n; shift < 70n; shift += 7n) {
    const byte = bytes[cursor.at++];
    if (byte === undefined) return undefined;
    result |= BigInt(byte & 0x7f) << shift;
    if (byte < 0x80) return BigInt.asUintN(64, result);
  }
  return undefined;
}

function isAny(shape: Shape): boolean {
  return 'message' in shape && shape.message === ANY;
}

/** The type of a field if it is a message; the type of an Any's value comes from its type URL. */
function shapeOf(shape: Shape, field: number, typeUrl: string | undefined): Shape | undefined {
  if (isAny(shape)) {
    const message = field === 2 && typeUrl?.startsWith(PREFIX) ? typeUrl.slice(PREFIX.length) : '';
    return xdsCatalogue.message(message) === undefined ? undefined : { message };
  }
  const known = fieldOf(shape, field);
  if (known === undefined) return undefined;
  if (known.mapKey !== undefined && 'message' in shape) return { entryOf: known };
  return known.type.kind === 'message' ? { message: known.type.name } : undefined;
}

/** The catalogue's description of a field. In an entry of a map, 1 is the key and 2 the value. */
function fieldOf(shape: Shape, field: number): CatalogueField | undefined {
  if ('message' in shape) return xdsCatalogue.message(shape.message)?.byNumber.get(field);
  const { entryOf } = shape;
  if (field === 1) return { ...entryOf, number: 1, mapKey: undefined, type: { kind: 'scalar', scalar: 'string' } };
  return field === 2 ? { ...entryOf, number: 2, mapKey: undefined } : undefined;
}

/** All fields of a message in the catalogue. */
export function fieldsOf(shape: Shape): CatalogueField[] {
  return 'message' in shape ? [...(xdsCatalogue.message(shape.message)?.byNumber.values() ?? [])] : [];
}

function textOf(node: Node | undefined): string | undefined {
  return Buffer.isBuffer(node?.value) ? node.value.toString() : undefined;
}

/** The type URL of an Any. */
export function typeUrlIn({ shape, nodes }: Tree): string | undefined {
  return isAny(shape) ? textOf(nodes.find(({ field }) => field === 1)) : undefined;
}

export function serialize({ nodes }: Tree): Buffer {
  return Buffer.concat(
    nodes.flatMap(({ field, wire, value }) => {
      const tag = encodedVarint((BigInt(field) << 3n) | BigInt(wire));
      if (typeof value === 'bigint') return [tag, encodedVarint(value)];
      const bytes = Buffer.isBuffer(value) ? value : serialize(value);
      return wire === 2 ? [tag, encodedVarint(BigInt(bytes.length)), bytes] : [tag, bytes];
    }),
  );
}

function encodedVarint(value: bigint): Buffer {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, value);
  while (rest > 0x7fn) {
    bytes.push(Number(rest & 0x7fn) | 0x80);
    rest >>= 7n;
  }
  return Buffer.from([...bytes, Number(rest)]);
}

export function isTree(value: Node['value']): value is Tree {
  return typeof value === 'object' && 'nodes' in value;
}

/** Every node of a tree, top down, with the message that contains it. */
export function* places(tree: Tree): Generator<{ tree: Tree; index: number; node: Node }> {
  for (const [index, node] of tree.nodes.entries()) {
    yield { tree, index, node };
    if (isTree(node.value)) yield* places(node.value);
  }
}

/** A key for a field: nodes with the same key have the same type. */
export function kindOf({ shape }: Tree, { field, value }: Node): string {
  const inner = isTree(value) && 'message' in value.shape ? value.shape.message : '';
  const outer = 'message' in shape ? shape.message : `entry of ${shape.entryOf.name}`;
  return outer === ANY ? `${outer} ${field} ${inner}` : `${outer} ${field}`;
}
