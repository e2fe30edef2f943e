import { fromBase64 } from '../../base/base64.js';
import { joinBytes } from '../../base/bytes.js';
import { isPreset, PRESET_NAMES } from '../../bootstrap/preset-names.js';
import type { Input } from '../../core/input.js';
import { NEWEST_SCHEMA, type RecordedFetch, type RecordingHeader } from './header.js';
import { isNaturalNumber, readInput } from './input-fields.js';

/** A decoded line of a recording. */
export type Line =
  | { kind: 'header'; header: RecordingHeader }
  | { kind: 'input'; at: number; input: Input }
  | { kind: 'end'; at: number; reason: string }
  /** The line is invalid, and so are the lines after it. `what` describes the problem. */
  | { kind: 'damage'; what: string };

/** Larger messages are not recorded: gRPC's limit is 4 MiB, and that of this tool 128 MiB. */
const MAX_MESSAGE_BYTES = 256 * 1024 * 1024;
const MAX_MESSAGE_PARTS = 10_000_000;

const SCHEMA = /^xds-inspect\/recording\/v(\d+)$/;
const VERSION = Number(SCHEMA.exec(NEWEST_SCHEMA)?.[1]);

/** Decodes a recording line by line. Validates every field, since a file may contain anything. */
export class RecordingDecoder {
  readonly #fromBase64: (text: string) => Uint8Array | undefined;
  /** All parts of earlier messages; later messages refer to them by index. */
  readonly #parts: Uint8Array[] = [];
  #start: number | undefined;

  /** `base64` may be a decoder that is faster than the one of `src/base`. */
  constructor(base64: (text: string) => Uint8Array | undefined = fromBase64) {
    this.#fromBase64 = base64;
  }

  line(text: string): Line {
    let json: unknown;
    try {
      json = JSON.parse(text);
    } catch {
      return damage('it is not JSON');
    }
    if (typeof json !== 'object' || json === null || Array.isArray(json)) return damage('it is not a JSON object');
    const fields = json as Record<string, unknown>;
    return this.#start === undefined ? this.#header(fields) : this.#entry(fields, this.#start);
  }

  #header(fields: Record<string, unknown>): Line {
    const { schema } = fields;
    const version = typeof schema === 'string' ? SCHEMA.exec(schema)?.[1] : undefined;
    if (version === undefined) return damage('it is not the first line of a recording made by xds-inspect');
    if (Number(version) > VERSION) {
      return damage(
        `it was made by a newer version of xds-inspect (${textOrUnknown(fields.version)}): its format is ${schema}, this version reads up to ${NEWEST_SCHEMA}`,
      );
    }
    const header = fields as unknown as RecordingHeader;
    const invalid = HEADER_FIELDS.find(([name, isValid]) => !isValid(fields[name]));
    if (invalid?.[0] === 'as' && typeof fields.as === 'string') return damage(unknownPreset(fields.as));
    if (invalid !== undefined) return damage(`"${invalid[0]}" is missing or invalid`);
    this.#start = header.start;
    return { kind: 'header', header };
  }

  #entry({ at, ...fields }: Record<string, unknown>, start: number): Line {
    if (typeof at !== 'number' || !Number.isFinite(at)) return damage('"at" is not a time');
    const time = start + at;
    if (fields.kind === 'end') return { kind: 'end', at: time, reason: textOrUnknown(fields.reason) };
    const input = fields.kind === 'message' ? this.#message(fields) : readInput(fields);
    return typeof input === 'string' ? damage(input) : { kind: 'input', at: time, input };
  }

  #message({ stream, parts }: Record<string, unknown>): Input | string {
    if (!isNaturalNumber(stream)) return '"stream" is missing or invalid';
    if (!Array.isArray(parts)) return '"parts" is not a list';
    const chunks: Uint8Array[] = [];
    let size = 0;
    for (const part of parts) {
      const bytes = Array.isArray(part) ? this.#referencedParts(part) : this.#newParts(part);
      if (typeof bytes === 'string') return bytes;
      for (const one of bytes) size += one.length;
      if (size > MAX_MESSAGE_BYTES || chunks.length + bytes.length > MAX_MESSAGE_PARTS)
        return 'the message is too large';
      for (const one of bytes) chunks.push(one);
    }
    return { kind: 'message', stream: stream as number, bytes: joinBytes(chunks) };
  }

  /** Decodes new bytes: one part, or several with their lengths. */
  #newParts(part: unknown): Uint8Array[] | string {
    const { bytes: text, lengths }: Record<string, unknown> = Object(typeof part === 'string' ? { bytes: part } : part);
    const bytes = typeof text === 'string' ? this.#fromBase64(text) : undefined;
    if (bytes === undefined) return 'a part is not base64';
    const parts = lengths === undefined ? [bytes] : cut(bytes, lengths);
    if (parts === undefined) return 'the lengths of the parts do not add up to the number of bytes';
    for (const one of parts) this.#parts.push(one);
    return parts;
  }

  #referencedParts(part: readonly unknown[]): Uint8Array[] | string {
    const [first, count] = part;
    if (!isNaturalNumber(first) || !isNaturalNumber(count) || first + count > this.#parts.length) {
      return `a part refers to ${JSON.stringify(part)}, which does not exist`;
    }
    return this.#parts.slice(first, first + count);
  }
}

