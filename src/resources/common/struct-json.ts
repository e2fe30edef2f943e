import type { Struct, Value } from '../../proto/generated/google.protobuf.js';
import type { Json } from '../../proto/json/well-known.js';

const PREFIX = 'error encoding google::Protobuf::Struct as JSON: ';
const NO_KIND = `${PREFIX}No value set in Value proto`;
const NOT_FINITE = `${PREFIX}google.protobuf.Value cannot encode double values for infinity or nan, because they would be parsed as a string`;

/** Returns the error with which C-core fails to print a Struct as JSON; `undefined` if it can. */
export function structProblem({ fields }: Struct): string | undefined {
  for (const value of fields.values()) {
    const problem = valueProblem(value);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function valueProblem({ kind }: Value): string | undefined {
  if (kind === undefined) return NO_KIND;
  if (kind.kind === 'numberValue') return Number.isFinite(kind.value) ? undefined : NOT_FINITE;
  if (kind.kind === 'structValue') return structProblem(kind.value);
  if (kind.kind !== 'listValue') return undefined;
  for (const value of kind.value.values) {
    const problem = valueProblem(value);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** Converts a valid Struct to JSON. */
export function structToJson({ fields }: Struct): { [key: string]: Json } {
  const json: { [key: string]: Json } = Object.create(null);
  for (const [key, value] of fields) json[key] = valueToJson(value);
  return json;
}

function valueToJson({ kind }: Value): Json {
  if (kind === undefined) return null;
  switch (kind.kind) {
    case 'nullValue':
      return null;
    case 'structValue':
      return structToJson(kind.value);
    case 'listValue':
      return kind.value.values.map(valueToJson);
    default:
      return kind.value;
  }
}
