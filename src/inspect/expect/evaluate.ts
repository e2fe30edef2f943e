import { evaluateEndpoints } from './evaluate-endpoints.js';
import { evaluateField } from './evaluate-field.js';
import { evaluateFindings } from './evaluate-findings.js';
import { evaluateError, evaluateStatus, evaluateVersion } from './evaluate-resource.js';
import { evaluateRpc } from './evaluate-rpc.js';
import {
  evaluateAcked,
  evaluateActive,
  evaluateNever,
  evaluateReady,
  evaluateSettled,
  evaluateStable,
  evaluateTears,
} from './evaluate-target.js';
import type { What } from './expectations.js';
import type { Evaluation, Observation } from './observation.js';
import { FILE_WORDING, type Wording } from './wording.js';

type Evaluators = {
  [K in What['kind']]: (what: Extract<What, { kind: K }>, observation: Observation, wording: Wording) => Evaluation;
};

const EVALUATORS: Evaluators = {
  ready: evaluateReady,
  acked: evaluateAcked,
  stable: evaluateStable,
  active: evaluateActive,
  settled: evaluateSettled,
  tears: evaluateTears,
  never: evaluateNever,
  findings: evaluateFindings,
  status: evaluateStatus,
  version: evaluateVersion,
  field: evaluateField,
  endpoints: evaluateEndpoints,
  error: evaluateError,
  rpc: evaluateRpc,
};

/** Compares what is expected with what was observed of a target: for `check`, `wait` and the fallback drill. */
export function evaluate(what: What, observation: Observation, wording: Wording = FILE_WORDING): Evaluation {
  const evaluator = EVALUATORS[what.kind] as (what: What, observation: Observation, wording: Wording) => Evaluation;
  return evaluator(what, observation, wording);
}
