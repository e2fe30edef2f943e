import { computed, signal } from '@preact/signals';
import type { RecordingHeader } from '../../engine/recording/header.js';
import type { ScopeSnapshot } from '../../engine/scope.js';
import type { SessionHistory } from '../../inspect/history/session-history.js';
import type { InspectionResult, TargetResult } from '../../inspect/inspection-result.js';
import type { RejectedNote } from '../../inspect/report/rejected-notes.js';
import { ResourceFilter } from '../../inspect/resource-filter.js';
import type { RecordingFile } from '../../inspect/source.js';
import { byVerdict } from '../../inspect/verdict/verdict.js';
import { WorstVerdicts } from '../../inspect/verdict-history.js';
import { shortType } from '../../proto/resource-types.js';
import { contentKey, type PageContent, type PageData, type PageWhatIf, type Side, type Tab } from '../page-data.js';
import { type ReportChannel, type ReportDocument, type ReportScope, reportDocument } from '../report.js';

/** A client whose session the page shows. Times in the store are milliseconds since the epoch, as in a history. */
export interface PageSession {
  name: string;
  /** Undefined for a client that was read over CSDS, which has no history. */
  history: SessionHistory | undefined;
  /** The state of a client without a history. */
  fixed: InspectionResult | undefined;
  /** What a second run needs; undefined if the page does not contain the recording. */
  recording: { header: RecordingHeader; file: RecordingFile } | undefined;
  /** Loads the contents of the resources that have these keys. */
  loadContents(keys: readonly string[]): Promise<readonly PageContent[]>;
  /** What the user has to know about the data, such as damage to the recording. */
  remarks: readonly string[];
}

export interface ResourceRef {
  /** The short type, such as `CDS`. */
  type: string;
  name: string;
}

export interface TargetRef {
  scope: string;
  target: string;
}

/** The RPC to explain. */
export interface Call {
  method: string;
  headers: readonly (readonly [string, string])[];
  deadlineMs: number | undefined;
}

export type Theme = 'light' | 'dark';

// What the page contains

export const data = signal<PageData | undefined>(undefined);
export const sessions = signal<readonly PageSession[]>([]);
/** Increases when a history has grown. Every computed value that reads a history also reads this. */
export const revision = signal(0);
/** The history of the what-if run, and why there is none. */
export const whatIfRun = signal<{ history: SessionHistory; isComplete: boolean } | undefined>(undefined);
/** Whether the page receives a live session, and still has a connection. */
export const live = signal<'no' | 'connected' | 'lost'>('no');

// What is selected

export const clientIndex = signal(0);
/** The selected time; undefined: the end, which a live page follows. */
export const time = signal<number | undefined>(undefined);
/** The part of the session that the timeline shows; undefined: all of it. */
export const shownWindow = signal<readonly [number, number] | undefined>(undefined);
export const selectedTarget = signal<TargetRef | undefined>(undefined);
export const selectedResource = signal<ResourceRef | undefined>(undefined);
export const hoveredResource = signal<ResourceRef | undefined>(undefined);
export const tab = signal<Tab>('graph');
export const side = signal<Side>('rpc');
export const call = signal<Call>({ method: '', headers: [], deadlineMs: undefined });
export const whatIf = signal<PageWhatIf>({});
/** Undefined: as the system prefers. */
export const theme = signal<Theme | undefined>(undefined);
export const find = signal('');

// What follows from it

export const session = computed<PageSession | undefined>(() => sessions.value[clientIndex.value] ?? sessions.value[0]);
export const history = computed<SessionHistory | undefined>(() => session.value?.history);
export const hasHistory = computed(() => history.value !== undefined);
/** The start of the session, its end, and the earliest time that can be selected. */
export const extent = computed(() => {
  revision.value;
  const { history: past, fixed } = session.value ?? {};
  const now = fixed?.now ?? 0;
  return past === undefined
    ? { start: now, from: now, end: now }
    : { start: past.client.start, from: past.from, end: past.end };
});
/** The selected time, also if it is the end. */
export const now = computed(() => time.value ?? extent.value.end);

/** The state at the end. */
export const endResult = computed<InspectionResult | undefined>(() => {
  revision.value;
  return session.value === undefined ? undefined : resultAt(session.value, undefined);
});
/** The state of the session at the selected time: everything that the panes show. */
export const result = computed<InspectionResult | undefined>(() => {
  revision.value;
  if (time.value === undefined) return endResult.value;
  return session.value === undefined ? undefined : resultAt(session.value, time.value);
});

export function resultAt({ history: past, fixed }: PageSession, at: number | undefined): InspectionResult | undefined {
  return past === undefined ? fixed : past.at(at ?? Number.POSITIVE_INFINITY);
}

/** `--type`, `--name` and `--status` of the command that wrote the page. */
const filter = computed(() => {
  const { type, name, status } = data.value?.filter ?? { type: null, name: null, status: null };
  return new ResourceFilter({ type: type ?? undefined, name: name ?? undefined, status: status ?? undefined });
});