function cut(bytes: Uint8Array, lengths: unknown): Uint8Array[] | undefined {
  if (!Array.isArray(lengths)) return undefined;
  let at = 0;
  const parts: Uint8Array[] = [];
  for (const length of lengths) {
    if (!isNaturalNumber(length)) return undefined;
    parts.push(bytes.subarray(at, at + length));
    at += length;
  }
  return at === bytes.length ? parts : undefined;
}

function damage(what: string): Line {
  return { kind: 'damage', what };
}

function unknownPreset(name: string): string {
  return `it was recorded with --as ${name}, which this version does not know; it knows ${PRESET_NAMES.join(', ')}`;
}

function textOrUnknown(value: unknown): string {
  return typeof value === 'string' ? value : 'unknown';
}

const isText = (value: unknown): boolean => typeof value === 'string';
const isNumber = (value: unknown): boolean => typeof value === 'number' && Number.isFinite(value);
const isRecordOf =
  (isValid: (value: unknown) => boolean) =>
  (value: unknown): boolean =>
    typeof value === 'object' && value !== null && !Array.isArray(value) && Object.values(value).every(isValid);

const isTime = (value: unknown): boolean => value === null || (isNumber(value) && (value as number) >= 0);
const isFlag = (value: unknown): boolean => typeof value === 'boolean';

const FETCH_FIELDS: [keyof RecordedFetch, (value: unknown) => boolean][] = [
  ['typeUrl', isText],
  ['names', (value) => Array.isArray(value) && value.every(isText)],
  ['ignoresAuthorities', isFlag],
  ['nack', (value) => value === null || isText(value)],
  ['follows', isFlag],
  ['timeoutMs', isTime],
];

function isFetch(value: unknown): boolean {
  return FETCH_FIELDS.every(([name, isValid]) => isValid(Object(value)[name]));
}

const HEADER_FIELDS: [keyof RecordingHeader, (value: unknown) => boolean][] = [
  ['tool', (value) => value === 'xds-inspect'],
  ['version', isText],
  ['start', isNumber],
  ['as', isPreset],
  ['source', isText],
  ['bootstrap', isRecordOf(() => true)],
  ['variables', isRecordOf(isText)],
  ['userAgent', isRecordOf(isText)],
  ['interfaces', isRecordOf(isNumber)],
  ['seed', isNumber],
  ['tearGraceMs', isTime],
  ['secrets', isText],
  ['fetch', (value) => value === undefined || isFetch(value)],
];
