import type { CacheStatus } from '../core/cache-status.js';
import type { Node } from '../proto/generated/envoy.config.core.v3.js';
import type { Any } from '../proto/generated/google.protobuf.js';

/** Whether a client has the configuration that its control plane intends, as the control plane sees it. */
export type SyncStatus = 'SYNCED' | 'NOT_SENT' | 'STALE' | 'ERROR';

/** One resource of another client, from either of the two forms of CSDS. */
export interface DumpedResource {
  /** With the prefix, which some implementations omit. */
  typeUrl: string;
  name: string;
  status: CacheStatus;
  sync: SyncStatus | undefined;
  version: string;
  /** Milliseconds since the epoch; undefined if the response does not contain it. */
  updatedAt: number | undefined;
  /** The cached resource; undefined if there is none or the response omits it. */
  contents: Uint8Array | undefined;
  /** Undefined for a resource that is simply in use. */
  phase: 'static' | 'warming' | 'draining' | undefined;
  error: DumpedError | undefined;
  /** Path in the ClientConfig, with the field names of proto JSON. */
  path: readonly (string | number)[];
}

export interface DumpedError {
  details: string;
  version: string;
  at: number | undefined;
  /** The rejected resource. */
  failed: Any | undefined;
}

/** One xDS client of an application, or one client of a control plane. */
export interface ClientDump {
  /** In the spelling of the response; empty if there is none. */
  clientScope: string;
  node: Node | undefined;
  resources: DumpedResource[];
  /** The ClientConfig. */
  bytes: Uint8Array;
}
