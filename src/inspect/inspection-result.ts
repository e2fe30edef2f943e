import type { Preset } from '../bootstrap/switches.js';
import type { NodeIdentity } from '../core/node.js';
import type { RecognizedClient } from '../csds/recognized-client.js';
import type { ChannelSnapshot } from '../engine/follower.js';
import { hasLostAuthority } from '../engine/lost-servers.js';
import type { ScopeSnapshot } from '../engine/scope.js';
import type { ProtocolFinding } from '../findings/finding.js';
import type { ClientContext } from '../resources/context.js';
import type { PropagatedError } from './error-log.js';
import type { ClientInspection } from './inspection.js';
import type { WaitEnding } from './until.js';
import type { TargetVerdict, Verdict } from './verdict/verdict.js';

/** A target with its client. `address` is set for a client of another process. */
export interface InspectedTarget {
  address?: string;
  /** The implementation of a client of another process, if it is known. */
  client?: RecognizedClient;
  scope: ScopeSnapshot;
  channel: ChannelSnapshot;
  nodeId: string | undefined;
}

/** A target with its verdict. */
export interface TargetResult extends InspectedTarget {
  verdict: Verdict;
}

/** The state of an inspection at the end of a wait. Documents use it after the inspection was closed. */
export interface InspectionResult {
  ending: WaitEnding;
  as: Preset;
  /** Where the bootstrap came from. */
  origin: string;
  node: NodeIdentity;
  context: ClientContext;
  snapshot: ScopeSnapshot[];
  targets: TargetResult[];
  /** One per target. */
  verdicts: TargetVerdict[];
  findings: ProtocolFinding[];
  errors: PropagatedError[];
  droppedErrors: number;
  now: number;
  waitedMs: number;
  /** False if no resource was received and no usable server is left. */
  hasData: boolean;
}

export function inspectionResult(inspection: ClientInspection, ending: WaitEnding): InspectionResult {
  const { as, origin, node, context, bootstrap } = inspection;
  const snapshot = inspection.snapshot();
  const verdicts = inspection.verdict();
  const now = inspection.now();
  return {
    ending,
    as,
    origin,
    node,
    context,
    snapshot,
    targets: snapshot.flatMap((scope) => targetResults(scope, bootstrap.node?.id, verdicts)),
    verdicts,
    findings: inspection.findings(),
    errors: inspection.errors(),
    droppedErrors: inspection.droppedErrors(),
    now,
    waitedMs: now - inspection.startedAt(),
    hasData: !(hasNoResponse(snapshot) && snapshot.every(hasLostAuthority)),
  };
}

export function targetsOf(scope: ScopeSnapshot, nodeId: string | undefined): InspectedTarget[] {
  return scope.channels.map((channel) => ({ scope, channel, nodeId }));
}

/** The targets of a scope, each with its verdict. */
export function targetResults(
  scope: ScopeSnapshot,
  nodeId: string | undefined,
  verdicts: readonly TargetVerdict[],
): TargetResult[] {
  const own = verdictsOfScope(verdicts, scope);
  return targetsOf(scope, nodeId).flatMap((target) => {
    const verdict = own.find((one) => one.target === target.channel.target);
    return verdict === undefined ? [] : [{ ...target, verdict }];
  });
}

export function verdictsOfScope(
  verdicts: readonly TargetVerdict[],
  { scope }: Pick<ScopeSnapshot, 'scope'>,
): TargetVerdict[] {
  return verdicts.filter((one) => one.scope === scope);
}

/** Whether no server has responded for any resource. */
export function hasNoResponse(scopes: readonly ScopeSnapshot[]): boolean {
  return scopes.every(({ entries }) => entries.every(({ status }) => status === 'REQUESTED'));
}
