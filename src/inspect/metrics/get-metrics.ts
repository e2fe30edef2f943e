import type { Preset } from '../../bootstrap/switches.js';
import type { NodeIdentity } from '../../core/node.js';
import { FETCH_SCOPE } from '../../engine/get/subscription.js';
import type { Clock } from '../../engine/ports.js';
import type { GetInspection } from '../get.js';
import type { MetricsSource } from './collector.js';

/** The metrics of a raw subscription: it has no targets, and so no verdicts. */
export function getMetrics(
  { events, fetch, findings }: GetInspection,
  { as, node, clock }: { as: Preset; node: NodeIdentity; clock: Pick<Clock, 'now'> },
): MetricsSource {
  return {
    events,
    as,
    node,
    findings,
    now: () => clock.now(),
    verdict: () => [],
    snapshot: () => fetch.metrics.map((metrics) => ({ scope: FETCH_SCOPE, metrics, channels: [] })),
  };
}
