import type { PathStep } from './problem.js';
import { compareUtf8 } from './utf8-order.js';

/** C-core keeps this many different reasons for one path; later ones are dropped. */
const MAX_REASONS = 20;

/** What is wrong with one field. */
export interface FieldError {
  /** As C-core prints it: `xds_servers[0].channel_creds`. */
  path: string;
  /** The same as steps, to find the place in a document. */
  steps: readonly PathStep[];
  reason: string;
}

/** How deep a place is. */
export interface PlaceMark {
  segments: number;
  steps: number;
}

/**
 * Collects every error of a document by field, and prints them as C-core does: paths and reasons in byte order, each
 * reason of a path once. Segments carry their own punctuation (`.name`, `[3]`, `["key"]`).
 */
export class ValidationErrors {
  readonly #segments: string[] = [];
  readonly #steps: PathStep[] = [];
  readonly #byPath = new Map<string, { steps: PathStep[]; reasons: Set<string> }>();

  /** Runs `inside` with its errors placed under a field of an object. */
  field<T>(name: string, inside: () => T): T {
    return this.#at(`.${name}`, [name], inside);
  }

  /** A segment that is printed as it is: a path with several steps, or a key without quotes. */
  segment<T>(text: string, steps: readonly PathStep[], inside: () => T): T {
    return this.#at(text, steps, inside);
  }

  element<T>(index: number, inside: () => T): T {
    return this.#at(`[${index}]`, [index], inside);
  }

  /** An entry of a map whose keys are printed in quotes, as they are. */
  entry<T>(key: string, inside: () => T): T {
    return this.#at(`["${key}"]`, [key], inside);
  }

  add(reason: string): void {
    const path = this.#path();
    let at = this.#byPath.get(path);
    if (at === undefined) {
      at = { steps: [...this.#steps], reasons: new Set() };
      this.#byPath.set(path, at);
    }
    if (at.reasons.size < MAX_REASONS) at.reasons.add(reason);
  }

  /** How many paths have errors; C-core compares this to see whether a part of a document had any. */
  get size(): number {
    return this.#byPath.size;
  }

  get fieldHasErrors(): boolean {
    return this.#byPath.has(this.#path());
  }

  list(): FieldError[] {
    const paths = [...this.#byPath].sort(([a], [b]) => compareUtf8(a, b));
    return paths.flatMap(([path, { steps, reasons }]) =>
      [...reasons].sort(compareUtf8).map((reason) => ({ path, steps, reason })),
    );
  }

  /** The same as steps, to find the place in a document. */
  get steps(): PathStep[] {
    return [...this.#steps];
  }

  /** Remembers the current place at no cost; `placeAt` tells what it was, as long as it has not been left. */
  get mark(): PlaceMark {
    return { segments: this.#segments.length, steps: this.#steps.length };
  }

  placeAt({ segments, steps }: PlaceMark): { path: string; steps: PathStep[] } {
    return { path: withoutDot(this.#segments.slice(0, segments).join('')), steps: this.#steps.slice(0, steps) };
  }

  /** The path of whatever is added now, as it would be printed. */
  get path(): string {
    return this.#path();
  }

  /** `prefix: [field:a error:x; field:b errors:[y; z]]` */
  message(prefix: string): string {
    const paths = [...this.#byPath].sort(([a], [b]) => compareUtf8(a, b));
    const items = paths.map(([path, { reasons }]) => {
      const sorted = [...reasons].sort(compareUtf8);
      return sorted.length === 1 ? `field:${path} error:${sorted[0]}` : `field:${path} errors:[${sorted.join('; ')}]`;
    });
    return `${prefix}: [${items.join('; ')}]`;
  }

  #at<T>(segment: string, steps: readonly PathStep[], inside: () => T): T {
    this.#segments.push(segment);
    this.#steps.push(...steps);
    try {
      return inside();
    } finally {
      this.#segments.pop();
      this.#steps.length -= steps.length;
    }
  }

  /** The dot of the first segment is not printed. */
  #path(): string {
    return withoutDot(this.#segments.join(''));
  }
}

function withoutDot(path: string): string {
  return path.startsWith('.') ? path.slice(1) : path;
}
