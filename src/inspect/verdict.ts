import type { Event } from '../core/event.js';
import type { ScopeSnapshot } from '../engine/scope.js';

/** Placeholder until the verdict branch is merged. */
export type TargetVerdict = { scope: string; target: string };

export class VerdictFacts {
  observe(_event: Event): void {}
}

export function verdictsOf(_scopes: readonly ScopeSnapshot[], _facts: VerdictFacts, _nodeId: string): TargetVerdict[] {
  return [];
}
