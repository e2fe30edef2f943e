import type { LocatedProblem } from '../../base/document.js';
import type { Millis } from '../../base/duration.js';
import type { StatusName } from '../../base/status.js';
import type { ConnectionSettings } from '../../bootstrap/connection-settings.js';
import type { CacheStatus } from '../../core/cache-status.js';
import type { Json } from '../../proto/json/well-known.js';
import type { ShortType } from '../../proto/resource-types.js';
import type { Call } from '../../routing/match.js';
import type { TimeoutRules } from '../../routing/timeout.js';
import type { VerdictWord } from '../verdict/verdict.js';
import type { CountRule } from './count-rule.js';
import type { FieldStep } from './field-path.js';

/** A position in the file; both count from 1. */
export type FilePosition = Pick<LocatedProblem, 'line' | 'column'>;

/** An expected value. */
export type Match =
  | { kind: 'equals'; value: Json }
  /** Exactly this text. */
  | { kind: 'same'; text: string }
  | { kind: 'matches'; pattern: string }
  | { kind: 'contains'; value: Json }
  | { kind: 'count'; count: CountRule }
  | { kind: 'exists'; exists: boolean };

/** A resource by its short type and its name. */
export interface ResourceKey {
  type: ShortType;
  name: string;
}

export type EndpointHealth = 'healthy' | 'draining' | 'unhealthy' | 'total';

/** The outcome of an RPC; only the given fields are compared. */
export interface RpcOutcome {
  status: StatusName;
  message: Match | undefined;
  /** The cluster of all such RPCs. */
  cluster: string | undefined;
  /** The share of each cluster, in percent. */
  clusters: ReadonlyMap<string, number> | undefined;
  /** `none`: the configuration sets no limit. */
  timeout: Millis | 'none' | undefined;
}

/** Forbidden findings: codes, and severities, which include higher ones. `allow` has codes that are exceptions. */
export interface FindingRule {
  forbid: readonly string[];
  allow: readonly string[];
}

export type ExpectedFact =
  /** The verdict of the target is one of these. */
  | { kind: 'verdict'; verdicts: readonly VerdictWord[] }
  /** RPCs have a configuration (A74), regardless of their outcome. */
  | { kind: 'configured' }
  | { kind: 'acked' }
  | { kind: 'stable'; forMs: Millis }
  /** The authority uses its first server, or any server. */
  | { kind: 'active'; server: 'primary' | 'any' }
  | { kind: 'settled'; within: Millis }
  | { kind: 'tears'; longest: Millis }
  | { kind: 'never'; status: CacheStatus }
  | ({ kind: 'findings' } & FindingRule)
  | { kind: 'status'; resource: ResourceKey; status: CacheStatus; isNot: boolean }
  | { kind: 'version'; resource: ResourceKey; match: Match; isNot: boolean }
  | { kind: 'field'; resource: ResourceKey; path: readonly FieldStep[]; match: Match }
  | { kind: 'endpoints'; resource: ResourceKey; health: EndpointHealth; count: CountRule }
  | {
      kind: 'error';
      resource: ResourceKey;
      status: CacheStatus;
      code: StatusName | undefined;
      message: Match | undefined;
    }
  | { kind: 'rpc'; call: Call; deadline: Millis | undefined; rules: TimeoutRules; outcome: RpcOutcome };

/** An expectation with its name in reports and its position in the file. */
export type Expectation<W extends ExpectedFact = ExpectedFact> = { name: string; at: FilePosition } & W;

/** The server to block, and the time limits for a client to use another server and to return. */
export interface DrillSpec {
  at: FilePosition;
  /** `primary`, or the URI of a server. */
  drop: string;
  readyWithin: Millis;
  backWithin: Millis;
}

export interface TargetCheck {
  target: string;
  at: FilePosition;
  connecting: ConnectionSettings;
  connectingAt: FilePosition;
  nodeId: string | undefined;
  defaultAuthority: string | undefined;
  /** The observation time after the target has settled. */
  observe: Millis;
  expectations: Expectation[];
  drill: DrillSpec | undefined;
}

export interface CheckFile {
  /** For targets without their own settings. */
  connecting: ConnectionSettings;
  connectingAt: FilePosition;
  nodeId: string | undefined;
  /** The time limit for all targets to settle. */
  timeout: Millis | undefined;
  targets: TargetCheck[];
}
