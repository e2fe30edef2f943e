/**
 * Whether two resources are equal for gRPC (R1.15). gRPC compares decoded resources, so an update that differs only in
 * its encoding does not reach watchers. Fields under `displayOnly` are not part of gRPC's resource and are not
 * compared.
 */
export function sameResource(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (a instanceof Map) return b instanceof Map && sameMap(a, b);
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((element, i) => sameResource(element, b[i]));
  }
  return !Array.isArray(b) && !(b instanceof Map) && sameFields(a as Fields, b as Fields);
}

type Fields = Record<string, unknown>;

function sameMap(a: ReadonlyMap<unknown, unknown>, b: ReadonlyMap<unknown, unknown>): boolean {
  return a.size === b.size && [...a].every(([key, value]) => b.has(key) && sameResource(value, b.get(key)));
}

function sameFields(a: Fields, b: Fields): boolean {
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  return keys.every((key) => key === 'displayOnly' || (Object.hasOwn(b, key) && sameResource(a[key], b[key])));
}
