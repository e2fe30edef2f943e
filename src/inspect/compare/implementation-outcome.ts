import type { Preset } from '../../bootstrap/preset-names.js';
import type { Outcome } from '../outcome.js';
import type {
  ComparedImplementation,
  Comparison,
  ImplementationOutcome,
  ResourceRow,
  TargetRow,
} from './comparison.js';

/** Whether an implementation works with all targets, and what fails if it does not. */
export function implementationOf(
  preset: Preset,
  isRequired: boolean,
  { targets, resources }: { targets: readonly TargetRow[]; resources: readonly ResourceRow[] },
  isLost: boolean,
): ComparedImplementation {
  const failures = [
    ...targets.flatMap(({ target, cells }) => {
      const verdict = cells.get(preset)?.verdict;
      return verdict === 'fails' ? [`${target} fails`] : verdict === 'partly' ? [`${target} fails in part`] : [];
    }),
    ...resources.flatMap(({ type, name, cells }) =>
      cells.get(preset)?.verdict === 'rejected' ? [`${type} ${name} is rejected`] : [],
    ),
  ];
  const verdicts = [...targets, ...resources].map(({ cells }) => cells.get(preset)?.verdict);
  const outcome: ImplementationOutcome =
    failures.length > 0
      ? 'fails'
      : verdicts.includes('not-measured')
        ? 'not-measured'
        : verdicts.includes('waiting')
          ? 'waiting'
          : 'ok';
  return { preset, isRequired, outcome, failures: [...new Set(failures)], isLost };
}

/** The outcome of the required implementations. One that is not measured has not shown that it works. */
export function comparisonOutcome({ implementations }: Pick<Comparison, 'implementations'>): Outcome {
  const counted = implementations.filter(({ isRequired }) => isRequired);
  return {
    hasFindings: counted.some(({ outcome }) => outcome === 'fails'),
    isLost: counted.some(({ isLost }) => isLost),
    isTimedOut: counted.some(({ outcome }) => outcome === 'waiting' || outcome === 'not-measured'),
  };
}
