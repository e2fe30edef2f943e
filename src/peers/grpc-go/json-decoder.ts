import { jsonDurationText } from './durations.js';
import { compactJson, type GoJson, isJsonObject } from './go-json.js';
import { quoted } from './go-text.js';

/** A Go type that JSON is decoded into. */
export type GoType =
  | 'bool'
  | 'string'
  | 'float64'
  | 'uint32'
  | 'uint64'
  | 'duration'
  | { kind: 'structure'; name: string; fields: Readonly<Record<string, GoType>> }
  | { kind: 'list'; of: GoType; name?: string }
  | { kind: 'map'; of: GoType; name?: string }
  | { kind: 'custom'; decode: (value: GoJson) => string | undefined };

/** Returns the first error of Go's JSON decoder; `undefined` if a value has the type. Null leaves a variable unchanged. */
export function decodeError(value: GoJson, type: GoType): string | undefined {
  return errorIn(value, type, { structure: '', fields: [] });
}

/** The structure and fields that the decoder is in. */
interface Place {
  structure: string;
  fields: readonly string[];
}

function errorIn(value: GoJson, type: GoType, place: Place): string | undefined {
  if (type === 'duration') return durationTextError(value);
  if (value === null) return undefined;
  if (typeof type === 'string') return scalarError(value, type, place);
  switch (type.kind) {
    case 'custom':
      return type.decode(value);
    case 'list':
      return Array.isArray(value) ? firstError(value, type.of, place) : mismatch(value, type, place);
    case 'map':
      return isJsonObject(value) ? firstError([...value.values()], type.of, place) : mismatch(value, type, place);
    default:
      return isJsonObject(value) ? structureError(value, type, place) : mismatch(value, type, place);
  }
}

function firstError(values: readonly GoJson[], type: GoType, place: Place): string | undefined {
  for (const value of values) {
    const error = errorIn(value, type, place);
    if (error !== undefined) return error;
  }
  return undefined;
}

function structureError(
  value: ReadonlyMap<string, GoJson>,
  { name, fields }: Extract<GoType, { kind: 'structure' }>,
  place: Place,
): string | undefined {
  for (const [key, one] of value) {
    const field = matchingField(key, Object.keys(fields));
    if (field === undefined) continue;
    const inside = { structure: name.slice(name.lastIndexOf('.') + 1), fields: [...place.fields, field] };
    const error = errorIn(one, fields[field] as GoType, inside);
    if (error !== undefined) return error;
  }
  return undefined;
}

/** Go prefers the exact name of a field, and ignores case. */
function matchingField(key: string, fields: readonly string[]): string | undefined {
  return fields.find((field) => field === key) ?? fields.find((field) => field.toLowerCase() === key.toLowerCase());
}

function scalarError(value: GoJson, type: string, place: Place): string | undefined {
  const isInteger = type.startsWith('uint');
  if (typeof value === 'number' || typeof value === 'bigint') {
    if (type === 'float64') return undefined;
    const text = compactJson(value);
    if (!isInteger) return mismatch(value, type, place);
    const isValid = /^\d+$/.test(text) && BigInt(text) < 1n << BigInt(type.slice('uint'.length));
    return isValid ? undefined : mismatch(value, type, place, `number ${text}`);
  }
  const isValid = typeof value === (type === 'bool' ? 'boolean' : type);
  return isValid ? undefined : mismatch(value, type, place);
}

function mismatch(value: GoJson, type: GoType | string, place: Place, shown = kindOf(value)): string {
  const { structure, fields } = place;
  const where = structure === '' ? 'Go value' : `Go struct field ${structure}.${fields.join('.')}`;
  return `json: cannot unmarshal ${shown} into ${where} of type ${typeName(type)}`;
}

function kindOf(value: GoJson): string {
  if (Array.isArray(value)) return 'array';
  if (isJsonObject(value)) return 'object';
  if (typeof value === 'boolean') return 'bool';
  return typeof value === 'string' ? 'string' : 'number';
}

function typeName(type: GoType | string): string {
  if (typeof type === 'string') return type;
  switch (type.kind) {
    case 'list':
      return type.name ?? `[]${typeName(type.of)}`;
    case 'map':
      return type.name ?? `map[string]${typeName(type.of)}`;
    case 'structure':
      return type.name;
    default:
      return '*serviceconfig.BalancerConfig';
  }
}

/** Returns the error of grpc-go for a Duration in JSON. Null is an empty text there. */
function durationTextError(value: GoJson): string | undefined {
  if (value !== null && typeof value !== 'string') return mismatch(value, 'string', { structure: '', fields: [] });
  return jsonDurationText(value ?? '', quoted);
}
