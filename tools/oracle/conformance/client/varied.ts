/**
 * Whether two recordings of C-core differed in a part of a scenario, because of timing. `varied` names whole parts
 * (`answers`), or one dump or RPC by its label: `csds:a`, `rpcs:b`. Older recordings have the name of the step, `rpc:b`.
 */
export function isVariedPart(varied: readonly string[], part: string, label?: string): boolean {
  if (varied.includes(part)) return true;
  return (
    label !== undefined && [part, part.replace(/^rpcs$/, 'rpc')].some((name) => varied.includes(`${name}:${label}`))
  );
}
