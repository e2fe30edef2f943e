import type { FleetAnswer } from '../../inspect/fleet/fleet-inspection.js';
import type { ShownResource } from '../../inspect/fleet/shown-resource.js';
import type { Outcome } from '../../inspect/outcome.js';
import type { FailRules } from '../exit-reason.js';

/** The outcome of all clients: their verdicts, and the states that count as failures. */
export function fleetOutcome(
  answers: readonly FleetAnswer[],
  isShown: (resource: ShownResource) => boolean,
  { statuses, countsVerdicts }: FailRules,
): Outcome {
  const states = new Set(answers.flatMap(({ clients }) => clients.map(({ state }) => state)));
  const verdicts = [...states].map(({ verdict }) => verdict.word);
  return {
    verdicts: verdicts.filter((verdict) => countsVerdicts || verdict === 'waiting'),
    hasFindings: [...states].some(({ resources }) =>
      resources.some((held) => statuses.has(held.status) && isShown(held)),
    ),
  };
}
