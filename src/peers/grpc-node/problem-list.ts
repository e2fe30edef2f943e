import { MAX_NACK_LENGTH } from '../../base/limits.js';
import type { PathStep } from '../../base/problem.js';
import type { IgnoredPart } from '../../resources/validation-result.js';

/** Ignored parts are printed one by one. */
const MAX_IGNORED = 1000;

/** A text may begin with the punctuation between it and its prefix. */
const LEADING_PUNCTUATION = /^[.:\s]+/;

/** A problem of a resource: the text in the NACK, and the innermost part of it with the path to which it belongs. */
export interface NodeProblem {
  text: string;
  reason: string;
  steps: readonly PathStep[];
}

type NodeIgnored = Pick<IgnoredPart, 'kind' | 'steps' | 'reason'>;

/** Collects the problems of a resource, up to the longest NACK message. Further problems are counted. */
export class ProblemList {
  readonly list: NodeProblem[] = [];
  readonly ignored: NodeIgnored[] = [];
  #length = 0;
  #omitted = 0;

  /** Returns undefined, so that a check can return the result of this call. */
  add(reason: string, ...steps: PathStep[]): undefined {
    this.#push({ text: reason, reason: reason.replace(LEADING_PUNCTUATION, ''), steps });
  }

  /** Notes a part that grpc-js-xds ignores. */
  ignore(kind: IgnoredPart['kind'], reason: string, ...steps: PathStep[]): void {
    if (this.ignored.length < MAX_IGNORED) this.ignored.push({ kind, steps, reason });
  }

  /** Adds the problems of a part of the resource, with a prefix for their texts. */
  addAll({ list, ignored }: ProblemList, prefix: string, ...steps: PathStep[]): void {
    for (const { kind, reason, steps: inside } of ignored) this.ignore(kind, reason, ...steps, ...inside);
    for (const { text, reason, steps: inside } of list)
      this.#push({ text: prefix + text, reason, steps: [...steps, ...inside] });
  }

  get isEmpty(): boolean {
    return this.list.length === 0;
  }

  /** grpc-js-xds prints the array. */
  get joined(): string {
    const more = this.#omitted === 0 ? [] : [`${this.#omitted} more errors omitted`];
    return [...this.list.map(({ text }) => text), ...more].join(',');
  }

  #push(problem: NodeProblem): void {
    this.#length += problem.text.length + 1;
    if (this.#length > MAX_NACK_LENGTH && this.list.length > 0) this.#omitted++;
    else this.list.push(problem);
  }
}
