import type { CacheStatus } from '../core/cache-status.js';
import type { Node } from '../proto/generated/envoy.config.core.v3.js';
import type { Any } from '../proto/generated/google.protobuf.js';

/** Whether a client has what its control plane wants it to have: the control plane's view. */
export type SyncStatus = 'SYNCED' | 'NOT_SENT' | 'STALE' | 'ERROR';

/** One resource of another client, as its CSDS tells it, whichever of CSDS's two shapes it uses. */
export interface DumpedResource {
  /** With its prefix, which some leave out. */
  typeUrl: string;
  name: string;
  status: CacheStatus;
  sync: SyncStatus | undefined;
  version: string;
  /** Milliseconds since the epoch; undefined where nobody says. */
  updatedAt: number | undefined;
  /** The resource in use; undefined where there is none, or where it is not told. */
  contents: Uint8Array | undefined;
  /** What is not just in use. */
  phase: 'static' | 'warming' | 'draining' | undefined;
  error: DumpedError | undefined;
  /** Where it stands in the ClientConfig, by the names of proto JSON. */
  path: readonly (string | number)[];
}

export interface DumpedError {
  details: string;
  version: string;
  at: number | undefined;
  /** What was refused. */
  failed: Any | undefined;
}

/** One client, or one client of a control plane. */
export interface ClientDump {
  /** As it is spelled there; '' where there is none. */
  clientScope: string;
  node: Node | undefined;
  resources: DumpedResource[];
  /** The ClientConfig. */
  bytes: Uint8Array;
}
