import type { Policies } from '../policies.js';

/** The behaviour of one client that `--as` can select. */
export interface PresetDefinition {
  description: string;
  /** The release whose behaviour was recorded; undefined for the gRFCs. */
  version: string | undefined;
  policies: Policies;
  switches: {
    /** D13: whether A88 is on by default. */
    dataErrorHandling: boolean;
    /** Whether the client implements A88, so that the environment variable can turn it on. */
    canHandleDataErrors: boolean;
    /** D23: whether the environment variable can turn A71's fallback off. */
    canDisableFallback: boolean;
  };
}
