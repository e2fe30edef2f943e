import type { Preset } from '../bootstrap/switches.js';

/**
 * What is done where gRPC's rules leave a choice, or where C-core departs from them. Nothing else may ask whose client
 * this is.
 */
export interface Policies {
  /** D1: a message that is no response, or of a type that was never asked for, is passed over, and the next one is read. */
  continueAfterUnknownType: boolean;
  /** D2: a watcher is told that a data error is over, also where the good resource is the one it has. */
  tellsDataErrorsOver: boolean;
  /** D3: an error that the server reported is not forgotten by a response that says neither this nor that. */
  remembersReportedErrors: boolean;
  /** D4: a new listener waits for the routes it names. */
  waitsForNamedRoutes: boolean;
  /** D5: each cluster that routes name has leaves of its own, whatever other clusters lead to. */
  aggregateLeavesPerRoot: boolean;
  /** How long a resource is waited for before it is taken not to exist (A57). */
  resourceTimerMs: number;
  /** D6: the wait for a resource of a server whose slowness proves nothing. */
  transientTimerMs: number;
  /** D7: how a name without an authority is written. */
  emptyAuthority: 'xdstp:///' | 'xdstp:/';
  /** D12: addresses outlive a DNS failure. */
  keepsAddresses: boolean;
  /**
   * What a response changes is worked on as a whole, and one request a type says what came of it. C-core goes from one
   * notification to the next and writes in between (R1.8, R1.27).
   */
  batchNotifications: boolean;
  /** D18: the largest response that is read. */
  maxResponseBytes: number;
  /**
   * D19: a server that takes over is asked for all names, also on a stream that it has already; and when it is no longer
   * needed for them, it is told.
   */
  resubscribeAllOnFallback: boolean;
  /** D21: what a CSDS request asks for is looked at. */
  readsStatusRequests: boolean;
  /** D22: the node in CSDS has the features of the one on ADS. */
  showsAllFeatures: boolean;
}

const MIB = 1024 * 1024;

/** The gRFCs as this tool reads them, and C-core 1.85 to the letter. */
export const POLICIES: Record<Preset, Policies> = {
  spec: {
    continueAfterUnknownType: true,
    tellsDataErrorsOver: true,
    remembersReportedErrors: true,
    waitsForNamedRoutes: true,
    aggregateLeavesPerRoot: true,
    resourceTimerMs: 15_000,
    transientTimerMs: 30_000,
    emptyAuthority: 'xdstp:///',
    keepsAddresses: true,
    batchNotifications: true,
    maxResponseBytes: 128 * MIB,
    resubscribeAllOnFallback: true,
    readsStatusRequests: true,
    showsAllFeatures: true,
  },
  'c-core': {
    continueAfterUnknownType: false,
    tellsDataErrorsOver: false,
    remembersReportedErrors: false,
    waitsForNamedRoutes: false,
    aggregateLeavesPerRoot: false,
    resourceTimerMs: 15_000,
    transientTimerMs: 15_000,
    emptyAuthority: 'xdstp:/',
    keepsAddresses: false,
    batchNotifications: false,
    maxResponseBytes: 4 * MIB,
    resubscribeAllOnFallback: false,
    readsStatusRequests: false,
    showsAllFeatures: false,
  },
};
