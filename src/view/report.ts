import { statusName } from '../base/status.js';
import type { Preset } from '../bootstrap/switches.js';
import type { PropagatedError } from '../inspect/error-log.js';
import { explainView } from '../inspect/explain/explain.js';
import type { ExplainView } from '../inspect/explain/explanation.js';
import type { FindingView } from '../inspect/finding-view.js';
import type { InspectionResult, TargetResult } from '../inspect/inspection-result.js';
import { repeats } from '../inspect/report/fold-findings.js';
import { type PathStep, pathOf } from '../inspect/report/path.js';
import type { RejectedNote } from '../inspect/report/rejected-notes.js';
import type { ResourceFilter } from '../inspect/resource-filter.js';
import { ANY_CALL } from '../inspect/single-route.js';
import type { Cause, RouteOutcome, TargetVerdict, VerdictWord } from '../inspect/verdict/verdict.js';
import type { PastVerdict } from '../inspect/verdict-history.js';
import { timestamp } from '../proto/timestamp.js';
import { type ChangesView, changesView } from './changes.js';
import { nextCommands, type RerunCommand } from './next-commands.js';
import { type ChannelStatus, type ScopeStatus, scopeStatuses, worstVerdict } from './status.js';
import { type HeldBackView, scopeTears, type TearGroupView, type TearView } from './tears.js';

/** An error as it propagated: the resource, the source of the error, its effect. */
export type ErrorView = ReturnType<typeof errorView>;

/** A target in the report: the fields of `status` and `explain`. */
export interface ReportChannel
  extends ChannelStatus,
    Pick<ExplainView, 'outcome' | 'status' | 'blockedBy' | 'route' | 'timeout' | 'hints'> {
  path: PathStep[];
  routes: RouteOutcome[];
  /** Some calls match no route and fail. */
  hasUnmatchedCalls: boolean;
  /** The worst verdict during the observation, if it is worse than the current one. */
  worst: { verdict: VerdictWord; cause: Cause | null; at: string } | null;
  /** How long changes of the configuration took. */
  changes: ChangesView;
  /** Commands that show more. */
  next: string[];
}

export interface ReportScope extends Omit<ScopeStatus, 'channels' | 'findings'> {
  channels: ReportChannel[];
  /** `folded`: the cause of a verdict already states it. */
  findings: (FindingView & { folded: boolean })[];
  errors: ErrorView[];
  heldBack: HeldBackView[];
  tears: TearView[];
  /** Equal tears, grouped. */
  groups: TearGroupView[];
  /** How other implementations treat the rejected resources. */
  notes: RejectedNote[];
}

export interface ReportDocument {
  schema: 'xds-inspect/report/v1';
  as: Preset;
  /** The file or variable that the bootstrap was read from. */
  bootstrap: string;
  node: string | null;
  /** The worst of all targets. */
  verdict: VerdictWord;
  cause: Cause | null;
  observedMs: number;
  /** The number of earlier errors, of all scopes, that are no longer in `scopes`. */
  droppedErrors: number;
  scopes: ReportScope[];
}

/** The inputs of a report besides the inspection. */
export interface ReportContext {
  filter: ResourceFilter;
  /** Undefined if no command can be suggested, as for a recording. */
  rerun: RerunCommand | undefined;
  notes: readonly RejectedNote[];
  /** The worst verdict during the observation; undefined if the current one is not better. */
  worseThan(verdict: TargetVerdict): PastVerdict | undefined;
}

export function reportDocument(result: InspectionResult, context: ReportContext): ReportDocument {
  const { as, origin, node, waitedMs: observedMs } = result;
  const scopes = scopeStatuses(result, result.ending === 'met', context.filter);
  return {
    schema: 'xds-inspect/report/v1',
    as,
    bootstrap: origin,
    node: node.id ?? null,
    ...worstVerdict(scopes),
    observedMs,
    droppedErrors: result.droppedErrors,
    scopes: scopes.map((scope) => reportScope(scope, result, context)),
  };
}

function reportScope(status: ScopeStatus, result: InspectionResult, context: ReportContext): ReportScope {
  const { notes } = context;
  const targets = result.targets.filter(({ scope }) => scope.scope === status.scope);
  const snapshot = result.snapshot.find(({ scope }) => scope === status.scope);
  const causes = targets.flatMap(({ verdict }) => verdict.cause ?? []);
  const torn = snapshot && scopeTears(snapshot, result.now);
  return {
    ...status,
    channels: status.channels.flatMap((channel) => {
      const target = targets.find((one) => one.channel.target === channel.target);
      return target === undefined ? [] : [reportChannel(channel, target, result.now, context)];
    }),
    findings: status.findings.map((finding) => ({
      ...finding,
      folded: causes.some((cause) => repeats(finding, cause)),
    })),
    errors: result.errors.filter(({ scope }) => scope === status.scope).map((error) => errorView(error, status)),
    heldBack: torn?.heldBack ?? [],
    tears: torn?.tears ?? [],
    groups: torn?.groups ?? [],
    notes: notes.filter(({ scope }) => scope === status.scope),
  };
}

function reportChannel(
  status: ChannelStatus,
  target: TargetResult,
  now: number,
  context: ReportContext,
): ReportChannel {
  const { scope, channel, nodeId, verdict } = target;
  const call = { call: ANY_CALL, deadlineMs: undefined, rules: 'today' as const, nodeId, random: () => 0 };
  const { outcome, status: rpcStatus, blockedBy, route, timeout, hints } = explainView(scope, channel, call);
  return {
    ...status,
    ...{ outcome, status: rpcStatus, blockedBy, route, timeout, hints },
    path: pathOf(target),
    routes: verdict.routes,
    hasUnmatchedCalls: verdict.hasUnmatchedCalls,
    worst: pastView(context.worseThan({ ...verdict, scope: scope.scope })),
    changes: changesView(channel, now),
    next: context.rerun === undefined ? [] : nextCommands(verdict, context.rerun),
  };
}

function pastView(past: PastVerdict | undefined): ReportChannel['worst'] {
  return past === undefined ? null : { verdict: past.verdict, cause: past.cause, at: timestamp(past.at) };
}

function errorView(error: PropagatedError, { resources }: ScopeStatus) {
  const { type, names, status, effect, first, last, count, server, cause, version, watchers } = error;
  const inUse = resources.find((one) => one.type === type && one.name === names[0])?.version ?? null;
  return {
    at: timestamp(first),
    last: timestamp(last),
    count,
    type,
    names,
    resources: error.resources,
    cause,
    code: statusName(status.code),
    message: status.message,
    server,
    /** Of the response that caused it. */
    version: version ?? null,
    effect,
    /** The version in use since then, if the client kept one. */
    keptVersion: effect === 'kept' ? inUse : null,
    watchers,
  };
}
