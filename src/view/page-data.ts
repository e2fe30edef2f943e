import { xxh64 } from '../base/xxh64.js';
import type { Preset } from '../bootstrap/switches.js';
import type { Resolution } from '../core/input.js';
import type { RejectedNote } from '../inspect/report/rejected-notes.js';

/** The data in a report page, as JSON. Large parts are in blobs: text that is compressed with gzip and encoded in base64. */
export interface PageData {
  schema: 'xds-inspect/page/v1';
  /** Version of the tool. */
  version: string;
  mode: 'recording' | 'live' | 'csds';
  /** The file name of a recording, or the targets. */
  title: string;
  /** How the tool was started, for suggested commands. */
  program: string;
  /** Codes of findings to omit. */
  suppress: readonly string[];
  filter: PageFilter;
  /** What to show first. The fragment of the address takes precedence. */
  initial: PageState;
  /** One per recording; a check has one per client. Empty for `csds` and `live`. */
  clients: readonly PageClient[];
  /** The report of `check`, in its JSON form. */
  check?: unknown;
  /** The comparison of `compare`, in its JSON form. */
  compare?: unknown;
  /** Only for `csds`. */
  dump?: PageDump;
}

/** `--type`, `--name` and `--status`; null if not given. */
interface PageFilter {
  type: readonly string[] | null;
  name: string | null;
  status: readonly string[] | null;
}

export type Tab = 'graph' | 'contents' | 'events' | 'findings' | 'tears' | 'servers' | 'check' | 'compare';
export type Side = 'rpc' | 'resource' | 'whatif';

/** The selection in a page. Times are milliseconds since the start of the session. */
export interface PageState {
  target?: string;
  at?: number;
  window?: readonly [number, number];
  tab?: Tab;
  side?: Side;
  resource?: { type: string; name: string };
  method?: string;
  headers?: readonly (readonly [string, string])[];
  deadlineMs?: number;
  whatIf?: PageWhatIf;
  theme?: 'light' | 'dark';
}

/** WhatIfChanges as JSON. */
export interface PageWhatIf {
  as?: Preset;
  /** Server features to add (true) or to remove (false), by name. */
  features?: Readonly<Record<string, boolean>>;
  resourceTimerMs?: number;
  tearGraceMs?: number;
}

/** A recorded client. */
export interface PageClient {
  /** The targets, or the file name of the recording. */
  name: string;
  /** Number of the blob with the recording. */
  recording: number;
  /** Number of the blob with the contents of its resources: `PageContent[]` as JSON. */
  contents: number;
  /** The listeners that servers listed (`ProbeResult`). */
  listed: readonly { scope: string; server: string; names: readonly string[] }[];
}

/** The contents of a version of a resource. */
export interface PageContent {
  key: string;
  yaml: string;
  /** The resource in proto JSON. */
  json: unknown;
  /** How other implementations treat a resource that gRPC (C-core) rejects. */
  notes: readonly Pick<RejectedNote, 'code' | 'implementation' | 'decides' | 'message'>[];
}

/** Other processes, read over CSDS. */
export interface PageDump {
  /** Null: the preset of each client's own implementation. */
  as: Preset | null;
  defaultAuthority: string | null;
  /** When the responses were read, in milliseconds since the epoch. */
  now: number;
  answers: readonly PageAnswer[];
  /** Number of the blob with the contents of the resources. */
  contents: number;
}

/** The response of a process. */
export interface PageAnswer {
  address: string;
  /** Number of the blob with the ClientStatusResponse; null if there is none. */
  response: number | null;
  /** Why data is missing. */
  problems: readonly string[];
  /** The results of DNS lookups, by host:port. */
  resolutions: readonly (readonly [string, Resolution])[];
}

/** Identifies the contents of a resource. The bytes contain its name. */
export function contentKey(typeUrl: string, bytes: Uint8Array): string {
  return `${typeUrl.slice(typeUrl.lastIndexOf('.') + 1)}-${bytes.length}-${xxh64(bytes).toString(16)}`;
}

/** The id of the element that contains a blob. */
export function blobId(number: number): string {
  return `blob-${number}`;
}

/** The id of the element that contains PageData. */
export const DATA_ID = 'data';
