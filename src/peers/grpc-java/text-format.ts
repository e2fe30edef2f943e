import type { CatalogueField } from '../../proto/json/catalogue.js';
import { decodeUnknown } from './decode-message.js';
import { JavaError } from './java-error.js';
import { javaDouble, javaFloat } from './java-number.js';
import { enumName, type ProtoMap, ProtoMessage, type ScalarValue, type UnknownField } from './proto-message.js';

/** Prints a message as protobuf-java does in `toString`: in the text format, on several lines. */
export function textFormat(message: ProtoMessage): string {
  const lines: string[] = [];
  printMessage(message, '', lines);
  return lines.map((line) => `${line}\n`).join('');
}

function printMessage(message: ProtoMessage, indent: string, lines: string[]): void {
  for (const [number, value] of [...message.values].sort(([a], [b]) => a - b)) {
    const field = message.type.byNumber.get(number) as CatalogueField;
    if (value instanceof Map) printMap(field, value, indent, lines);
    else for (const one of Array.isArray(value) ? value : [value]) printField(field, field.name, one, indent, lines);
  }
  printUnknown(message.unknown, indent, lines);
}

function printField(
  field: CatalogueField,
  name: string,
  value: ScalarValue | ProtoMessage,
  indent: string,
  lines: string[],
): void {
  if (!(value instanceof ProtoMessage)) {
    lines.push(`${indent}${name}: ${printScalar(field, value)}`);
    return;
  }
  lines.push(`${indent}${name} {`);
  printMessage(value, `${indent}  `, lines);
  lines.push(`${indent}}`);
}

/** Maps are printed in the order of their keys. */
function printMap(field: CatalogueField, map: ProtoMap, indent: string, lines: string[]): void {
  const entries = [...map].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  for (const [key, value] of entries) {
    lines.push(`${indent}${field.name} {`);
    lines.push(`${indent}  key: ${typeof key === 'string' ? quoted(new TextEncoder().encode(key)) : String(key)}`);
    printField(field, 'value', value, `${indent}  `, lines);
    lines.push(`${indent}}`);
  }
}

function printScalar(field: CatalogueField, value: ScalarValue): string {
  if (typeof value === 'string') return quoted(new TextEncoder().encode(value));
  if (value instanceof Uint8Array) return quoted(value);
  if (field.type.kind === 'enum') {
    const shortName = field.type.name.replace(/^.*\./, '');
    return enumName(field, value as number) ?? `UNKNOWN_ENUM_VALUE_${shortName}_${value}`;
  }
  if (field.type.kind === 'scalar' && field.type.scalar === 'double') return javaDouble(value as number);
  if (field.type.kind === 'scalar' && field.type.scalar === 'float') return javaFloat(value as number);
  return String(value);
}

const ESCAPES: Record<number, string> = {
  7: '\\a',
  8: '\\b',
  9: '\\t',
  10: '\\n',
  11: '\\v',
  12: '\\f',
  13: '\\r',
  34: '\\"',
  39: "\\'",
  92: '\\\\',
};

function quoted(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) {
    const isPrintable = byte >= 0x20 && byte < 0x7f;
    text += ESCAPES[byte] ?? (isPrintable ? String.fromCharCode(byte) : `\\${byte.toString(8).padStart(3, '0')}`);
  }
  return `"${text}"`;
}

/** Unknown fields are printed by number, and those of a number by wire type. */
function printUnknown(unknown: readonly UnknownField[], indent: string, lines: string[]): void {
  const order = ({ value }: UnknownField): number => KINDS.findIndex((kind) => kind in value);
  const sorted = [...unknown].sort((a, b) => a.number - b.number || order(a) - order(b));
  for (const { number, value } of sorted) {
    if ('varint' in value) lines.push(`${indent}${number}: ${value.varint}`);
    else if ('fixed32' in value) lines.push(`${indent}${number}: 0x${value.fixed32.toString(16).padStart(8, '0')}`);
    else if ('fixed64' in value) lines.push(`${indent}${number}: 0x${value.fixed64.toString(16).padStart(16, '0')}`);
    else {
      const fields = 'group' in value ? value.group : asMessage(value.bytes);
      if (fields === undefined) lines.push(`${indent}${number}: ${quoted((value as { bytes: Uint8Array }).bytes)}`);
      else {
        lines.push(`${indent}${number} {`);
        printUnknown(fields, `${indent}  `, lines);
        lines.push(`${indent}}`);
      }
    }
  }
}

const KINDS = ['varint', 'fixed32', 'fixed64', 'bytes', 'group'];

function asMessage(bytes: Uint8Array): UnknownField[] | undefined {
  try {
    return decodeUnknown(bytes);
  } catch (error) {
    if (error instanceof JavaError) return undefined;
    throw error;
  }
}
