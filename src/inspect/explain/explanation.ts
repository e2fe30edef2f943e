import type { CacheEntry } from '../../core/resource-cache.js';
import type { ShortType } from '../../proto/resource-types.js';
import type { IpAddress } from '../../resources/common/ip-address.js';
import type { Call } from '../../routing/match.js';
import type { TimeoutRules } from '../../routing/timeout.js';

/** A step on the path from the target to the endpoints. */
export interface ExplainStep {
  /** Views append the `place` to `route`. */
  what: string;
  detail: string;
  isBad: boolean;
  /** The position of a route, counted from 0, among the routes that gRPC uses. */
  place?: RoutePlace;
}

interface RoutePlace {
  index: number;
  of: number;
}

/** The outcome of an RPC on a server for connections that match one filter chain. */
export interface ServedChain {
  match: string;
  outcome: 'ok' | 'fails' | 'depends';
  status: { code: string; message: string } | null;
  /** The properties of the caller that decide the outcome. */
  dependsOn: string[];
  steps: ExplainStep[];
}

/** The predicted outcome of an RPC, and its explanation. */
export interface ExplainView {
  scope: string;
  target: string;
  method: string;
  outcome: 'ok' | 'fails' | 'waits' | 'unknown';
  status: { code: string; message: string } | null;
  /** The first resource that blocks the RPC. */
  blockedBy: {
    type: ShortType;
    name: string;
    status: CacheEntry['status'];
    since: string | null;
    server: string | null;
  } | null;
  route:
    | (RoutePlace & {
        match: string;
        cluster: string | null;
        /** Earlier routes that do not match the RPC, and why. */
        notTaken: { index: number; reason: string }[];
      })
    | null;
  timeout: { value: number | null; from: string } | null;
  retries: { on: string[]; attempts: number } | null;
  /** The delay of the fault filter for such RPCs, and the share of RPCs that it affects. */
  delay: { value: number; share: number } | null;
  /** The `:authority` of the RPC. A trusted server can have gRPC replace it with the hostname of the endpoint (A81). */
  authority: { value: string; rewrittenTo: string[] } | null;
  /** The limit on concurrent RPCs of the cluster. gRPC drops RPCs beyond it. */
  maxConcurrentRequests: number | null;
  /** Fallback servers in use, with the servers of higher priority that they replace (A71). */
  fallback: { authority: string; server: string; priority: number; insteadOf: string[] }[];
  /** All possible outcomes of such an RPC, with their probabilities. */
  paths: {
    share: number;
    route: number | null;
    cluster: string | null;
    outcome: string;
    code: string | null;
    message: string | null;
  }[];
  /** The request hash, for LB policies that use it; null if no hash policy applies to the RPC. */
  hash: string | null;
  /** The addresses that the RPC can connect to. */
  addresses: string[];
  /** For a server: the outcome of the RPC in each filter chain (A36). */
  chains: ServedChain[];
  steps: ExplainStep[];
  hints: string[];
}

export interface ExplainOptions {
  call: Call;
  deadlineMs: number | undefined;
  rules: TimeoutRules;
  nodeId: string | undefined;
  random: () => number;
  /** Whether an address accepts connections. By default all do, since nothing connects to endpoints. */
  isReachable?: (address: IpAddress) => boolean;
  /** The `:authority` that callers of a server send; by default its address. */
  serverAuthority?: string | undefined;
}

/** Looks up the cache entry of a resource. */
export type EntryOf = (type: ShortType, name: string) => CacheEntry | undefined;
