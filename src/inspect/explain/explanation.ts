import type { CacheEntry } from '../../core/resource-cache.js';
import type { ShortType } from '../../proto/resource-types.js';
import type { IpAddress } from '../../resources/common/ip-address.js';
import type { Call } from '../../routing/match.js';
import type { TimeoutRules } from '../../routing/timeout.js';

/** One thing on the way from the target to the endpoints. */
export interface ExplainStep {
  /** `route` is completed by its place. */
  what: string;
  detail: string;
  isBad: boolean;
  /** Of a route: its position counted from 0, among the routes that gRPC uses. */
  place?: RoutePlace;
}

interface RoutePlace {
  index: number;
  of: number;
}

/** What a server makes of a call over connections that one filter chain takes. */
export interface ServedChain {
  match: string;
  outcome: 'ok' | 'fails' | 'depends';
  status: { code: string; message: string } | null;
  /** What about the caller decides. */
  dependsOn: string[];
  steps: ExplainStep[];
}

/** What an RPC would get now, and why. */
export interface ExplainView {
  scope: string;
  target: string;
  method: string;
  outcome: 'ok' | 'fails' | 'waits' | 'unknown';
  status: { code: string; message: string } | null;
  /** The first thing that stands in the way. */
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
        /** Earlier routes that the call does not match, and why. */
        notTaken: { index: number; reason: string }[];
      })
    | null;
  timeout: { value: number | null; from: string } | null;
  retries: { on: string[]; attempts: number } | null;
  /** How long the fault filter holds such a call up first, and which share of them. */
  delay: { value: number; share: number } | null;
  /** What the call says in `:authority`; a trusted server may have it replaced by the endpoint's own name (A81). */
  authority: { value: string; rewrittenTo: string[] } | null;
  /** How many calls the cluster takes at once; more are dropped. */
  maxConcurrentRequests: number | null;
  /** Servers that are asked in place of better ones (A71). */
  fallback: { authority: string; server: string; priority: number; insteadOf: string[] }[];
  /** All that may become of such a call, where chance decides, with how often it does. */
  paths: {
    share: number;
    route: number | null;
    cluster: string | null;
    outcome: string;
    code: string | null;
    message: string | null;
  }[];
  /** What the call is hashed to, for policies that choose by it; null where nothing in it decides. */
  hash: string | null;
  /** Where it would connect. */
  addresses: string[];
  /** Of a server: what becomes of the call in each filter chain (A36). */
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
  /** Whether an address takes connections; unless given, all do: nothing connects to endpoints. */
  isReachable?: (address: IpAddress) => boolean;
  /** What callers of a server put into `:authority`; its own address unless given. */
  serverAuthority?: string | undefined;
}

/** What is known of a resource. */
export type EntryOf = (type: ShortType, name: string) => CacheEntry | undefined;
