import type { SourceLocation } from '../../base/finding.js';
import type { Preset } from '../../bootstrap/preset-names.js';
import type { CacheStatus } from '../../core/cache-status.js';
import type { Cause, VerdictWord } from '../verdict/verdict.js';

/** The gRFCs are not an implementation: they are shown beside them, and never fail. */
export const REFERENCE: Preset = 'spec';

/** What an implementation does with a target. */
export interface TargetCell {
  verdict: VerdictWord | 'not-measured';
  /** The status of failing RPCs, `OK` if none fails, null if RPCs are queued or the status is unknown. */
  status: { code: string; message: string } | null;
  cause: Cause | null;
  /** One line: why RPCs do not all work, or why the verdict is unknown. */
  reason: string | null;
}

type ResourceVerdict =
  | 'accepted'
  | 'rejected'
  /** The control plane does not have it, reported an error for it, or did not respond. */
  | 'missing'
  | 'waiting'
  /** Of a type that the implementation does not know. */
  | 'ignored'
  /** The implementation does not need it, often because it rejects or ignores what refers to it. */
  | 'not-requested'
  | 'not-measured';

/** What an implementation does with a resource. */
export interface ResourceCell {
  verdict: ResourceVerdict;
  /** Null for a file, and if the resource is not in the cache. */
  status: CacheStatus | null;
  /** The version that the verdict is about. */
  version: string | null;
  /** One line: why it is not accepted. */
  reason: string | null;
  /** The NACK of the implementation. */
  nack: string | null;
  /** The parts that the implementation accepts and does not use. */
  ignored: { path: string; reason: string }[];
}

type Cells<C> = ReadonlyMap<Preset, C>;

export interface TargetRow {
  target: string;
  /** Two implementations have different verdicts or status codes. */
  differs: boolean;
  cells: Cells<TargetCell>;
}

export interface ResourceRow {
  /** The target that needs it; null for a file. */
  target: string | null;
  /** The position in a file; null for a session. */
  place: SourceLocation | null;
  type: string;
  name: string;
  /** One implementation accepts what another one rejects, or they ignore different parts. */
  differs: boolean;
  cells: Cells<ResourceCell>;
}

/** `fails`: RPCs to a target fail, at least in part, or a resource that a target needs is rejected. */
export type ImplementationOutcome = 'ok' | 'fails' | 'waiting' | 'not-measured';

export interface ComparedImplementation {
  preset: Preset;
  /** The exit code depends on it. */
  isRequired: boolean;
  outcome: ImplementationOutcome;
  /** What fails, in a few words each. */
  failures: string[];
  /** No server of an authority that it needs can be used. */
  isLost: boolean;
}

/** The rows with differences come first. */
export interface Comparison {
  implementations: ComparedImplementation[];
  targets: TargetRow[];
  resources: ResourceRow[];
}
