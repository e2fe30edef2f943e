/** JSON with everything that JSON omits: undefined, BigInt, NaN, Map, Set, bytes. Equal values have equal texts. */
export function stableText(value: unknown): string {
  return JSON.stringify(value, (_key, one: unknown) => {
    if (typeof one === 'bigint') return `${one}n`;
    if (typeof one === 'number' && !Number.isFinite(one)) return `number ${one}`;
    if (one instanceof Map) return { map: [...one] };
    if (one instanceof Set) return { set: [...one] };
    if (one instanceof Uint8Array) return Buffer.from(one).toString('base64');
    if (one instanceof RegExp || typeof one === 'function') return String(one);
    return one;
  });
}
