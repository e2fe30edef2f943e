import type { What } from './expectations.js';
import { judgeEndpoints } from './judge-endpoints.js';
import { judgeField } from './judge-field.js';
import { judgeFindings } from './judge-findings.js';
import { judgeError, judgeStatus, judgeVersion } from './judge-resource.js';
import { judgeRpc } from './judge-rpc.js';
import { judgeNever, judgeReady, judgeSettled, judgeTears } from './judge-target.js';
import type { Observation, Verdict } from './observation.js';

type Judges = { [K in What['kind']]: (what: Extract<What, { kind: K }>, observation: Observation) => Verdict };

const JUDGES: Judges = {
  ready: judgeReady,
  settled: judgeSettled,
  tears: judgeTears,
  never: judgeNever,
  findings: judgeFindings,
  status: judgeStatus,
  version: judgeVersion,
  field: judgeField,
  endpoints: judgeEndpoints,
  error: judgeError,
  rpc: judgeRpc,
};

/** Whether one thing holds of what was seen of a target. */
export function judge(what: What, observation: Observation): Verdict {
  return (JUDGES[what.kind] as (what: What, observation: Observation) => Verdict)(what, observation);
}
