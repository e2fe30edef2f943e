import type { TargetResult } from '../../../src/inspect/inspection-result.js';
import { type PlaneSpec, run, verdictNow } from '../../inspect/verdict-plane.js';

/** The target of a scripted control plane, with its verdict. */
export function targetOf(spec: PlaneSpec): TargetResult {
  const simulation = run(spec);
  const [scope] = simulation.engine.snapshot();
  const [channel] = scope?.channels ?? [];
  if (scope === undefined || channel === undefined) throw new Error('nothing is followed');
  return { scope, channel, nodeId: 'n', verdict: verdictNow(simulation) };
}
