/** Returns `/package.Service/Method`, with or without the first slash in the input; undefined for any other input. */
export function methodPath(typed: string): string | undefined {
  return /^\/?[^/]+\/[^/]+$/.test(typed) ? typed.replace(/^(?!\/)/, '/') : undefined;
}
