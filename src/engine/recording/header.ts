import type { Bootstrap } from '../../bootstrap/bootstrap.js';
import { effectiveBootstrap } from '../../bootstrap/effective.js';
import type { Preset } from '../../bootstrap/switches.js';
import type { FetchRequest } from '../get/fetch.js';
import type { ClientEnvironment } from '../options.js';

/** All versions can be read. A session is written in the oldest version that supports it, for older readers. */
const SCHEMAS = {
  targets: 'xds-inspect/recording/v1',
  /** A reader of v1 would ignore `fetch` and show a client without targets. */
  fetch: 'xds-inspect/recording/v2',
} as const;

export const NEWEST_SCHEMA = SCHEMAS.fetch;

/** The request of `get`, as JSON. */
export interface RecordedFetch extends Omit<FetchRequest, 'nack' | 'timeoutMs'> {
  nack: string | null;
  timeoutMs: number | null;
}

/** The first line of a recording. Header and inputs together determine the behaviour of the engine. */
export interface RecordingHeader {
  schema: (typeof SCHEMAS)[keyof typeof SCHEMAS];
  tool: 'xds-inspect';
  version: string;
  /** Milliseconds since the epoch. All other times in the file are relative to it. */
  start: number;
  as: Preset;
  /** Where the bootstrap came from. */
  source: string;
  bootstrap: unknown;
  /** The environment variables that switch features of gRPC. */
  variables: Record<string, string>;
  userAgent: { name: string; version: string };
  /** Network interfaces by name, for zones in IPv6 addresses. */
  interfaces: Record<string, number>;
  seed: number;
  /** Null: the default of the engine. */
  tearGraceMs: number | null;
  secrets: 'redacted' | 'kept';
  /** Set in a recording of `get`, which subscribes to one resource type instead of following targets. */
  fetch?: RecordedFetch;
}

/** Only gRPC's switches are recorded, since other environment variables may contain passwords. */
const SWITCH = /^GRPC_EXPERIMENTAL_\w+$|^GRPC_XDS_ENDPOINT_HASH_KEY_BACKWARD_COMPAT$/;

export interface RecordedSession {
  bootstrap: Bootstrap;
  source: string;
  environment: ClientEnvironment;
  tearGraceMs: number | undefined;
  start: number;
  keepsSecrets: boolean;
  fetch?: FetchRequest | undefined;
}

export function recordingHeader(session: RecordedSession, version: string): RecordingHeader {
  const { bootstrap, source, environment, tearGraceMs, start, keepsSecrets, fetch } = session;
  const { preset, variables, userAgentName, userAgentVersion, interfaces, seed } = environment;
  const switches = Object.entries(variables).flatMap(([name, value]) =>
    SWITCH.test(name) && value !== undefined ? [[name, value] as const] : [],
  );
  return {
    schema: fetch === undefined ? SCHEMAS.targets : SCHEMAS.fetch,
    tool: 'xds-inspect',
    version,
    start,
    as: preset,
    source,
    bootstrap: effectiveBootstrap(bootstrap, keepsSecrets),
    variables: Object.fromEntries(switches),
    userAgent: { name: userAgentName, version: userAgentVersion },
    interfaces: Object.fromEntries(interfaces),
    seed,
    tearGraceMs: tearGraceMs ?? null,
    secrets: keepsSecrets ? 'kept' : 'redacted',
    ...(fetch && { fetch: { ...fetch, nack: fetch.nack ?? null, timeoutMs: fetch.timeoutMs ?? null } }),
  };
}
