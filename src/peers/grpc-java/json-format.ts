import { checkDuration } from './duration.js';
import { illegalArgument } from './java-error.js';
import { ProtoMessage } from './proto-message.js';

/** Throws the exception of protobuf-java for a message that it cannot print as JSON. */
export function checkPrintable(message: ProtoMessage): void {
  if (message.type.name === 'google.protobuf.Duration') checkDuration(message);
  for (const value of message.values.values())
    for (const one of value instanceof Map ? value.values() : Array.isArray(value) ? value : [value])
      if (one instanceof ProtoMessage) checkPrintable(one);
}

/** A value of JSON as grpc-java's parser represents it. All numbers are doubles. */
export type JavaJson = null | boolean | number | string | JavaJson[] | JavaJsonObject;
export type JavaJsonObject = Map<string, JavaJson>;

/** Prints a Struct as JSON and parses the JSON. */
export function structToJson(struct: ProtoMessage): JavaJsonObject {
  return new Map([...struct.map('fields')].map(([key, value]) => [key, valueToJson(value)]));
}

function valueToJson(value: ProtoMessage): JavaJson {
  switch (value.memberOf('null_value')) {
    case 'number_value':
      if (!Number.isFinite(value.double('number_value')))
        illegalArgument(
          'google.protobuf.Value cannot encode double values for infinity or nan, because they would be parsed as a string.',
        );
      return value.double('number_value');
    case 'string_value':
      return value.string('string_value');
    case 'bool_value':
      return value.bool('bool_value');
    case 'struct_value':
      return structToJson(value.message('struct_value'));
    case 'list_value':
      return value.message('list_value').messages('values').map(valueToJson);
    default:
      return null;
  }
}
