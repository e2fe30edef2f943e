const FIRST_CAPACITY = 16;
const LOAD_FACTOR = 0.75;

/** Sorts by name as a HashMap of Java with `size` entries iterates: by bucket, within a bucket in the given order. */
export function inHashOrder<T>(list: readonly T[], size: number, nameOf: (one: T) => string): T[] {
  let capacity = FIRST_CAPACITY;
  while (size > capacity * LOAD_FACTOR) capacity *= 2;
  const bucketOf = (one: T): number => {
    const hash = hashOf(nameOf(one));
    return (hash ^ (hash >>> 16)) & (capacity - 1);
  };
  return [...list].sort((a, b) => bucketOf(a) - bucketOf(b));
}

/** `String.hashCode`. */
function hashOf(text: string): number {
  let hash = 0;
  for (let i = 0; i < text.length; i++) hash = (Math.imul(31, hash) + text.charCodeAt(i)) | 0;
  return hash;
}
