/** A text of this length takes about as much time and memory as one more value. */
const TEXT_LENGTH = 200;

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a value is converted at once. A text is never divided, however long it is. */
export function isSmall(value: unknown, max: number): boolean {
  return typeof value !== 'object' || sizeOf(value, max) <= max;
}

/** The number of values in a value, counted up to `max`. Long texts count as several. */
export function sizeOf(value: unknown, max: number): number {
  if (typeof value === 'string') return 1 + Math.floor(value.length / TEXT_LENGTH);
  if (typeof value !== 'object' || value === null) return 1;
  let size = 1;
  for (const one of Array.isArray(value) ? value : Object.values(value)) {
    size += sizeOf(one, max - size);
    if (size > max) break;
  }
  return size;
}
