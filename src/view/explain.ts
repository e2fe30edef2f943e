import { seededRandom } from '../base/random.js';
import { hasLostAuthority } from '../engine/lost-servers.js';
import { explainView, isGood } from '../inspect/explain/explain.js';
import type { ExplainOptions, ExplainView } from '../inspect/explain/explanation.js';
import { findingViews } from '../inspect/finding-view.js';
import type { InspectionResult, TargetResult } from '../inspect/inspection-result.js';
import type { Outcome } from '../inspect/outcome.js';
import type { Verdict } from '../inspect/verdict/verdict.js';
import type { ExplainDocument } from './documents.js';
import { targetViews } from './target-views.js';

/** The RPC to explain, without the settings of its client. */
export type ExplainedCall = Omit<ExplainOptions, 'nodeId' | 'random'> & {
  /** No call is given: all routes are evaluated. */
  isAnyCall: boolean;
};

/** The predicted outcome of one call, and the verdict of its target. */
export interface Explanation
  extends ExplainView,
    Pick<Verdict, 'verdict' | 'cause' | 'listeners' | 'routes' | 'hasUnmatchedCalls' | 'clients'> {
  /** It explains all calls to the target, not one call. */
  coversAllCalls: boolean;
}

/** The predicted outcome of an RPC to each target. Random choices use a fixed seed. */
export function explanationsOf(targets: readonly TargetResult[], explained: ExplainedCall): Explanation[] {
  const random = seededRandom(1);
  const { isAnyCall: coversAllCalls, ...call } = explained;
  return targetViews(targets, ({ scope, channel, nodeId, verdict: targetVerdict }) => {
    const view = explainView(scope, channel, { ...call, nodeId, random });
    const { verdict, cause, listeners, routes, hasUnmatchedCalls, clients } = targetVerdict;
    const hints = coversAllCalls ? allCallsHints(view, targetVerdict) : callHints(view, targetVerdict);
    return { ...view, verdict, cause, listeners, routes, hasUnmatchedCalls, clients, hints, coversAllCalls };
  });
}

/** The advice on the cause of the verdict, then on other causes of failing routes. CSDS may show no cause. */
function allCallsHints({ hints }: ExplainView, { verdict, advice, routes }: Verdict): string[] {
  const all = [advice, ...routes.map(({ cause }) => cause?.advice)].filter((text) => typeof text === 'string');
  if (all.length === 0 && (verdict === 'fails' || verdict === 'waiting')) return hints;
  return [...new Set(all)];
}

/** If all calls to the target or all calls of the route fail, the advice of the verdict applies. */
function callHints({ outcome, route, hints }: ExplainView, { verdict, advice, routes }: Verdict): string[] {
  if (outcome === 'ok' || outcome === 'unknown') return hints;
  const taken = routes.find(({ index }) => index === route?.index);
  const known = route === null && (verdict === 'fails' || verdict === 'waiting') ? advice : taken?.cause?.advice;
  return typeof known === 'string' ? [known] : hints;
}

export function explainDocument({ as, targets, findings }: InspectionResult, call: ExplainedCall): ExplainDocument {
  return { as, explanations: explanationsOf(targets, call), findings: findingViews(findings) };
}

export function explainOutcome({ explanations }: ExplainDocument, { snapshot, ending }: InspectionResult): Outcome {
  const calls = explanations.filter(({ coversAllCalls }) => !coversAllCalls);
  const predicted = predictedOutcome(explanations);
  return {
    ...predicted,
    isLost: (predicted.hasFindings || predicted.verdicts.length > 0) && snapshot.some(hasLostAuthority),
    isTimedOut: ending === 'timed out' && calls.some(({ outcome }) => outcome === 'waits'),
  };
}

/** The verdict counts if all routes are evaluated, otherwise the outcome of the call. */
export function predictedOutcome(explanations: readonly Explanation[]) {
  return {
    verdicts: explanations.filter(({ coversAllCalls }) => coversAllCalls).map(({ verdict }) => verdict),
    hasFindings: !explanations.every((one) => one.coversAllCalls || isGood(one)),
  };
}
