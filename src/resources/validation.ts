import type { PathStep } from '../base/problem.js';
import { type PathMark, ValidationErrors } from '../base/validation-errors.js';
import type { Repeated } from '../proto/wire/message-list.js';
import type { ResourceContext } from './context.js';
import type { IgnoredKind, IgnoredPart, Remark, ValidationResult } from './validation-result.js';

/** Ignored parts are printed one by one, with their positions. */
const MAX_IGNORED = 1000;

const NO_ITEMS: never[] = Object.freeze([]) as unknown as never[];

/** Collects the errors, ignored parts and remarks while one resource is validated. */
export class Validation {
  readonly context: ResourceContext;
  readonly errors = new ValidationErrors();
  readonly ignored: IgnoredPart[] = [];
  readonly remarks: Remark[] = [];
  #unlisted = 0;
  #parts = 0;
  #part: { kind: IgnoredKind; mark: PathMark } | undefined;

  constructor(context: ResourceContext) {
    this.context = context;
  }

  field<T>(name: string, inside: () => T): T {
    return this.errors.field(name, inside);
  }

  /** Runs `inside` with errors located at an element of a list field. */
  item<T>(name: string, index: number, inside: () => T): T {
    this.errors.enter(name);
    this.errors.enter(index);
    const result = inside();
    this.errors.leave();
    this.errors.leave();
    return result;
  }

  /**
   * Reads the elements of a list field and returns what gRPC uses of them. After an error in the list, the rest is only
   * validated: C-core drops the resource.
   */
  items<T, U>(name: string, list: Repeated<T>, read: (element: T, index: number) => U | undefined): U[] {
    // Most lists of a route are empty, and a resource can have very many routes.
    if (list.length === 0) return NO_ITEMS;
    const kept: U[] = [];
    const { keepsInvalidParts = false } = this.context;
    const before = this.errors.size;
    let i = 0;
    this.errors.enter(name);
    for (const element of list) {
      if (!this.hasRoom()) break;
      this.errors.enter(i);
      const one = read(element, i++);
      this.errors.leave();
      if (one !== undefined && (this.errors.size === before || keepsInvalidParts)) kept.push(one);
    }
    this.errors.leave();
    return kept;
  }

  /** Counts an element of a list. Returns false if there are too many to read on. */
  hasRoom(): boolean {
    return ++this.#parts <= (this.context.maxParts ?? Number.POSITIVE_INFINITY) && !this.errors.isFull;
  }

  /** Runs `inside` with errors located at an entry of a map field. C-core prints keys without quotes. */
  entry<T>(name: string, key: string, inside: () => T): T {
    return this.errors.segment(`.${name}[${key}]`, [name, key], inside);
  }

  /** Runs `inside` with errors located at `steps`, which C-core prints as `text`. */
  segment<T>(text: string, steps: readonly PathStep[], inside: () => T): T {
    return this.errors.segment(text, steps, inside);
  }

  /** Adds an error at the current path. */
  addError(reason: string): undefined {
    this.errors.add(reason);
  }

  /** Adds an error at a field of the current path. */
  addFieldError(name: string, reason: string): undefined {
    this.errors.field(name, () => this.errors.add(reason));
  }

  /** Runs `inside`; if gRPC ignores the whole part, the ignored part is located at the current path. */
  part<T>(kind: IgnoredKind, inside: () => T): T {
    const outer = this.#part;
    this.#part = { kind, mark: this.errors.mark };
    const result = inside();
    this.#part = outer;
    return result;
  }

  ignore(kind: IgnoredKind, reason: string): undefined {
    const mark = this.#part?.kind === kind ? this.#part.mark : this.errors.mark;
    if (this.ignored.length < MAX_IGNORED) this.ignored.push({ kind, ...this.errors.pathAt(mark), reason });
    else this.#unlisted++;
  }

  remark(kind: Remark['kind'], reason: string): void {
    this.remarks.push({ kind, ...this.errors.pathAt(this.errors.mark), reason });
  }

  result<T>(name: string, prefix: string, resource: T): ValidationResult<T> {
    const { errors, remarks } = this;
    const more = `${this.#unlisted} more parts that gRPC ignores are not listed`;
    const ignored =
      this.#unlisted === 0
        ? this.ignored
        : [...this.ignored, { kind: 'field' as const, path: '', steps: [], reason: more }];
    const { maxParts = Number.POSITIVE_INFINITY } = this.context;
    if (this.#parts > maxParts) {
      const reason = `xds-inspect reads at most ${maxParts} parts of a resource that is too large for gRPC's default limit`;
      return { ok: false, name, message: reason, problems: [{ path: '', steps: [], reason }], ignored, remarks };
    }
    if (errors.size === 0) return { ok: true, name, resource, ignored, remarks };
    const failure = { ok: false as const, name, message: errors.message(prefix), problems: errors.list() };
    return {
      ...failure,
      ignored,
      remarks,
      ...(this.context.keepsInvalidParts && { despiteProblems: resource }),
    };
  }
}
