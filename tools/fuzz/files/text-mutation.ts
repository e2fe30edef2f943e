import type { Dice } from '../../oracle/mutation/dice.js';
import { brokenBytes } from '../../oracle/mutation/mutate.js';
import { HOSTILE } from '../engine/universe.js';

/** Copied on use: a later change of the document would change the value for all documents, and could nest it in itself. */
const VALUES: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -1,
  1.5,
  1e21,
  4294967296,
  '',
  'x',
  '1',
  '1s',
  '-1s',
  '1e999s',
  'xds:///a',
  'xdstp://a/b/c',
  '%s%%ff',
  'CDS',
  '>=1',
  '__proto__',
  'constructor',
  HOSTILE,
  'long '.repeat(200),
  [],
  {},
  [[]],
  { '@type': 'x' },
];
const TOKENS = [
  '{',
  '}',
  '[',
  ']',
  ',',
  ':',
  '"',
  "'",
  '- ',
  '#',
  '|',
  '>',
  '&a',
  '*a',
  '!!binary',
  '---',
  '\n',
  ' ',
  '\t',
  '\0',
  '\ufeff',
  '9'.repeat(400),
  '\\u0000',
  '\\ud800',
  '1e400',
  '~',
  '? ',
  '<<: ',
  HOSTILE,
];

/** Changes bytes or tokens of a text. */
export function mutatedText(text: Buffer, dice: Dice): Buffer {
  let current = text;
  for (let changes = 1 + dice.below(4); changes > 0; changes--) {
    const at = dice.below(current.length + 1);
    const length = dice.pick([1, 5, 30, 200]);
    current = dice.weighted<() => Buffer>([
      [4, () => brokenBytes(current, dice)],
      [4, () => Buffer.concat([current.subarray(0, at), Buffer.from(dice.pick(TOKENS)), current.subarray(at)])],
      [2, () => Buffer.concat([current.subarray(0, at), current.subarray(at + length)])],
      [2, () => Buffer.concat([current.subarray(0, at + length), current.subarray(at)])],
    ])();
  }
  return current;
}

/** Changes a value of JSON: removes, renames, replaces, repeats or nests parts of it. */
export function mutatedValue(value: unknown, dice: Dice): unknown {
  const copy = structuredClone(value);
  for (let changes = 1 + dice.below(3); changes > 0; changes--) changeValue(copy, dice);
  return copy;
}

type Container = Record<string, unknown>;

function changeValue(value: unknown, dice: Dice): void {
  const containers = [...containersIn(value)];
  if (containers.length === 0) return;
  const container = dice.pick(containers);
  const keys = Object.keys(container);
  if (keys.length === 0) return;
  const key = dice.pick(keys);
  const other = dice.weighted<(() => unknown) | 'remove' | 'rename'>([
    [3, 'remove'],
    [2, 'rename'],
    [5, () => structuredClone(dice.pick(VALUES))],
    [2, () => structuredClone(dice.pick(containers))],
    [1, () => [container[key], container[key]]],
    [1, () => nested(container[key], dice.pick([3, 60, 300]))],
  ]);
  if (other === 'remove') remove(container, key);
  else if (other === 'rename') rename(container, key, String(dice.pick(VALUES)));
  else container[key] = other();
}

function* containersIn(value: unknown): Iterable<Container> {
  if (typeof value !== 'object' || value === null) return;
  yield value as Container;
  for (const one of Object.values(value)) yield* containersIn(one);
}

function remove(container: Container, key: string): void {
  if (Array.isArray(container)) container.splice(Number(key), 1);
  else delete container[key];
}

function rename(container: Container, from: string, to: string): void {
  if (Array.isArray(container)) return;
  const value = container[from];
  delete container[from];
  Object.defineProperty(container, to, { value, enumerable: true, configurable: true, writable: true });
}

function nested(value: unknown, depth: number): unknown {
  let current = value;
  for (let i = 0; i < depth; i++) current = i % 2 === 0 ? [current] : { a: current };
  return current;
}
