/** Bounds the work of one shrink. */
const MAX_ATTEMPTS = 3000;

type Fails<T> = (shorter: readonly T[]) => boolean | Promise<boolean>;

/**
 * Removes parts of a list as long as it still fails: halves first, then ever smaller parts (delta debugging). Then
 * replaces elements by simpler ones. The result fails as well.
 */
export async function shrink<T>(
  list: readonly T[],
  fails: Fails<T>,
  simpler: (element: T) => Iterable<T> = () => [],
): Promise<T[]> {
  let left = MAX_ATTEMPTS;
  const attempt: Fails<T> = async (shorter) => left-- > 0 && (await fails(shorter));
  let current = [...list];
  for (let before = -1; before !== current.length; ) {
    before = current.length;
    current = await withoutParts(current, attempt);
    current = await withSimplerElements(current, attempt, simpler);
  }
  return current;
}

async function withoutParts<T>(list: readonly T[], fails: Fails<T>): Promise<T[]> {
  let current = [...list];
  for (let size = Math.ceil(current.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let at = 0; at < current.length; ) {
      const shorter = [...current.slice(0, at), ...current.slice(at + size)];
      if (await fails(shorter)) current = shorter;
      else at += size;
    }
  }
  return current;
}

async function withSimplerElements<T>(
  list: readonly T[],
  fails: Fails<T>,
  simpler: (element: T) => Iterable<T>,
): Promise<T[]> {
  const current = [...list];
  for (let at = 0; at < current.length; at++) {
    for (let isSimplified = true; isSimplified; ) {
      isSimplified = false;
      for (const candidate of simpler(current[at] as T)) {
        if (!(await fails(current.with(at, candidate)))) continue;
        current[at] = candidate;
        isSimplified = true;
        break;
      }
    }
  }
  return current;
}
