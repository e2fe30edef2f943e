/**
 * Work on one large input that is done in slices: each `yield` ends a slice, so that the program can handle signals and
 * timers in between. The result does not depend on the number of slices.
 */
export type Slices<T> = Generator<undefined, T, undefined>;

/** A slice ends after about this much work, in bytes. */
export const SLICE_BYTES = 512 * 1024;

/** Handling a part costs at least as much as this many bytes. */
const MIN_PART_BYTES = 64;

/** Does all slices at once. */
export function finish<T>(slices: Slices<T>): T {
  for (;;) {
    const { done, value } = slices.next();
    if (done) return value;
  }
}

/** Runs `handle` for each element, in slices. */
export function* eachInSlices<T>(
  elements: Iterable<T>,
  bytesOf: (element: T) => number,
  handle: (element: T, index: number) => void,
): Slices<void> {
  let [work, index] = [0, 0];
  for (const element of elements) {
    handle(element, index++);
    work += MIN_PART_BYTES + bytesOf(element);
    if (work < SLICE_BYTES) continue;
    work = 0;
    yield;
  }
}
