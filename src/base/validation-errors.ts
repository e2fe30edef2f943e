import { MAX_NACK_LENGTH } from './limits.js';
import type { PathStep } from './problem.js';
import { compareUtf8 } from './utf8-order.js';

/** C-core keeps this many different reasons for one path and drops later ones. */
const MAX_REASONS = 20;

/** An error of one field. */
export interface FieldError {
  /** In the format of C-core: `xds_servers[0].channel_creds`. */
  path: string;
  /** The same path as steps, to find its position in a document. */
  steps: readonly PathStep[];
  reason: string;
}

/** Joins error texts, by default as C-core does, up to the longest NACK message. Further errors are counted. */
export class LimitedText {
  readonly #separator: string;
  readonly #texts: string[] = [];
  #length = 0;
  #omitted = 0;

  constructor(separator = '; ') {
    this.#separator = separator;
  }

  /** `count` is the number of errors in the text. */
  add(text: string, count = 1): void {
    const isFull = this.#omitted > 0 || this.#length + text.length + 2 > MAX_NACK_LENGTH;
    // The first text is never cut: it is not longer than the response.
    if (isFull && this.#length > 0) this.#omitted += count;
    else this.#texts.push(text);
    this.#length += text.length + 2;
  }

  omit(count: number): void {
    this.#omitted += count;
  }

  get isEmpty(): boolean {
    return this.#length === 0;
  }

  get joined(): string {
    const more = this.#omitted === 0 ? [] : [moreErrors(this.#omitted)];
    return [...this.#texts, ...more].join(this.#separator);
  }
}

function moreErrors(count: number): string {
  return `${count} more errors omitted`;
}

/** The depth of the current path; valid until that path is left. */
export type PathMark = number;

/** A field, an element of a list, the contents of an Any, or a segment whose printed text differs from its steps. */
type Segment = string | number | { inside: string } | { text: string; steps: readonly PathStep[] };

/** The reasons of an error. Most paths have one, which needs no set. */
type Reasons = string | Set<string>;

const NO_ERRORS = new Map<string, Reasons>();

/** Problems are printed one by one, with their positions. */
const MAX_PROBLEMS = 1000;

/** Far more errors than a message can contain. Readers stop after them. */
const MAX_ERRORS = 200_000;

/** The text around a path and a reason in a message. */
const ITEM_LENGTH = 'field: error:; '.length;

/** Errors beyond those that a message can contain are dropped when there are this many characters of them. */
const PRUNE_LENGTH = MAX_NACK_LENGTH * 1.25;

/**
 * Collects all errors of a document by field, and prints them like C-core: paths and reasons in byte order, each reason
 * of a path once. Builds a path only when an error is added, because most fields have none.
 */
export class ValidationErrors {
  readonly #segments: Segment[] = [];
  /** Created with the first error, because most documents have none. */
  #byPath: Map<string, Reasons> = NO_ERRORS;
  /** The first errors in the order of the document. */
  readonly #first: FieldError[] = [];
  #count = 0;
  /** The characters of all paths and reasons. */
  #length = 0;
  /** Errors that are only counted: the message ends before their paths. */
  #dropped = 0;
  #firstDropped: string | undefined;

  /** Runs `inside`, and adds its errors below a field of an object. */
  field<T>(name: string, inside: () => T): T {
    this.enter(name);
    const result = inside();
    this.leave();
    return result;
  }

  element<T>(index: number, inside: () => T): T {
    this.enter(index);
    const result = inside();
    this.leave();
    return result;
  }

  /** Runs `inside` below a segment with a custom text: a path with several steps, or a key without quotes. */
  segment<T>(text: string, steps: readonly PathStep[], inside: () => T): T {
    this.#segments.push({ text, steps });
    const result = inside();
    this.leave();
    return result;
  }

  /** Runs `inside` below an entry of a map, whose key is printed in quotes without escapes. */
  entry<T>(key: string, inside: () => T): T {
    return this.segment(`["${key}"]`, [key], inside);
  }

  /** Enters a field or an element without a callback, for hot loops; must be followed by `leave`. */
  enter(step: string | number): void {
    this.#segments.push(step);
  }

  /** Enters the contents of an Any. The printed path contains its type; the document has no step for it. */
  enterAny(type: string): void {
    this.#segments.push({ inside: type });
  }

  leave(): void {
    this.#segments.pop();
  }

  /** Returns undefined, so that a reader can return the result of this call. */
  add(reason: string): undefined {
    const { path, steps } = this.pathAt(this.mark);
    if (this.#firstDropped !== undefined && compareUtf8(path, this.#firstDropped) >= 0) {
      this.#dropped++;
      return;
    }
    if (this.#byPath === NO_ERRORS) this.#byPath = new Map();
    const known = this.#byPath.get(path);
    if (known === undefined) this.#byPath.set(path, reason);
    else if (!addReason(this.#byPath, path, known, reason)) return;
    this.#count++;
    if (this.#first.length < MAX_PROBLEMS) this.#first.push({ path, steps, reason });
    this.#length += path.length + reason.length + ITEM_LENGTH;
    if (this.#length > PRUNE_LENGTH) this.#prune();
  }

  /** Drops the errors at the end of the message, so that a hostile document cannot fill the memory with errors. */
  #prune(): void {
    let [length, isFull] = [0, false];
    for (const [path, reasons] of this.#sorted()) {
      const list = listOf(reasons);
      const added = list.reduce((sum, reason) => sum + path.length + reason.length + ITEM_LENGTH, 0);
      if (!isFull && (length === 0 || length + added <= MAX_NACK_LENGTH)) {
        length += added;
        continue;
      }
      if (!isFull) this.#firstDropped = path;
      isFull = true;
      this.#dropped += list.length;
      this.#count -= list.length;
      this.#byPath.delete(path);
    }
    this.#length = length;
  }

  /** There are so many errors that the rest of the document need not be read. */
  get isFull(): boolean {
    return this.#count + this.#dropped >= MAX_ERRORS;
  }

  /** Number of paths with errors. C-core compares it to detect errors in a part of a document. */
  get size(): number {
    return this.#byPath.size + this.#dropped;
  }

  get fieldHasErrors(): boolean {
    return this.#byPath.has(this.pathAt(this.mark).path);
  }

  /** The first errors, by path. If there are very many, the last one has the number of the others. */
  list(): FieldError[] {
    const errors = [...this.#first].sort((a, b) => compareUtf8(a.path, b.path) || compareUtf8(a.reason, b.reason));
    const omitted = this.#count + this.#dropped - errors.length;
    return omitted === 0
      ? errors
      : [...errors, { path: '', steps: [], reason: `${omitted} more errors are not listed` }];
  }

  *#sorted(): Iterable<[string, Reasons]> {
    for (const path of [...this.#byPath.keys()].sort(compareUtf8)) {
      yield [path, this.#byPath.get(path) as Reasons];
    }
  }

  /** Marks the current path without building it; `pathAt` returns it. */
  get mark(): PathMark {
    return this.#segments.length;
  }

  /** Returns the printed path, without the dot of its first segment, and its steps in the document. */
  pathAt(mark: PathMark): { path: string; steps: PathStep[] } {
    let path = '';
    const steps: PathStep[] = [];
    for (const segment of this.#segments.slice(0, mark)) {
      if (typeof segment === 'object') {
        path += 'inside' in segment ? `.value[${segment.inside}]` : segment.text;
        if ('steps' in segment) steps.push(...segment.steps);
      } else {
        path += typeof segment === 'number' ? `[${segment}]` : `.${segment}`;
        steps.push(segment);
      }
    }
    return { path: path.startsWith('.') ? path.slice(1) : path, steps };
  }

  /** `prefix: [field:a error:x; field:b errors:[y; z]]` */
  message(prefix: string): string {
    const text = new LimitedText();
    for (const [path, reasons] of this.#sorted()) {
      const [first, ...others] = listOf(reasons);
      if (others.length === 0) text.add(`field:${path} error:${first}`);
      else text.add(`field:${path} errors:[${[first, ...others].join('; ')}]`, others.length + 1);
    }
    text.omit(this.#dropped);
    return `${prefix}: [${text.joined}]`;
  }
}

/** Adds a reason to those of a path. Returns false if it is known, or if C-core drops it. */
function addReason(byPath: Map<string, Reasons>, path: string, known: Reasons, reason: string): boolean {
  const all = typeof known === 'string' ? new Set([known]) : known;
  if (all.size >= MAX_REASONS || all.has(reason)) return false;
  all.add(reason);
  byPath.set(path, all);
  return true;
}

/** In byte order, as C-core prints them. */
function listOf(reasons: Reasons): string[] {
  return typeof reasons === 'string' ? [reasons] : [...reasons].sort(compareUtf8);
}
