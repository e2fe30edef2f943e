import { seededRandom } from '../base/random.js';
import { hasLostAuthority } from '../engine/lost.js';
import { explainView, isGood } from '../inspect/explain/explain.js';
import type { ExplainOptions, ExplainView } from '../inspect/explain/explanation.js';
import { findingViews } from '../inspect/finding-view.js';
import type { Outcome } from '../inspect/outcome.js';
import type { JudgedTarget, Seen } from '../inspect/seen.js';
import type { ExplainDocument } from './documents.js';
import { targetViews } from './target-views.js';

/** The RPC to explain, without what its client decides. */
export type ExplainedCall = Omit<ExplainOptions, 'nodeId' | 'random'>;

/** The predicted outcome of an RPC to each target; where chance decides, the draw is always the same. */
export function explanationsOf(targets: readonly JudgedTarget[], call: ExplainedCall): ExplainView[] {
  const random = seededRandom(1);
  return targetViews(targets, ({ scope, channel, nodeId }) => explainView(scope, channel, { ...call, nodeId, random }));
}

export function explainDocument({ as, targets, findings }: Seen, call: ExplainedCall): ExplainDocument {
  return { as, explanations: explanationsOf(targets, call), findings: findingViews(findings) };
}

export function explainOutcome({ explanations }: ExplainDocument, { snapshot, ending }: Seen): Outcome {
  const hasFindings = !explanations.every(isGood);
  return {
    isLost: hasFindings && snapshot.some(hasLostAuthority),
    isTimedOut: ending === 'timed out' && explanations.some(({ outcome }) => outcome === 'waits'),
    hasFindings,
  };
}
