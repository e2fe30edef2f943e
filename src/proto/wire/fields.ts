import type { Repeated } from './message-list.js';
import type { Reader } from './reader.js';

/** Shared by all messages without a value: every resource of a response is first an empty Any. */
export const NO_BYTES = new Uint8Array(0);

/**
 * Shared by all messages whose repeated or map field is empty. A message gets its own collection with its first
 * element.
 */
export const NO_ELEMENTS: readonly never[] = Object.freeze([]);
export const NO_ENTRIES: ReadonlyMap<never, never> = new Map<never, never>();

export function append<T>(list: readonly T[], element: T): readonly T[] {
  if (list.length === 0) return [element];
  (list as T[]).push(element);
  return list;
}

/** Whether the next element of a list is decoded at once. */
export function isEager<T>(reader: Reader, list: Repeated<T>): list is readonly T[] {
  return reader.room-- > 0 && Array.isArray(list);
}

/** Reads the key or the value of a map entry. */
export interface EntryPart<T> {
  tag: number;
  create: () => T;
  read: (reader: Reader, current: T) => T;
}

/**
 * Reads one map entry. The last entry of a key wins, and a missing value is the default. upb drops an entry that
 * contains an unknown field.
 */
export function readEntry<K, V>(
  reader: Reader,
  map: ReadonlyMap<K, V>,
  key: EntryPart<K>,
  value: EntryPart<V>,
): ReadonlyMap<K, V> {
  const stop = reader.delimited();
  const outer = reader.enter(stop);
  let k = key.create();
  let v = value.create();
  let isComplete = true;
  while (reader.pos < stop) {
    const tag = reader.tag();
    if (tag === key.tag) k = key.read(reader, k);
    else if (tag === value.tag) v = value.read(reader, v);
    else {
      reader.skip(tag);
      isComplete = false;
    }
  }
  reader.leave(outer);
  if (!isComplete) return map;
  if (map.size === 0) return new Map([[k, v]]);
  (map as Map<K, V>).set(k, v);
  return map;
}

/** Reads a `google.protobuf.*Value` wrapper directly as its scalar. `tag` is the tag of its field 1. */
export function readWrapped<T>(reader: Reader, current: T, tag: number, read: (reader: Reader) => T): T {
  const outer = reader.enter(reader.delimited());
  let value = current;
  while (reader.pos < reader.end) {
    const next = reader.tag();
    if (next === tag) value = read(reader);
    else reader.skip(next);
  }
  reader.leave(outer);
  return value;
}
