/** Values that gRPC reads as true, in any case; every other value means false. */
const YES = new Set(['1', 't', 'true', 'y', 'yes']);

/** Reads a boolean environment variable like gRPC. */
export function isSwitchOn(variables: Record<string, string | undefined>, name: string, byDefault: boolean): boolean {
  const value = variables[name];
  return value === undefined ? byDefault : YES.has(value.toLowerCase());
}
