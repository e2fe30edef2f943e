import type { ProtobufJsMessage } from './protobufjs-message.js';
import { ThrownError } from './thrown-error.js';

/** The JSON config of an LB policy. */
export type JsonValue = null | undefined | string | number | boolean | JsonValue[] | JsonObject;
export interface JsonObject {
  [key: string]: JsonValue;
}

/** Converts a Struct as grpc-js-xds does for TypedStructs of LB policies. A value must have a kind. */
export function structToJson(struct: ProtobufJsMessage): JsonObject {
  return Object.fromEntries(struct.entries('fields').map(([key, value]) => [key, valueToJson(value)]));
}

function valueToJson(value: ProtobufJsMessage): JsonValue {
  switch (value.chosen('null_value')) {
    case 'null_value':
      return null;
    case 'number_value':
      return value.number('number_value');
    case 'string_value':
      return value.text('string_value');
    case 'bool_value':
      return value.bool('bool_value');
    case 'list_value':
      return (value.message('list_value')?.messages('values') ?? []).map(valueToJson);
    case 'struct_value':
      return structToJson(value.message('struct_value') as ProtobufJsMessage);
    default:
      throw new ThrownError('Struct parsing error: unexpected value kind undefined');
  }
}
