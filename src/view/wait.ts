import type { InspectionResult } from '../inspect/inspection-result.js';
import type { Outcome } from '../inspect/outcome.js';
import { byVerdict } from '../inspect/verdict/verdict.js';
import type { Waiting } from '../inspect/wait/waiting.js';
import type { WaitDocument, WaitOutcome } from './documents.js';

export function waitDocument({ as, ending, waitedMs, verdicts }: InspectionResult, waiting: Waiting): WaitDocument {
  const failed: WaitOutcome = waiting.isLost ? 'unreachable' : 'timed-out';
  const outcome = ending === 'timed out' ? failed : ending;
  const targets = [...verdicts].sort(byVerdict).map(({ target, verdict, cause }) => ({ target, verdict, cause }));
  const { verdict = 'unknown', cause = null } = targets[0] ?? {};
  return { schema: 'xds-inspect/wait/v1', as, outcome, waitedMs, verdict, cause, targets, conditions: waiting.view() };
}

export function waitOutcome({ outcome }: WaitDocument): Outcome {
  return { isLost: outcome === 'unreachable', isTimedOut: outcome === 'timed-out' };
}
