import { computed, signal } from '@preact/signals';
import { formatMillis } from '../../../base/duration.js';
import type { Tear } from '../../../deps/tears/tear.js';
import type { PastChannel, SessionHistory } from '../../../inspect/history/session-history.js';
import type { TargetResult } from '../../../inspect/inspection-result.js';
import { happened } from '../../../inspect/tears/sentences.js';
import { RESOURCE_TYPES } from '../../../proto/resource-types.js';
import { channelStatus } from '../../status.js';
import { summarize, type TimelineRow, timelineRows } from '../../timeline/rows.js';
import { type BandPiece, bandDifferences, type OutcomeAt, rpcBand } from '../../timeline/rpc-band.js';
import { type ServerBars, serverBars } from '../../timeline/server-bars.js';
import {
  endResult,
  extent,
  history,
  isSameResource,
  revision,
  selectedResource,
  shownWindow,
  type TargetRef,
  targetRef,
  whatIfRun,
} from '../store.js';

// What the timeline of the selected target shows. It does not depend on the selected time.

const scopeName = computed(() => targetRef.value?.scope);

/** The part of the session that is shown. */
export const visibleWindow = computed<readonly [number, number]>(() => {
  const { from, end } = extent.value;
  return shownWindow.value ?? [from, Math.max(end, from + 1)];
});

export const summaries = computed(() => {
  revision.value;
  return scopeName.value === undefined ? [] : summarize(history.value?.changesOf(scopeName.value) ?? []);
});

export const tears = computed<readonly Tear[]>(() => {
  const ref = targetRef.value;
  const found = endResult.value?.targets.find(
    ({ scope, channel }) => scope.scope === ref?.scope && channel.target === ref.target,
  );
  return found?.channel.tears ?? [];
});

/** `400 ms · RDS routes version 8 names cluster green before CDS has it` */
export function tearText(tear: Tear, end: number): string {
  const lasting = formatMillis((tear.end ?? end) - tear.begin);
  return `${lasting}${tear.end === undefined ? ', still open' : ''} · ${happened([tear], undefined)}`;
}

/** The types whose rows are unfolded. */
export const unfolded = signal<ReadonlySet<string>>(new Set());

/** A row of the scrolling part: a resource, a folded type, or a server. */
export type ShownRow = TimelineRow | { kind: 'server'; server: ServerBars };

export const servers = computed<readonly ServerBars[]>(() => {
  revision.value;
  const name = scopeName.value;
  return name === undefined ? [] : serverBars(history.value?.serversOf(name) ?? [], extent.value.end);
});

/** Worst first; servers come first if they are the cause of the verdict. */
export const rows = computed<readonly ShownRow[]>(() => {
  const torn = new Set(
    tears.value.flatMap(({ resources, neededBy }) =>
      [...resources, ...(neededBy === undefined ? [] : [neededBy])].map(({ type, name }) => `${type} ${name}`),
    ),
  );
  const open = unfolded.value;
  const resources = timelineRows(summaries.value, {
    isTorn: ({ type, name }) => torn.has(`${type} ${name}`),
    isOpen: (type) => open.has(type),
    isSelected: (resource) => isSameResource(resource, selectedResource.value),
  });
  const serverRows = servers.value.map((server) => ({ kind: 'server' as const, server }));
  const ref = targetRef.value;
  const verdict = endResult.value?.verdicts.find(({ scope, target }) => scope === ref?.scope && target === ref.target);
  const isServerFault = verdict?.cause?.server != null && verdict.cause.resource === null;
  return isServerFault ? [...serverRows, ...resources] : [...resources, ...serverRows];
});

export const band = computed<readonly BandPiece[]>(() => {
  revision.value;
  const [ref, past] = [targetRef.value, history.value];
  return ref === undefined || past === undefined ? [] : bandOf(past, ref);
});

/** Where the what-if run differs; undefined if there is none. */
export const whatIfBand = computed(() => {
  const [run, ref, past] = [whatIfRun.value, targetRef.value, history.value];
  if (run === undefined || !run.isComplete || ref === undefined || past === undefined) return undefined;
  return bandDifferences(
    { band: band.value, outcomeAt: outcomeAt(past, ref) },
    { band: bandOf(run.history, ref), outcomeAt: outcomeAt(run.history, ref) },
  );
});

function bandOf(past: SessionHistory, ref: TargetRef): BandPiece[] {
  const channels = past.channelsOf(ref.scope, ref.target);
  const stateAt = targetAt(past, ref);
  return rpcBand({
    target: ref.target,
    channels,
    verdicts: past.verdictChanges().filter(({ scope, target }) => scope === ref.scope && target === ref.target),
    routesVersion: routesVersion(past, ref.scope),
    verdictAt: (at) => stateAt(at)?.verdict,
    isNumbered: past.from === past.client.start,
    end: past.end,
  });
}

/** Computing a state takes milliseconds, so only some are computed each time. */
const MAX_COMPUTED = 60;
const MAX_KEPT = 2000;

/** The target at times in the past, which do not change any more. */
const pastTargets = new WeakMap<SessionHistory, Map<string, TargetResult | undefined>>();

function targetAt(past: SessionHistory, ref: TargetRef): (at: number) => TargetResult | undefined {
  let count = 0;
  const known = pastTargets.get(past) ?? new Map<string, TargetResult | undefined>();
  pastTargets.set(past, known);
  return (at) => {
    const key = JSON.stringify([ref.scope, ref.target, at]);
    if (known.has(key)) return known.get(key);
    if (count++ >= MAX_COMPUTED) return undefined;
    const { targets } = past.at(at);
    const found = targets.find(({ scope, channel }) => scope.scope === ref.scope && channel.target === ref.target);
    if (known.size >= MAX_KEPT) known.clear();
    if (at < past.end) known.set(key, found);
    return found;
  };
}

/** What RPCs get, in the words of the report. */
function outcomeAt(past: SessionHistory, ref: TargetRef): OutcomeAt {
  const stateAt = targetAt(past, ref);
  return (at) => {
    const found = stateAt(at);
    return found && channelStatus(found.channel, found.verdict).rpcs.split(' · ');
  };
}

/** A configuration has the routes of the version whose resource it contains. */
function routesVersion(past: SessionHistory, scope: string) {
  return ({ state }: NonNullable<PastChannel['channel']>, at: number): string | undefined => {
    if (state.kind !== 'published' || state.config.routeConfigName === '') return undefined;
    const { routeConfig, routeConfigName } = state.config;
    const versions = past.versionsOf(scope, RESOURCE_TYPES.RDS, routeConfigName);
    const before = versions.filter((one) => one.at <= at);
    // A live page receives copies, which are not identical.
    const used = before.findLast(({ entry }) => entry?.resource?.value === routeConfig) ?? before.at(-1);
    return used?.entry?.version;
  };
}
