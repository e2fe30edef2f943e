import { compareUtf8 } from '../../base/utf8-order.js';
import type { MessageView } from '../message-view.js';
import { jsonFloat } from './go-text.js';
import { Rejection } from './rejection.js';

/** JSON that Go generates or decodes. Integers are BigInts: Go prints them without an exponent. */
export type GoJson = null | boolean | string | number | bigint | readonly GoJson[] | GoJsonObject;

export type GoJsonObject = ReadonlyMap<string, GoJson>;

export function isJsonObject(value: GoJson | undefined): value is GoJsonObject {
  return value instanceof Map;
}

/** Prints JSON without spaces. */
export function compactJson(value: GoJson): string {
  if (Array.isArray(value)) return `[${value.map(compactJson).join(',')}]`;
  if (isJsonObject(value))
    return `{${[...value].map(([key, one]) => `${stringJson(key)}:${compactJson(one)}`).join(',')}}`;
  return leafJson(value);
}

/** Prints JSON with line breaks and an indentation of two spaces. */
export function indentedJson(value: GoJson, indent = ''): string {
  const inner = `${indent}  `;
  const lines = (open: string, items: string[], close: string): string =>
    items.length === 0 ? open + close : `${open}\n${inner}${items.join(`,\n${inner}`)}\n${indent}${close}`;
  if (Array.isArray(value))
    return lines(
      '[',
      value.map((one) => indentedJson(one, inner)),
      ']',
    );
  if (!isJsonObject(value)) return leafJson(value);
  const entries = [...value].map(([key, one]) => `${stringJson(key)}: ${indentedJson(one, inner)}`);
  return lines('{', entries, '}');
}

function leafJson(value: GoJson): string {
  if (typeof value === 'string') return stringJson(value);
  return typeof value === 'number' ? jsonFloat(value) : String(value);
}

function stringJson(text: string): string {
  return JSON.stringify(text).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Converts a Struct to JSON with sorted keys; a Struct that is missing becomes null. */
export function structJson(struct: MessageView | undefined): GoJson {
  if (struct === undefined) return null;
  const entries = struct.messageEntries('fields').sort(([a], [b]) => compareUtf8(a, b));
  return new Map(entries.map(([key, value]) => [key, valueJson(value)]));
}

function valueJson(value: MessageView): GoJson {
  switch (value.setMemberOf('null_value')) {
    case 'null_value':
      return null;
    case 'number_value':
      return finite(value);
    case 'string_value':
      return value.text('string_value');
    case 'bool_value':
      return value.flag('bool_value');
    case 'struct_value':
      return structJson(value.message('struct_value'));
    case 'list_value':
      return [...(value.message('list_value')?.messages('values') ?? [])].map(valueJson);
    default:
      return unprintable(value, 'google.protobuf.Value: none of the oneof fields is set');
  }
}

function finite(value: MessageView): number {
  const number = value.number('number_value');
  if (Number.isFinite(number)) return number;
  const shown = Number.isNaN(number) ? 'NaN' : number > 0 ? '+Inf' : '-Inf';
  return unprintable(value, `google.protobuf.Value.number_value: invalid ${shown} value`);
}

function unprintable(value: MessageView, problem: string): never {
  throw new Rejection(`proto: ${problem}`, value);
}
