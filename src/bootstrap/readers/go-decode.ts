import type { PathStep } from '../../base/problem.js';
import type { RawNode } from './raw-json.js';
import { Rejection } from './rejection.js';

/** A Go type, into which encoding/json decodes a value. */
export interface GoType<T> {
  /** As Go prints it in errors. */
  name: string;
  /** Decodes a value over the value that the variable has. */
  decode(node: RawNode, before: T, scope: GoScope): T;
}

/** A value of the wrong type. Go decodes the rest of the document and then reports the first one. */
class TypeMismatch extends Rejection {
  readonly #value: string;
  readonly #type: string;

  constructor(value: string, type: string, field: string, steps: readonly PathStep[]) {
    const target = field === '' ? 'Go value' : `Go struct field ${field}`;
    super(`json: cannot unmarshal ${value} into ${target} of type ${type}`, steps);
    this.#value = value;
    this.#type = type;
    this.path = field.slice(field.indexOf('.') + 1);
  }

  /** The names of the fields of structs on the way to the value. */
  readonly path: string;

  inside(struct: string, fields: readonly string[]): TypeMismatch {
    const path = [...fields, ...(this.path === '' ? [] : [this.path])].join('.');
    return new TypeMismatch(this.#value, this.#type, `${struct}.${path}`, this.steps);
  }
}

/** The position of a decoder in a document. */
class GoScope {
  readonly steps: PathStep[];
  /** The innermost struct, and the fields that lead to the value. */
  struct = '';
  fields: readonly string[] = [];
  mismatch: TypeMismatch | undefined;

  constructor(steps: readonly PathStep[]) {
    this.steps = [...steps];
  }

  /** Remembers a value of the wrong type and keeps the value of the variable. */
  keep<T>(node: RawNode, type: string, before: T): T {
    const value = node.kind === 'boolean' ? 'bool' : node.kind;
    this.mismatch ??= this.#located(new TypeMismatch(value, type, '', this.steps));
    return before;
  }

  /** Adds the names of fields to the first error. */
  locate(error: unknown): unknown {
    return error instanceof TypeMismatch ? this.#located(error) : error;
  }

  #located(error: TypeMismatch): TypeMismatch {
    return this.fields.length === 0 ? error : error.inside(this.struct, this.fields);
  }

  at<T>(step: PathStep, inside: () => T): T {
    this.steps.push(step);
    const result = inside();
    this.steps.pop();
    return result;
  }
}

/** json.Unmarshal: an error of a type's own decoder ends it, and precedes all values of the wrong type. */
export function unmarshal<T>(type: GoType<T>, node: RawNode, before: T, steps: readonly PathStep[]): T {
  const scope = new GoScope(steps);
  let value: T;
  try {
    value = type.decode(node, before, scope);
  } catch (error) {
    throw scope.locate(error);
  }
  if (scope.mismatch !== undefined) throw scope.mismatch;
  return value;
}

export const goString: GoType<string> = {
  name: 'string',
  decode(node, before, scope) {
    if (node.kind === 'string') return node.value;
    return node.kind === 'null' ? before : scope.keep(node, 'string', before);
  },
};

/** json.RawMessage: keeps any value, also null. */
export const goRaw: GoType<RawNode | undefined> = { name: 'json.RawMessage', decode: (node) => node };

export function goSlice<T>(element: GoType<T>, empty: T): GoType<T[]> {
  const name = `[]${element.name}`;
  return {
    name,
    decode(node, before, scope) {
      if (node.kind === 'null') return [];
      if (node.kind !== 'array') return scope.keep(node, name, before);
      return node.elements.map((one, i) => scope.at(i, () => element.decode(one, empty, scope)));
    },
  };
}

/** A map from strings. A repeated key replaces its value. */
export function goMap<T>(element: GoType<T>, empty: T): GoType<ReadonlyMap<string, T>> {
  const name = `map[string]${element.name}`;
  return {
    name,
    decode(node, before, scope) {
      if (node.kind === 'null') return new Map();
      if (node.kind !== 'object') return scope.keep(node, name, before);
      const map = new Map(before);
      for (const { key, node: value } of node.members)
        map.set(
          key,
          scope.at(key, () => element.decode(value, empty, scope)),
        );
      return map;
    },
  };
}

/** A pointer: null makes it nil. */
export function goPointer<T>(type: GoType<T>, empty: T): GoType<T | undefined> {
  return {
    name: `*${type.name}`,
    decode: (node, _before, scope) => (node.kind === 'null' ? undefined : type.decode(node, empty, scope)),
  };
}

/** A type with its own UnmarshalJSON. */
export function goCustom<T>(name: string, read: (node: RawNode, steps: readonly PathStep[]) => T): GoType<T> {
  return { name, decode: (node, _before, scope) => read(node, scope.steps) };
}

/** A struct: keys that differ in case only also match, and a repeated key decodes over its value. */
export function goStruct<T extends object>(
  struct: string,
  fields: { [K in keyof T & string]: GoType<T[K]> },
  name = `bootstrap.${struct}`,
): GoType<T> {
  const names = Object.keys(fields) as (keyof T & string)[];
  return {
    name,
    decode(node, before, scope) {
      if (node.kind === 'null') return before;
      if (node.kind !== 'object') return scope.keep(node, name, before);
      const value = { ...before };
      const outer = { struct: scope.struct, fields: scope.fields };
      for (const { key, node: member } of node.members) {
        const field = names.find((one) => one === key) ?? names.find((one) => one === folded(key));
        if (field === undefined) continue;
        scope.struct = struct;
        scope.fields = [...outer.fields, field];
        value[field] = scope.at(key, () => fields[field].decode(member, value[field], scope));
        Object.assign(scope, outer);
      }
      return value;
    },
  };
}

/** Go also equates two letters outside ASCII: the long s, and the sign of Kelvin. */
function folded(key: string): string {
  return key.toUpperCase().toLowerCase();
}
