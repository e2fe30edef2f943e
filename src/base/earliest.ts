/** The earliest time among some items and `earliest`; undefined if none has one. */
export function earliestOf<T>(
  items: Iterable<T>,
  timeOf: (item: T) => number | undefined,
  earliest?: number,
): number | undefined {
  let first = earliest;
  for (const item of items) {
    const time = timeOf(item);
    if (time !== undefined && (first === undefined || time < first)) first = time;
  }
  return first;
}
