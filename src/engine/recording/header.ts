import type { Bootstrap } from '../../bootstrap/bootstrap.js';
import { effectiveBootstrap } from '../../bootstrap/effective.js';
import type { Preset } from '../../bootstrap/switches.js';
import type { FetchRequest } from '../get/fetch.js';
import type { ClientEnvironment } from '../options.js';

/** Each is read; a session is written in the oldest that has what it needs, so that older readers can show it. */
const SCHEMAS = {
  targets: 'xds-inspect/recording/v1',
  /** An older reader would show a client that follows nothing. */
  fetch: 'xds-inspect/recording/v2',
} as const;

export const NEWEST_SCHEMA = SCHEMAS.fetch;

/** What was asked for, as a document has it. */
export interface RecordedFetch extends Omit<FetchRequest, 'nack' | 'timeoutMs'> {
  nack: string | null;
  timeoutMs: number | null;
}

/** The first line of a recording: all that decides, besides the inputs, what the engine does. */
export interface RecordingHeader {
  schema: (typeof SCHEMAS)[keyof typeof SCHEMAS];
  tool: 'xds-inspect';
  version: string;
  /** Milliseconds since the epoch; every other time in the file counts from here. */
  start: number;
  as: Preset;
  /** Where the bootstrap came from. */
  source: string;
  bootstrap: unknown;
  /** gRPC's environment switches, as they were set. */
  variables: Record<string, string>;
  userAgent: { name: string; version: string };
  /** Network interfaces by name, for zones in IPv6 addresses. */
  interfaces: Record<string, number>;
  seed: number;
  /** Null: as the engine has it. */
  tearGraceMs: number | null;
  secrets: 'redacted' | 'kept';
  /** Of a session that follows no target, but asks for resources of one type. */
  fetch?: RecordedFetch;
}

/** gRPC's switches and nothing else of the environment, which holds passwords as well. */
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
