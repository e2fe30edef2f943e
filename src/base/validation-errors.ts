import { getOrAdd } from './get-or-add.js';
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

/** The depth of the current path; valid until that path is left. */
export type PathMark = number;

/** A field, an element of a list, the contents of an Any, or a segment whose printed text differs from its steps. */
type Segment = string | number | { inside: string } | { text: string; steps: readonly PathStep[] };

const NO_ERRORS = new Map<string, { steps: PathStep[]; reasons: Set<string> }>();

/**
 * Collects all errors of a document by field, and prints them like C-core: paths and reasons in byte order, each reason
 * of a path once. Builds a path only when an error is added, because most fields have none.
 */
export class ValidationErrors {
  readonly #segments: Segment[] = [];
  /** Created with the first error, because most documents have none. */
  #byPath: Map<string, { steps: PathStep[]; reasons: Set<string> }> = NO_ERRORS;

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
    if (this.#byPath === NO_ERRORS) this.#byPath = new Map();
    const at = getOrAdd(this.#byPath, path, () => ({ steps, reasons: new Set<string>() }));
    if (at.reasons.size < MAX_REASONS) at.reasons.add(reason);
  }

  /** Number of paths with errors. C-core compares it to detect errors in a part of a document. */
  get size(): number {
    return this.#byPath.size;
  }

  get fieldHasErrors(): boolean {
    return this.#byPath.has(this.pathAt(this.mark).path);
  }

  list(): FieldError[] {
    const paths = [...this.#byPath].sort(([a], [b]) => compareUtf8(a, b));
    return paths.flatMap(([path, { steps, reasons }]) =>
      [...reasons].sort(compareUtf8).map((reason) => ({ path, steps, reason })),
    );
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
    const paths = [...this.#byPath].sort(([a], [b]) => compareUtf8(a, b));
    const items = paths.map(([path, { reasons }]) => {
      const sorted = [...reasons].sort(compareUtf8);
      return sorted.length === 1 ? `field:${path} error:${sorted[0]}` : `field:${path} errors:[${sorted.join('; ')}]`;
    });
    return `${prefix}: [${items.join('; ')}]`;
  }
}
