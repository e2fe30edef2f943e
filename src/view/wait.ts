import type { Outcome } from '../inspect/outcome.js';
import type { Seen } from '../inspect/seen.js';
import type { Waiting } from '../inspect/wait/waiting.js';
import type { WaitDocument, WaitOutcome } from './documents.js';

export function waitDocument({ as, ending, waitedMs }: Seen, waiting: Waiting): WaitDocument {
  const failed: WaitOutcome = waiting.isLost ? 'unreachable' : 'timed-out';
  const outcome = ending === 'timed out' ? failed : ending;
  return { schema: 'xds-inspect/wait/v1', as, outcome, waitedMs, conditions: waiting.view() };
}

export function waitOutcome({ outcome }: WaitDocument): Outcome {
  return { isLost: outcome === 'unreachable', isTimedOut: outcome === 'timed-out' };
}
