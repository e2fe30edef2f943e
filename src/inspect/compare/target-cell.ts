import { statusName } from '../../base/status.js';
import { predict } from '../../routing/predict.js';
import type { TargetResult } from '../inspection-result.js';
import { ANY_CALL } from '../single-route.js';
import type { Verdict } from '../verdict/verdict.js';
import type { TargetCell } from './comparison.js';
import type { ObservedRun } from './implementation-run.js';

/** What an implementation does with a target at the end of the session. */
export function targetCell(one: TargetResult, { evidence }: Pick<ObservedRun, 'evidence'>): TargetCell {
  const unknown = unmeasured(one, evidence);
  if (unknown !== undefined) return { verdict: 'not-measured', status: null, cause: null, reason: unknown };
  const { verdict, cause } = one.verdict;
  const status = rpcStatus(one);
  const reason = cause?.message ?? (verdict === 'ok' ? null : (status?.message ?? null));
  return { verdict, status, cause, reason };
}

/** A target that an implementation cannot use fails, whatever the control plane serves. */
export function unusableTarget(reason: string): TargetCell {
  return { verdict: 'fails', status: null, cause: null, reason };
}

function unmeasured({ channel, scope, verdict }: TargetResult, evidence: ObservedRun['evidence']): string | undefined {
  for (const entry of channel.entries ?? scope.entries) {
    const why = evidence.missingFor(scope.scope, entry);
    if (why !== undefined) return why;
  }
  return verdict.verdict === 'waiting' ? evidence.waitIsUnknown(verdict.target) : undefined;
}

/** The status of the RPCs that fail first, in the order of the routes; `OK` if all routes work. */
function rpcStatus({ channel, verdict, nodeId }: TargetResult): TargetCell['status'] {
  if (verdict.verdict === 'ok') return { code: 'OK', message: '' };
  const failing = failingRoute(verdict);
  if (failing?.status != null) return failing.status;
  // A server has connections instead of RPCs.
  if (channel.authority === undefined || verdict.verdict !== 'fails') return null;
  const { outcome } = predict(channel.state, ANY_CALL, { nodeId, random: () => 0 });
  return outcome.kind === 'fails' ? { code: statusName(outcome.status.code), message: outcome.status.message } : null;
}

function failingRoute({ routes }: Pick<Verdict, 'routes'>): Verdict['routes'][number] | undefined {
  return routes.find(({ outcome }) => outcome === 'fails') ?? routes.find(({ outcome }) => outcome === 'partly');
}
