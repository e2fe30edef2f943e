/** A field on the wire. */
interface WireField {
  number: number;
  type: number;
  /** Tag, length and value. */
  whole: Uint8Array;
  /** The content of a length-delimited field. */
  content: Uint8Array;
}

export type Change = (message: Uint8Array) => Uint8Array;

/**
 * Changes each message at a path of field numbers and keeps all other bytes, even if their encoding is unusual. Returns
 * bytes that cannot be decoded unchanged.
 */
export function edit(bytes: Uint8Array, [number, ...rest]: readonly number[], change: Change): Uint8Array {
  if (number === undefined) return change(bytes);
  const fields = fieldsOf(bytes);
  if (fields === undefined) return bytes;
  const parts = fields.map((field) => {
    if (field.number !== number || field.type !== 2) return field.whole;
    const changed = edit(field.content, rest, change);
    return changed === field.content ? field.whole : bytesField(number, changed);
  });
  return parts.every((part, index) => part === fields[index]?.whole) ? bytes : Buffer.concat(parts);
}

/** Returns the content of a field; `undefined` if it is not set or the message is truncated. */
export function contentOf(bytes: Uint8Array, number: number): Uint8Array | undefined {
  return fieldsOf(bytes)?.findLast((field) => field.number === number && field.type === 2)?.content;
}

export function bytesField(number: number, content: Uint8Array): Uint8Array {
  return Buffer.concat([varint(number * 8 + 2), varint(content.length), content]);
}

/** Changes the number of a field. */
export function renumber(from: number, to: number): Change {
  return (bytes) => {
    const fields = fieldsOf(bytes);
    if (fields?.some(({ number }) => number === from) !== true) return bytes;
    return Buffer.concat(fields.map((field) => (field.number === from ? bytesField(to, field.content) : field.whole)));
  };
}

/** Splits a message into fields; returns `undefined` if it cannot be decoded. */
function fieldsOf(bytes: Uint8Array): WireField[] | undefined {
  const fields: WireField[] = [];
  for (let pos = 0; pos < bytes.length; ) {
    const start = pos;
    const [tag, value] = readVarint(bytes, pos);
    const type = tag % 8;
    const [length, content] = type === 2 ? readVarint(bytes, value) : [sizeOf(bytes, value, type), value];
    pos = content + length;
    if (!(pos <= bytes.length)) return undefined;
    fields.push({
      number: Math.floor(tag / 8),
      type,
      whole: bytes.subarray(start, pos),
      content: bytes.subarray(content, pos),
    });
  }
  return fields;
}

function sizeOf(bytes: Uint8Array, pos: number, type: number): number {
  if (type === 0) return readVarint(bytes, pos)[1] - pos;
  if (type === 3) return groupEnd(bytes, pos) - pos;
  return type === 1 ? 8 : type === 5 ? 4 : Number.NaN;
}

/** Returns the offset after the end of a group, whatever its number. */
function groupEnd(bytes: Uint8Array, start: number): number {
  for (let pos = start; pos < bytes.length; ) {
    const [tag, value] = readVarint(bytes, pos);
    if (tag % 8 === 4) return value;
    const [length, content] = tag % 8 === 2 ? readVarint(bytes, value) : [sizeOf(bytes, value, tag % 8), value];
    pos = content + length;
  }
  return Number.NaN;
}

/** Returns the number and its end; `NaN` if the varint is truncated. */
function readVarint(bytes: Uint8Array, start: number): [value: number, end: number] {
  let value = 0;
  for (let pos = start, factor = 1; pos < start + 10; pos++, factor *= 128) {
    const byte = bytes[pos];
    if (byte === undefined) break;
    value += (byte % 128) * factor;
    if (byte < 128) return [value, pos + 1];
  }
  return [Number.NaN, Number.NaN];
}

function varint(value: number): Uint8Array {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  return Uint8Array.from([...bytes, rest]);
}
