import { getOrAdd } from './get-or-add.js';
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

/** How deep a place is; only good until it is left. */
export type PathMark = number;

/** A field, an element of a list, what is inside an Any, or something that is printed otherwise than it is found. */
type Segment = string | number | { inside: string } | { text: string; steps: readonly PathStep[] };

const NO_ERRORS = new Map<string, { steps: PathStep[]; reasons: Set<string> }>();

/**
 * Collects every error of a document by field, and prints them as C-core does: paths and reasons in byte order, each
 * reason of a path once. Paths are put together only where there is something to say: most places are passed in silence.
 */
export class ValidationErrors {
  readonly #segments: Segment[] = [];
  /** Made with the first error: most documents have none. */
  #byPath: Map<string, { steps: PathStep[]; reasons: Set<string> }> = NO_ERRORS;

  /** Runs `inside` with its errors placed under a field of an object. */
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

  /** A segment that is printed as it is: a path with several steps, or a key without quotes. */
  segment<T>(text: string, steps: readonly PathStep[], inside: () => T): T {
    this.#segments.push({ text, steps });
    const result = inside();
    this.leave();
    return result;
  }

  /** An entry of a map whose keys are printed in quotes, as they are. */
  entry<T>(key: string, inside: () => T): T {
    return this.segment(`["${key}"]`, [key], inside);
  }

  /** For loops that are run often: what `field` and `element` do, to be undone with `leave`. */
  enter(step: string | number): void {
    this.#segments.push(step);
  }

  /** The contents of an Any of some type, which the path names and the document does not. */
  enterAny(type: string): void {
    this.#segments.push({ inside: type });
  }

  leave(): void {
    this.#segments.pop();
  }

  /** Returns undefined, for readers that return no value where they add an error. */
  add(reason: string): undefined {
    const { path, steps } = this.pathAt(this.mark);
    if (this.#byPath === NO_ERRORS) this.#byPath = new Map();
    const at = getOrAdd(this.#byPath, path, () => ({ steps, reasons: new Set<string>() }));
    if (at.reasons.size < MAX_REASONS) at.reasons.add(reason);
  }

  /** How many paths have errors; C-core compares this to see whether a part of a document had any. */
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

  /** Remembers the current place at no cost; `placeAt` tells what it was. */
  get mark(): PathMark {
    return this.#segments.length;
  }

  /** The place as it is printed, without the dot of its first segment, and as steps into the document. */
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
