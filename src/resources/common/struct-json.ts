import type { Struct, Value } from '../../proto/generated/google.protobuf.js';
import type { Json } from '../../proto/json/well-known.js';

const PREFIX = 'error encoding google::Protobuf::Struct as JSON: ';
const NO_KIND = `${PREFIX}No value set in Value proto`;
const NOT_FINITE = `${PREFIX}google.protobuf.Value cannot encode double values for infinity or nan, because they would be parsed as a string`;

/** A Struct as JSON, or why C-core cannot print it. */
export function structToJson(struct: Struct): { json: { [key: string]: Json } } | { problem: string } {
  const json: { [key: string]: Json } = Object.create(null);
  for (const [key, value] of struct.fields) {
    const read = valueToJson(value);
    if ('problem' in read) return read;
    json[key] = read.json;
  }
  return { json };
}

function valueToJson({ kind }: Value): { json: Json } | { problem: string } {
  if (kind === undefined) return { problem: NO_KIND };
  switch (kind.kind) {
    case 'nullValue':
      return { json: null };
    case 'numberValue':
      return Number.isFinite(kind.value) ? { json: kind.value } : { problem: NOT_FINITE };
    case 'structValue':
      return structToJson(kind.value);
    case 'listValue': {
      const list: Json[] = [];
      for (const value of kind.value.values) {
        const read = valueToJson(value);
        if ('problem' in read) return read;
        list.push(read.json);
      }
      return { json: list };
    }
    default:
      return { json: kind.value };
  }
}
