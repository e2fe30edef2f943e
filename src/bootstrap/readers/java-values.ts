import type { PathStep } from '../../base/problem.js';
import type { RawNode, RawObjectNode } from './raw-json.js';
import { Rejection } from './rejection.js';

/** Prints a value of grpc-java's JsonParser like Java's toString. */
function javaText(node: RawNode): string {
  switch (node.kind) {
    case 'object':
      return `{${[...node.fields].map(([key, { node: value }]) => `${key}=${javaText(value)}`).join(', ')}}`;
    case 'array':
      return `[${node.elements.map(javaText).join(', ')}]`;
    case 'number':
      return javaDouble(Number(node.text));
    case 'null':
      return 'null';
    default:
      return String(node.value);
  }
}

/** Double.toString: 1.0, 1.0E10, 1.0E-5 */
function javaDouble(value: number): string {
  if (Object.is(value, -0)) return '-0.0';
  const size = Math.abs(value);
  if (value === 0 || (size >= 1e-3 && size < 1e7)) return Number.isInteger(value) ? `${value}.0` : String(value);
  const [digits = '', exponent = ''] = value.toExponential().split('e');
  return `${digits.includes('.') ? digits : `${digits}.0`}E${Number(exponent)}`;
}

const KINDS = { object: 'object', array: 'List', string: 'String', boolean: 'Boolean' } as const;

/** Returns a member; undefined if there is none. Another kind of value, also null, is an error. */
export function javaMember<K extends keyof typeof KINDS>(
  object: RawObjectNode,
  key: string,
  kind: K,
  steps: readonly PathStep[],
): Extract<RawNode, { kind: K }> | undefined {
  const node = object.fields.get(key)?.node;
  if (node === undefined || hasKind(node, kind)) return node;
  const message = `value '${javaText(node)}' for key '${key}' in '${javaText(object)}' is not ${KINDS[kind]}`;
  throw new Rejection(message, [...steps, key]);
}

function hasKind<K extends RawNode['kind']>(node: RawNode, kind: K): node is Extract<RawNode, { kind: K }> {
  return node.kind === kind;
}

/** Returns the elements of a list, which must be objects. */
export function javaObjects(list: Extract<RawNode, { kind: 'array' }>, steps: readonly PathStep[]): RawObjectNode[] {
  return list.elements.map((node, i) => {
    if (node.kind === 'object') return node;
    const message = `value ${javaText(node)} for idx ${i} in ${javaText(list)} is not object`;
    throw new Rejection(message, [...steps, i]);
  });
}
