/** `/package.Service/Method`, also as typed without the first slash; undefined if it is neither. */
export function methodPath(typed: string): string | undefined {
  return /^\/?[^/]+\/[^/]+$/.test(typed) ? typed.replace(/^(?!\/)/, '/') : undefined;
}
