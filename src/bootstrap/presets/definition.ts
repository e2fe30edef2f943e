import type { Policies } from '../policies.js';
import type { Switches } from '../switches.js';

/** How a client identifies itself to control planes and in CSDS. C-core appends words to both texts. */
interface ClientIdentity {
  userAgentName: string;
  userAgentVersion: string;
  clientFeatures: readonly string[];
}

/** The features of clients that ignore overprovisioning factors and accept Resource wrappers (R1.6). */
export const BOTH_FEATURES = ['envoy.lb.does_not_support_overprovisioning', 'xds.config.resource-in-sotw'] as const;

/** The behaviour of one client that `--as` can select. */
export interface PresetDefinition {
  description: string;
  /** The release whose behaviour was recorded; undefined for the gRFCs. */
  version: string | undefined;
  /** The fields of the node that the client sets itself; undefined for the gRFCs. */
  identity: ClientIdentity | undefined;
  policies: Policies;
  switches: {
    /** D13: whether A88 is on by default. */
    dataErrorHandling: boolean;
    /** Whether the client implements A88, so that the environment variable can turn it on. */
    canHandleDataErrors: boolean;
    /** Whether the environment variable can turn federation (A47) off. */
    canDisableFederation: boolean;
    /** D23: whether the environment variable can turn A71's fallback off. */
    canDisableFallback: boolean;
    /** Features that the client lacks, so that no environment variable can turn them on. */
    missing?: readonly (keyof Switches)[];
  };
}
