/** The values of one thing over time. A value holds from its step until the next one. */
export class Versions<T> {
  readonly #steps: number[] = [];
  readonly #values: T[] = [];

  set(step: number, value: T): void {
    if (this.#steps.at(-1) === step) this.#values[this.#values.length - 1] = value;
    else {
      this.#steps.push(step);
      this.#values.push(value);
    }
  }

  /** The value after a step; undefined before the first one. */
  at(step: number): T | undefined {
    return this.#values[this.#indexAt(step)];
  }

  /** The step in which the value at a step was set; -1 before the first one. */
  stepAt(step: number): number {
    return this.#steps[this.#indexAt(step)] ?? -1;
  }

  get last(): T | undefined {
    return this.#values.at(-1);
  }

  /** The last value that is not undefined. */
  get lastDefined(): NonNullable<T> | undefined {
    return this.#values.findLast((value) => value !== undefined) ?? undefined;
  }

  /** Whether there is no value, also none before the last one. */
  get isEmpty(): boolean {
    return this.#values.every((value) => value === undefined);
  }

  /** All values with their steps, the oldest first. */
  *entries(): Iterable<[number, T]> {
    for (const [i, value] of this.#values.entries()) yield [this.#steps[i] as number, value];
  }

  /** Forgets the values that were replaced before or in a step. */
  forget(step: number): void {
    const first = this.#indexAt(step);
    if (first <= 0) return;
    this.#steps.splice(0, first);
    this.#values.splice(0, first);
  }

  /** Replaces the oldest value. */
  replaceFirst(value: T): void {
    this.#values[0] = value;
  }

  #indexAt(step: number): number {
    const last = this.#steps.length - 1;
    return (this.#steps[last] ?? Number.POSITIVE_INFINITY) <= step ? last : countUpTo(this.#steps, step) - 1;
  }
}

/** The number of elements that are at most `limit`, in an ascending list. */
export function countUpTo(ascending: readonly number[], limit: number): number {
  let [from, to] = [0, ascending.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((ascending[middle] as number) <= limit) from = middle + 1;
    else to = middle;
  }
  return from;
}
