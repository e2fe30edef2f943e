import { statusCode, UNKNOWN_CODE } from '../base/status.js';
import { authorityKey, canonicalName, OLD_STYLE, parseXdsName } from '../base/xds-name.js';
import type { Policies } from '../bootstrap/policies.js';
import type { CacheStatus } from '../core/cache-status.js';
import { type ErrorRecord, errorRecord } from '../core/error-record.js';
import type { CacheEntry } from '../core/resource-cache.js';
import { typeNameOf } from '../proto/json/type-name.js';
import { type ResourceContext, readResourceSwitches } from '../resources/context.js';
import { RESOURCE_VALIDATORS } from '../resources/registry.js';
import type { XdsResource } from '../resources/resource.js';
import type { ClientDump, DumpedResource } from './dump.js';

/** Another client's cache, with its resources validated. */
export interface ValidatedDump {
  dump: ClientDump;
  /** In the order of the dump's resources. */
  entries: CacheEntry[];
  /** Validation errors of C-core for cached resources, by index in the dump. */
  rejections: ReadonlyMap<number, string>;
  /** Returns a resource by any spelling of its name. */
  entry(typeUrl: string, name: string): CacheEntry | undefined;
}

/** The environment of the client is unknown. */
export const DUMP_CONTEXT: ResourceContext = {
  switches: readResourceSwitches({}, true),
  certificateProviders: undefined,
  trustedServer: false,
  allowedGrpcServices: new Set(),
  interfaces: new Map(),
};

/** Validates the resources of a client, so that they can be shown and followed like those of xds-inspect itself. */
export function validateDump(dump: ClientDump, { emptyAuthority }: Pick<Policies, 'emptyAuthority'>): ValidatedDump {
  const rejections = new Map<number, string>();
  const byKey = new Map<string, CacheEntry>();
  const keyOf = (typeUrl: string, name: string): string =>
    `${typeUrl} ${canonicalName(name, typeNameOf(typeUrl), true, emptyAuthority) ?? name}`;
  const entries = dump.resources.map((one, i) => {
    const validated = one.contents === undefined ? undefined : validateContents(one.typeUrl, one.contents);
    if (validated !== undefined && 'rejection' in validated) rejections.set(i, validated.rejection);
    const entry = entryOf(one, validated !== undefined && 'resource' in validated ? validated.resource : undefined);
    byKey.set(keyOf(one.typeUrl, one.name), entry);
    return entry;
  });
  return { dump, entries, rejections, entry: (typeUrl, name) => byKey.get(keyOf(typeUrl, name)) };
}

/** Undefined for a type that gRPC does not know. */
function validateContents(
  typeUrl: string,
  bytes: Uint8Array,
): { resource: XdsResource } | { rejection: string } | undefined {
  const validated = RESOURCE_VALIDATORS.get(typeNameOf(typeUrl))?.(bytes, DUMP_CONTEXT);
  if (validated === undefined) return undefined;
  if (validated.kind === 'undecodable') return { rejection: validated.message };
  return validated.result.ok ? { resource: validated.result.resource } : { rejection: validated.result.message };
}

function entryOf(one: DumpedResource, resource: XdsResource | undefined): CacheEntry {
  const { typeUrl, name, status, version, updatedAt, contents } = one;
  const parsed = parseXdsName(name, typeNameOf(typeUrl), true);
  return {
    typeUrl,
    name,
    authority: parsed === undefined ? OLD_STYLE : authorityKey(parsed),
    watchers: [],
    requestedAt: updatedAt ?? Number.NaN,
    status,
    resource,
    bytes: contents,
    version,
    server: undefined,
    stream: undefined,
    updatedAt,
    error: recordOf(one),
  };
}

type DumpedErrorKind = Pick<ErrorRecord, 'cause' | 'nature'> & { code: number };

/** The error that a status implies. C-core reports a version for a deletion but not for a timer; others report neither. */
const ERROR_KINDS: Partial<Record<CacheStatus, (one: DumpedResource) => DumpedErrorKind>> = {
  NACKED: () => ({ cause: 'nack', nature: 'data', code: statusCode('INVALID_ARGUMENT') }),
  DOES_NOT_EXIST: ({ error }) => ({
    cause: error === undefined ? 'absence' : error.version === '' ? 'timer' : 'deletion',
    nature: 'data',
    code: statusCode('NOT_FOUND'),
  }),
  RECEIVED_ERROR: () => ({ cause: 'server-error', nature: 'data', code: UNKNOWN_CODE }),
  TIMEOUT: () => ({ cause: 'timer', nature: 'transient', code: statusCode('UNAVAILABLE') }),
};

const DEFAULT_DETAILS: Partial<Record<CacheStatus, string>> = { DOES_NOT_EXIST: 'does not exist' };

function recordOf(one: DumpedResource): ErrorRecord | undefined {
  const { status, error, contents } = one;
  const kind = ERROR_KINDS[status]?.(one);
  if (kind === undefined && error === undefined) return undefined;
  const { cause, nature, code } = kind ?? { cause: 'nack', nature: 'data', code: UNKNOWN_CODE };
  return errorRecord(cause, {
    nature,
    status: { code, message: error?.details || (DEFAULT_DETAILS[status] ?? '') },
    server: '',
    version: error?.version || undefined,
    at: error?.at ?? Number.NaN,
    failOnDataErrors: false,
    effect: contents === undefined ? 'none-cached' : 'kept',
  });
}