export const report = computed<ReportDocument | undefined>(() => result.value && reportOf(result.value));

function reportOf(shown: InspectionResult): ReportDocument {
  const worst = worstBefore(shown.now);
  return reportDocument(shown, {
    filter: filter.value,
    rerun: undefined,
    notes: rejectedNotes.value,
    worseThan: (verdict) => worst.worseThan(verdict),
  });
}

function worstBefore(limit: number): WorstVerdicts {
  const worst = new WorstVerdicts();
  for (const past of history.value?.verdictChanges() ?? []) if (past.at <= limit) worst.observe([past], past.at);
  return worst;
}

/** The selected target as JSON, so that it is equal for equal targets; the worst one if none is selected. */
const targetKey = computed(() => {
  const { verdicts = [] } = endResult.value ?? {};
  const selected = selectedTarget.value;
  const named = verdicts.filter((one) => one.target === selected?.target);
  const found = named.find((one) => one.scope === selected?.scope) ?? named[0] ?? [...verdicts].sort(byVerdict)[0];
  return found === undefined ? '' : JSON.stringify({ scope: found.scope, target: found.target });
});
/** The selected target, at any time. */
export const targetRef = computed<TargetRef | undefined>(() =>
  targetKey.value === '' ? undefined : (JSON.parse(targetKey.value) as TargetRef),
);
/** The selected target at the selected time; undefined if it was not followed then. */
export const target = computed<TargetResult | undefined>(() => {
  const ref = targetRef.value;
  return result.value?.targets.find((one) => one.scope.scope === ref?.scope && one.channel.target === ref.target);
});
/** The client_scope of the selected target; its resources are those that timeline and panes show. */
export const scope = computed<ScopeSnapshot | undefined>(() => {
  const name = targetRef.value?.scope;
  const { snapshot = [] } = result.value ?? {};
  return name === undefined ? snapshot[0] : snapshot.find((one) => one.scope === name);
});
export const reportScope = computed<ReportScope | undefined>(() => {
  const name = scope.value?.scope;
  return report.value?.scopes.find((one) => one.scope === name);
});
export const reportChannel = computed<ReportChannel | undefined>(() => {
  const name = target.value?.channel.target;
  return reportScope.value?.channels.find((one) => one.target === name);
});

// Contents of resources, which are unpacked when they are first needed

/** By `contentKey`. */
const contents = signal<ReadonlyMap<string, PageContent>>(new Map());
/** Why contents could not be loaded. */
export const contentsProblem = signal<unknown>(undefined);
const requested = new Set<string>();

/** The contents of a resource; undefined until they are loaded. Call it in an effect or a component. */
export function contentOf(typeUrl: string, bytes: Uint8Array): PageContent | undefined {
  const key = contentKey(typeUrl, bytes);
  const known = contents.value.get(key);
  if (known === undefined && !requested.has(key)) {
    requested.add(key);
    session.value?.loadContents([key]).then(
      (loaded) => {
        contents.value = new Map([...contents.peek(), ...loaded.map((one) => [one.key, one] as const)]);
      },
      (error: unknown) => {
        requested.delete(key);
        contentsProblem.value = error;
      },
    );
  }
  return known;
}

/** How other implementations treat the rejected resources, as computed when the page was written. */
const rejectedNotes = computed<RejectedNote[]>(() =>
  (result.value?.snapshot ?? []).flatMap(({ scope: name, entries }) =>
    entries
      .filter(({ rejected, error }) => rejected !== undefined && error?.cause === 'nack')
      .slice(0, MAX_NOTED)
      .flatMap((entry) => {
        const { notes } = contents.value.get(contentKey(entry.typeUrl, entry.rejected as Uint8Array)) ?? { notes: [] };
        return notes.map((note) => ({ ...note, scope: name, type: shortType(entry.typeUrl), name: entry.name }));
      }),
  ),
);
const MAX_NOTED = 5;

// Actions

/** Selects a time, limited to the session; undefined: the end. */
export function selectTime(at: number | undefined): void {
  const { from, end } = extent.peek();
  time.value = at === undefined || at >= end ? undefined : Math.max(from, at);
}

/** Selects a resource in all panes. */
export function selectResource(ref: ResourceRef | undefined, shownSide?: Side): void {
  selectedResource.value = ref;
  if (shownSide !== undefined) side.value = shownSide;
}

/** Selects a target. A resource of another client_scope is no longer selected. */
export function selectTargetOf(index: number, ref: TargetRef): void {
  if (clientIndex.peek() !== index || targetRef.peek()?.scope !== ref.scope) selectedResource.value = undefined;
  clientIndex.value = index;
  selectedTarget.value = ref;
}

export function isSameResource(a: ResourceRef | undefined, b: ResourceRef | undefined): boolean {
  return a !== undefined && a.name === b?.name && a.type === b.type;
}
