/** How a client stores resources, tells watchers about them, and shows them in CSDS. */
export interface CachePolicies {
  /** Which resource is an update: one with other validated contents, or also one that is encoded differently. */
  updates: 'validated' | 'encoded';
  /** A resource that equals the cached one changes nothing: neither version and time, nor the status after an error. */
  ignoreEqualResources: boolean;
  /** Watchers lose a deleted resource, but the cache keeps it: it is no update when it returns. */
  keepDeletedResources: boolean;
  /** A new watcher is notified of the error of a resource that is in the cache already. */
  repeatErrors: boolean;
  /** CSDS shows the type name instead of the type URL. */
  showTypeNames: boolean;
  /** CSDS shows the resource only while it is ACKED, but always its version and time. */
  showAckedOnly: boolean;
}

/** The behaviour that the gRFCs describe. */
export const STANDARD_CACHE: CachePolicies = {
  updates: 'validated',
  ignoreEqualResources: false,
  keepDeletedResources: false,
  repeatErrors: true,
  showTypeNames: false,
  showAckedOnly: false,
};
