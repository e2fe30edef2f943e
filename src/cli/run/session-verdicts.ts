import type { ClientInspection } from '../../inspect/inspection.js';
import { VerdictChanges } from '../../inspect/verdict-changes.js';
import { type View, waitUntilSettled } from './show.js';

/** The verdict changes of a recorded session, and the part of a view that computes them while it waits for the end. */
export function sessionVerdicts(inspection: ClientInspection): {
  verdicts: VerdictChanges;
  wait: Pick<View, 'condition' | 'limit' | 'progress'>;
} {
  const verdicts = new VerdictChanges(() => inspection.verdict(), inspection.startedAt());
  const { condition, ...wait } = waitUntilSettled(inspection, undefined);
  return {
    verdicts,
    wait: {
      ...wait,
      condition: (now) => {
        verdicts.update(now);
        return condition(now);
      },
    },
  };
}
