/** How a client combines the resources of a target into a configuration (A74). */
export interface DependencyPolicies {
  /** The domains of virtual hosts match authorities in the same case only, and an asterisk also matches nothing. */
  matchDomainsLiterally: boolean;
  /** No virtual host matches if the domain of any has an asterisk in the middle, or is empty. */
  failOnInvalidDomains: boolean;
  /**
   * Without endpoints because of an error, a cluster makes the configuration incomplete. Otherwise the configuration is
   * published, and RPCs to the cluster fail (A74).
   */
  waitForEndpoints: boolean;
  /** A cluster with an error is a leaf of its aggregate cluster, which fails over to the next leaf. */
  failingLeaves: boolean;
  /** When the listener names other routes, the previous ones end at once, with clusters that RPCs cannot select. */
  dropOldRoutes: boolean;
  /** The clusters of the last configuration stay watched when an error replaces it. */
  keepSelectedClusters: boolean;
  /** RPCs are queued until the first configuration, even if there is an error instead. */
  queueUntilFirstConfig: boolean;
  /** After a cluster is deleted, the error of a later version replaces that of the deletion. */
  replaceClusterErrors: boolean;
}

/** The behaviour that the gRFCs describe. */
export const STANDARD_DEPENDENCIES: DependencyPolicies = {
  matchDomainsLiterally: false,
  failOnInvalidDomains: false,
  waitForEndpoints: false,
  failingLeaves: false,
  dropOldRoutes: false,
  keepSelectedClusters: false,
  queueUntilFirstConfig: false,
  replaceClusterErrors: false,
};
