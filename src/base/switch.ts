/** Words that gRPC takes for yes, in any case; everything else that is set means no. */
const YES = new Set(['1', 't', 'true', 'y', 'yes']);

/** An environment switch as gRPC reads it. */
export function isSwitchOn(variables: Record<string, string | undefined>, name: string, byDefault: boolean): boolean {
  const value = variables[name];
  return value === undefined ? byDefault : YES.has(value.toLowerCase());
}
