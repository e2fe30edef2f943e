import type { Bootstrap } from '../bootstrap/bootstrap.js';
import { foreignTarget } from '../bootstrap/foreign-target.js';
import { readSwitches } from '../bootstrap/switches.js';
import { channelOf, type ResolveOptions, resolveTarget } from '../bootstrap/target.js';
import type { ClientSetup, Follow } from './source.js';

/** The channel of a target, or why gRPC cannot use the target. */
export type ResolvedTarget = Follow | { kind: 'unusable'; message: string };

/** The settings with which a client resolves its targets. */
export type Resolver = Omit<ResolveOptions, 'defaultAuthority'> & { bootstrap: Bootstrap };

export function resolverOf({ bootstrap, environment: { preset, variables } }: ClientSetup): Resolver {
  return { bootstrap, preset, switches: readSwitches(variables, preset) };
}

/** Resolves a target to the input that makes the client follow it. */
export function followTarget(
  target: string,
  { bootstrap, ...options }: Resolver,
  defaultAuthority: string | undefined,
): ResolvedTarget {
  const foreign = foreignTarget(target);
  if (foreign !== undefined) return { kind: 'unusable', message: foreign };
  const resolved = resolveTarget(target, bootstrap, { ...options, defaultAuthority });
  if (!resolved.ok) return { kind: 'unusable', message: `gRPC cannot use this target: ${resolved.message}` };
  return { kind: 'follow', ...channelOf(target, resolved.resolution) };
}
