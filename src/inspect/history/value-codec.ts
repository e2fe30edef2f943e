import { fromBase64, toBase64 } from '../../base/base64.js';
import { Ipv4Endpoint, type ResolvedEndpoint } from '../../resources/resolved-endpoint.js';

/** The kinds of values that JSON does not have. Short, because some are frequent. */
const TAGS = {
  undefined: 'u',
  number: 'n',
  bigint: 'i',
  map: 'm',
  set: 's',
  bytes: 'b',
  endpoint: 'e',
  /** An object with a field that JSON or this encoding gives a meaning. */
  object: 'o',
} as const;
/** Encodes and decodes bytes; the platform may have something faster than `src/base`. */
export type ToBase64 = (bytes: Uint8Array) => string;
export type FromBase64 = (text: string) => Uint8Array | undefined;

type Tag = (typeof TAGS)[keyof typeof TAGS];

/** Lists of at least this length are sent once, even if they contain only strings and numbers. */
const LONG_LIST = 20;

/**
 * Encodes values as JSON text. JSON values stand for themselves. Other values are an object with the field `$`: its tag,
 * or the number of an object that was sent before. Objects keep their identity: a configuration contains the same
 * objects as the cache, so each of them is sent once.
 */
export class ValueEncoder {
  readonly #base64: ToBase64;
  /** Weak: an encoder does not keep what it has sent. */
  #sent = new WeakMap<object, number>();
  #count = 0;

  constructor(base64: ToBase64 = toBase64) {
    this.#base64 = base64;
  }

  /** The number of objects that the decoder keeps. */
  get size(): number {
    return this.#count;
  }

  /** Forgets the objects that were sent. The decoder must do the same. */
  reset(): void {
    this.#sent = new WeakMap();
    this.#count = 0;
  }

  encode(value: unknown): string {
    if (typeof value !== 'object' || value === null) return primitive(value);
    const sent = this.#sent.get(value);
    if (sent !== undefined) return `{"$":${sent}}`;
    const text = this.#composite(value);
    if (isShared(value)) this.#sent.set(value, this.#count++);
    return text;
  }

  #composite(value: object): string {
    if (Array.isArray(value)) return this.#list(value);
    if (value instanceof Map) return tagged(TAGS.map, this.#list([...value].flat(1)));
    if (value instanceof Set) return tagged(TAGS.set, this.#list([...value]));
    if (value instanceof Uint8Array) return tagged(TAGS.bytes, `"${this.#base64(value)}"`);
    if (value instanceof Ipv4Endpoint) {
      const { v4, port, health, weight, hostname } = value;
      return tagged(TAGS.endpoint, JSON.stringify([v4, port, health, weight, hostname]));
    }
    const entries = Object.entries(value);
    if (entries.some(([key]) => key === '$' || key === '__proto__'))
      return tagged(TAGS.object, this.#list(entries.flat(1)));
    return `{${entries.map(([key, field]) => `${JSON.stringify(key)}:${this.encode(field)}`).join(',')}}`;
  }

  #list(values: readonly unknown[]): string {
    return `[${values.map((value) => this.encode(value)).join(',')}]`;
  }
}

/** Decodes what an encoder has encoded, in the same order. */
export class ValueDecoder {
  readonly #base64: FromBase64;
  #received: unknown[] = [];

  constructor(base64: FromBase64 = fromBase64) {
    this.#base64 = base64;
  }

  reset(): void {
    this.#received = [];
  }

  /** Takes a parsed JSON value, which it may change. */
  decode(json: unknown): unknown {
    if (typeof json !== 'object' || json === null) return json;
    const { $: tag, v } = json as { $?: number | Tag; v?: unknown };
    if (typeof tag === 'number') return this.#received[tag];
    const value = tag === undefined || Array.isArray(json) ? this.#plain(json) : this.#tagged(tag, v);
    if (typeof value === 'object' && value !== null && isShared(value)) this.#received.push(value);
    return value;
  }

  #plain(json: object): object {
    if (Array.isArray(json)) return this.#list(json);
    const fields = json as Record<string, unknown>;
    for (const key of Object.keys(fields)) fields[key] = this.decode(fields[key]);
    return fields;
  }

  #list(values: unknown): unknown[] {
    const list = values as unknown[];
    for (const [i, value] of list.entries()) list[i] = this.decode(value);
    return list;
  }

  #tagged(tag: Tag, v: unknown): unknown {
    switch (tag) {
      case TAGS.undefined:
        return undefined;
      case TAGS.number:
        return Number(v);
      case TAGS.bigint:
        return BigInt(v as string);
      case TAGS.map:
        return new Map(pairs(this.#list(v)));
      case TAGS.set:
        return new Set(this.#list(v));
      case TAGS.bytes:
        return this.#base64(v as string);
      case TAGS.endpoint: {
        const [v4, port, health, weight, hostname] = v as [number, number, ResolvedEndpoint['health'], number, string];
        return new Ipv4Endpoint(v4, port, health, weight, hostname);
      }
      default:
        // `fromEntries` defines a field that is called `__proto__`; an assignment would not.
        return Object.fromEntries(pairs(this.#list(v)) as [string, unknown][]);
    }
  }
}

/**
 * Whether an object has a number. Both sides decide it from the object itself. Small objects without objects in them
 * have none: there are many, and a reference would not be shorter.
 */
function isShared(value: object): boolean {
  if (value instanceof Uint8Array) return true;
  if (value instanceof Ipv4Endpoint) return false;
  if (Array.isArray(value)) return value.length >= LONG_LIST || value.some(isObject);
  if (value instanceof Map)
    return value.size >= LONG_LIST || [...value].some(([key, of]) => isObject(key) || isObject(of));
  if (value instanceof Set) return value.size >= LONG_LIST || [...value].some(isObject);
  return Object.values(value).some(isObject);
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

function primitive(value: unknown): string {
  if (value === undefined) return `{"$":"${TAGS.undefined}"}`;
  if (typeof value === 'bigint') return tagged(TAGS.bigint, `"${value}"`);
  if (typeof value === 'number' && (!Number.isFinite(value) || Object.is(value, -0)))
    return tagged(TAGS.number, `"${Object.is(value, -0) ? '-0' : value}"`);
  if (typeof value === 'function' || typeof value === 'symbol') throw new Error(`cannot send a ${typeof value}`);
  return JSON.stringify(value);
}

function tagged(tag: Tag, v: string): string {
  return `{"$":"${tag}","v":${v}}`;
}

function pairs(flat: unknown[]): [unknown, unknown][] {
  const result: [unknown, unknown][] = [];
  for (let i = 0; i < flat.length; i += 2) result.push([flat[i], flat[i + 1]]);
  return result;
}
