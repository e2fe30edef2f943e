import type { NameSpelling } from '../base/xds-name.js';
import type { CachePolicies } from './cache-policies.js';
import type { DependencyPolicies } from './dependency-policies.js';
import type { TimerPolicies } from './server-rules.js';
import type { StreamPolicies } from './stream-policies.js';

/**
 * Behaviour for which the gRFCs allow a choice, or in which C-core deviates from them. Nothing else may depend on the
 * preset.
 */
export interface Policies extends TimerPolicies, StreamPolicies, CachePolicies, DependencyPolicies {
  /** D1: ignore a message that is not a response, or whose type was never requested, and read the next one. */
  continueAfterUnknownType: boolean;
  /** D2: notify watchers of the end of a data error even if the valid resource equals the cached one. */
  notifyDataErrorEnd: boolean;
  /** D3: keep an error that the server reported if a later response does not mention the resource. */
  keepReportedErrors: boolean;
  /** D4: hold a new listener back until the routes that it names arrive. */
  waitForNamedRoutes: boolean;
  /** D5: each cluster that routes name has its own leaves, independent of other clusters. */
  aggregateLeavesPerRoot: boolean;
  /** D7: spelling of a name without an authority; `decoded` also omits percent-encoding. */
  emptyAuthority: NameSpelling;
  /** D12: keep the resolved addresses when a later DNS query fails. */
  keepAddresses: boolean;
  /**
   * Process all changes of a response together, and send one request per type. C-core processes each notification
   * before the next, and sends requests in between (R1.8, R1.27).
   */
  batchNotifications: boolean;
  /** How a target names its listener, and the errors of a target (A47); undefined: as in C-core. */
  targetRules: 'grpc-go' | 'grpc-java' | 'grpc-node' | undefined;
  /** D17: all spellings of a target share one client_scope. */
  normalizeScope: boolean;
  /** D18: a larger response ends the stream. */
  maxResponseBytes: number;
  /** D19: on fallback, send all names even on a stream that is open already, and unsubscribe from them on the return. */
  resubscribeAllOnFallback: boolean;
  /** D21: a CSDS response depends on its request. */
  honorStatusRequests: boolean;
  /** The implementation whose texts the statuses of RPCs have. */
  statusTexts: 'c-core' | 'grpc-go' | 'grpc-java' | 'grpc-node';
  /** D22: the node in CSDS has the client features of the node in ADS. */
  showAllFeatures: boolean;
  /** The client reads the errors that a server reports for resources (xRFC TP3). */
  readResourceErrors: boolean;
  /** A NACKed resource has the error of the whole NACK, with the status UNAVAILABLE. */
  rejectWithWholeNack: boolean;
  /** A type whose last name is unsubscribed becomes unknown and loses its version. */
  forgetUnwatchedTypes: boolean;
  /** An ADS stream waits for a connection; else a failed connection ends it. */
  waitForReady: boolean;
  /** The age of a stream without responses shortens the backoff after it, except for the first such stream. */
  countAgeAsBackoff: boolean;
  /** A response of an unknown type is a response: the server works, and the end of the stream is not an error. */
  countIgnoredResponses: boolean;
  /** A message that cannot be decoded ends its stream. */
  endStreamOnMalformed: boolean;
  /**
   * A subscription request starts the timers of all names of its type that have neither data nor a proof of absence, also
   * after a NACK; else a timer runs once per stream, until any response mentions its resource.
   */
  restartResourceTimers: boolean;
  /** A response that omits a listener or cluster proves its absence, even if it was not cached. */
  omissionProvesAbsence: boolean;
  /** CSDS shows UNKNOWN before the first resource timer, and the last valid version of a resource that a NACK dropped. */
  showMetadataOnly: boolean;
  /** A stream without subscriptions and an authority without resources stay connected. */
  keepUnusedStreams: boolean;
  /** A new watcher is notified at once that its server is unreachable. */
  notifyNewWatchersOfFailure: boolean;
  /** During a fallback, new names are sent only to the active server. */
  subscribeOnlyOnActive: boolean;
  /** A server that fails while a resource has neither data nor a proof of absence causes a fallback, also after a NACK. */
  fallBackUntilResolved: boolean;
  /** R1.11: a rejected response with a valid resource still sets the version of the next requests. */
  acceptPartlyValid: boolean;
  /** R1.25: every occurrence of a name in a response counts, in order; otherwise only the last one does. */
  applyEveryOccurrence: boolean;
  /** Updates and deletions of a response are one list, in the order of a hash map of Java. */
  notifyInHashOrder: boolean;
  /** If only one occurrence counts, it is the last valid one. */
  preferValidOccurrence: boolean;
  /** A response of a type that gRPC reads but has not requested is skipped; other unknown types follow D1. */
  skipUnrequestedTypes: boolean;
  /** A stream on which the client does not read any more never ends for the client. */
  endOnlyWhileReading: boolean;
  /** After the end of a stream that received a response, the next one opens without backoff. */
  retryWithoutBackoff: boolean;
  /**
   * Names and resource timers belong to an authority, which requests its names from each of its servers in use, or to a
   * server: it is sent only the names that were watched while it was active, and each has one timer, even if it is cached.
   */
  subscriptionsBelongTo: 'authority' | 'server';
  /** R3.5, R5.1: a new watcher is notified of a known failure of its server, and a new resource falls back from it. */
  rememberFailures: boolean;
  /** R3.2: while a server cannot be reached, each attempt to open a stream fails and notifies watchers again. */
  repeatConnectionErrors: boolean;
  /** R1.27: a resource without watchers stays cached until its unsubscription was sent. */
  keepUntilUnsubscribed: boolean;
  /** R1.30: CSDS shows a deletion that the server features ignore. */
  showIgnoredDeletions: boolean;
  /** R8.6: CSDS has the time of a resource only if it is cached; otherwise the time of a missing one is in the year 1. */
  omitUnsetTimes: boolean;
  /** CSDS shows errors other than those of NACKs. */
  showAllErrors: boolean;
  /** R7.2: the routes stay watched when their listener fails. */
  keepRoutesWithoutListener: boolean;
  /** Building a configuration ends the watches that it does not use, and every missing resource withholds it. */
  collectWatches: boolean;
  /** R9.7: a configuration waits for clusters that only the previous one or RPCs use. */
  waitForReferencedClusters: boolean;
  /** A74: an aggregate cluster works if some of its children do; otherwise the first error of a child is its own. */
  tolerateFailedChildren: boolean;
}
