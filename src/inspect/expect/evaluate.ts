import { evaluateFindings } from './evaluate-findings.js';
import { RESOURCE_EVALUATORS } from './evaluate-resource.js';
import { evaluateRpc } from './evaluate-rpc.js';
import { TARGET_EVALUATORS } from './evaluate-target.js';
import { type EvaluationTexts, type Evaluators, FILE_TEXTS } from './evaluation-texts.js';
import type { ExpectedFact } from './expectations.js';
import type { Evaluation, Observation } from './observation.js';

const EVALUATORS: Evaluators = {
  ...TARGET_EVALUATORS,
  ...RESOURCE_EVALUATORS,
  findings: evaluateFindings,
  rpc: evaluateRpc,
};

/** Compares an expectation with the observation of a target, for `check`, `wait` and the fallback drill. */
export function evaluate(
  what: ExpectedFact,
  observation: Observation,
  texts: EvaluationTexts = FILE_TEXTS,
): Evaluation {
  const evaluator = EVALUATORS[what.kind] as (
    what: ExpectedFact,
    observation: Observation,
    texts: EvaluationTexts,
  ) => Evaluation;
  return evaluator(what, observation, texts);
}
