import { type HeldBack, routeText, type Tear, type TornResource } from '../deps/tears/tear.js';
import type { ChannelSnapshot } from '../engine/follower.js';
import type { ScopeSnapshot } from '../engine/scope.js';
import { findingViews } from '../inspect/finding-view.js';
import { hasNoResponse, type InspectionResult, verdictsOfScope } from '../inspect/inspection-result.js';
import type { Outcome } from '../inspect/outcome.js';
import { groupTears, type TearGroup } from '../inspect/tears/group-tears.js';
import { tearSummary } from '../inspect/tears/tear-summary.js';
import type { TargetVerdict } from '../inspect/verdict/verdict.js';
import { timestamp } from '../proto/timestamp.js';
import { changesView } from './changes.js';
import type { TearsDocument } from './documents.js';

export type TearView = ReturnType<typeof tearView>;
export type TearGroupView = ReturnType<typeof tearGroupView>;
export type HeldBackView = ReturnType<typeof heldBackView>;
export type TornChannel = ReturnType<typeof channelTears>;

/** The tears of a client_scope, oldest first, and the names that were held back. */
export interface ScopeTears {
  scope: string;
  channels: TornChannel[];
  heldBack: HeldBackView[];
  /** Equal tears, grouped. */
  groups: TearGroupView[];
  tears: TearView[];
  /** The reason why no tears could be observed; null if resources were received. */
  unobserved: string | null;
}

export function tearsDocument(result: InspectionResult, maxTearMs: number): TearsDocument {
  const { as, waitedMs: observedMs } = result;
  const findings = findingViews(result.findings);
  return { schema: 'xds-inspect/tears/v1', as, observedMs, maxTearMs, scopes: tornScopes(result), findings };
}

/** The tears of every scope, with the verdicts of its targets. */
export function tornScopes({
  snapshot,
  verdicts,
  waitedMs,
  now,
}: Pick<InspectionResult, 'snapshot' | 'verdicts' | 'waitedMs' | 'now'>): ScopeTears[] {
  return snapshot.map((scope) => {
    const own = verdictsOfScope(verdicts, scope);
    const { scope: name, ...tears } = scopeTears(scope, now);
    return { scope: name, channels: scope.channels.map((one) => channelTears(one, own, waitedMs, now)), ...tears };
  });
}

export function tearsOutcome({ scopes, maxTearMs }: TearsDocument, { hasData, snapshot }: InspectionResult): Outcome {
  return {
    isLost: !hasData,
    // Without a response, tears cannot be observed.
    isTimedOut: hasNoResponse(snapshot),
    hasFindings: scopes.some(({ tears }) => tears.some(({ durationMs }) => durationMs > maxTearMs)),
  };
}

/** The tears of a scope, without its targets. */
export function scopeTears(
  { scope, channels, entries, authorities }: ScopeSnapshot,
  now: number,
): Omit<ScopeTears, 'channels'> {
  const isObserved = entries.some(({ resource }) => resource !== undefined);
  const failures = authorities.flatMap(({ servers }) => servers.flatMap(({ failure }) => failure?.message ?? []));
  return {
    scope,
    unobserved: isObserved ? null : (failures.at(-1) ?? 'nothing was received'),
    heldBack: channels.flatMap(({ target, heldBack }) => heldBack.map((span) => heldBackView(target, span))),
    groups: groupTears(channels, now).map(tearGroupView),
    tears: channels
      .flatMap(({ target, tears }) => tears.map((tear) => ({ target, tear })))
      .sort((a, b) => a.tear.begin - b.tear.begin)
      .map(({ target, tear }) => tearView(target, tear, now)),
  };
}

function channelTears(channel: ChannelSnapshot, verdicts: readonly TargetVerdict[], observedMs: number, now: number) {
  const { target, tears } = channel;
  const found = verdicts.find((verdict) => verdict.target === target);
  const { verdict = 'unknown', cause = null } = found ?? {};
  const summary = tearSummary(tears, observedMs) ?? null;
  return { target, verdict, cause, summary, changes: changesView(channel, now) };
}

function heldBackView(target: string, { type, name, begin, end }: HeldBack) {
  return { target, type, name, begin: timestamp(begin), end: timestamp(end), durationMs: end - begin };
}

function tearView(target: string, tear: Tear, now: number) {
  const { kind, begin, end, resolvedBy, resources, neededBy, routes, wouldHave, instead } = tear;
  return {
    kind,
    target,
    begin: timestamp(begin),
    end: end === undefined ? null : timestamp(end),
    // An open tear lasts until now.
    durationMs: (end ?? now) - begin,
    resolvedBy: resolvedBy ?? null,
    resources: resources.map(resourceView),
    neededBy: neededBy === undefined ? null : resourceView(neededBy),
    routes: routes.map(routeText),
    wouldHave,
    instead,
  };
}

/** A group of equal tears. */
function tearGroupView(group: TearGroup) {
  const { kind, target, count, open, minMs, maxMs, begin, end, resources, neededBy, routes, ...sentences } = group;
  return {
    kind,
    target,
    count,
    open,
    minMs,
    maxMs,
    begin: timestamp(begin),
    end: end === undefined ? null : timestamp(end),
    resources: resources.map(resourceView),
    neededBy: neededBy === undefined ? null : resourceView(neededBy),
    routes: routes.map(routeText),
    ...sentences,
  };
}

function resourceView({ type, name, version, server, status }: TornResource) {
  return { type, name, version: version ?? null, server: server ?? null, status: status ?? null };
}
