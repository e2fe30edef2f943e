import type { Bootstrap } from '../bootstrap/bootstrap.js';
import type { Preset } from '../bootstrap/switches.js';
import type { NodeIdentity } from '../core/node.js';
import type { CacheEntry } from '../core/resource-cache.js';
import type { ScopeSnapshot } from '../engine/scope.js';
import type { ProtocolFinding } from '../findings/finding.js';
import type { ClientContext } from '../resources/context.js';
import type { CsdsInspection, CsdsSource } from './csds.js';
import type { PropagatedError } from './error-log.js';
import type { EventFeed } from './event-feed.js';
import type { ProbeResult } from './probe.js';
import type { Follow, LiveSource, RecordingSource } from './source.js';
import type { Waitable, WaitEnding, WaitOptions } from './until.js';
import type { TargetVerdict } from './verdict/verdict.js';

/** The observed state of clients and their targets. Every view is derived from it. */
export interface Inspection extends Waitable {
  readonly events: EventFeed;
  now(): number;
  snapshot(): ScopeSnapshot[];
  /** Protocol findings about the control planes, except suppressed ones. */
  findings(): ProtocolFinding[];
  /** One verdict per target. */
  verdict(): TargetVerdict[];
  close(): void;
}

/** A client of this process, live or recorded. It does nothing before `start` or the first wait. */
export interface ClientInspection extends Inspection {
  readonly as: Preset;
  readonly bootstrap: Bootstrap;
  /** Where the bootstrap came from. */
  readonly origin: string;
  /** The client settings that resource validation depends on. */
  readonly context: ClientContext;
  /** How the client identifies itself. */
  readonly node: NodeIdentity;
  /** The channels of its targets, in the order in which they were given; empty for a recording, whose inputs contain them. */
  readonly targets: readonly Follow[];
  /** The longest resource timer of its servers. */
  readonly longestTimerMs: number;
  /** The errors so far, with their effects. */
  errors(): PropagatedError[];
  /** Number of older errors that were discarded. */
  droppedErrors(): number;
  start(): void;
  startedAt(): number;
  /** When something last changed. */
  changedAt(): number;
  /** When the first resource timer of these resources expires; undefined if none is running. */
  nextTimerEnd(open: readonly Pick<CacheEntry, 'typeUrl' | 'name'>[]): number | undefined;
  /** Lists the listeners of control planes that lack the listener of a target, so that verdicts can name them. */
  probe(wait: Pick<WaitOptions, 'onInterrupt' | 'limit'>): Promise<WaitEnding>;
  /** The listeners that a probe has listed. */
  listed(): ProbeResult['listed'];
}

export interface InspectOptions {
  /** Codes of findings to omit. */
  suppress?: ReadonlySet<string>;
  tearGraceMs?: number | undefined;
}

export type Source = LiveSource | RecordingSource | CsdsSource;

/** Opens an inspection of any source. Loads the code for that source on demand. */
export async function open(source: LiveSource | RecordingSource, options?: InspectOptions): Promise<ClientInspection>;
export async function open(source: CsdsSource, options?: InspectOptions): Promise<CsdsInspection>;
export async function open(source: Source, options: InspectOptions = {}): Promise<Inspection> {
  switch (source.kind) {
    case 'live':
      return (await import('./live.js')).openLive(source, options);
    case 'recording':
      return (await import('./recorded.js')).openRecording(source, options);
    case 'csds':
      return new (await import('./csds.js')).CsdsInspection(source);
  }
}
