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

/** Another client's cache, with its resources as gRPC understands them. */
export interface ValidatedDump {
  dump: ClientDump;
  /** In the order of the dump's resources. */
  entries: CacheEntry[];
  /** Why C-core would refuse what the client has, by the place in the dump. */
  refusals: ReadonlyMap<number, string>;
  /** What is known of a resource, by any spelling of its name. */
  entry(typeUrl: string, name: string): CacheEntry | undefined;
}

/** Nothing is known of the client's surroundings. */
const CONTEXT: ResourceContext = {
  switches: readResourceSwitches({}, true),
  certificateProviders: undefined,
  trustedServer: false,
  allowedGrpcServices: new Set(),
  interfaces: new Map(),
};

/** Judges what a client says it uses, so that its resources can be shown and followed like one's own. */
export function validateDump(dump: ClientDump, { emptyAuthority }: Pick<Policies, 'emptyAuthority'>): ValidatedDump {
  const refusals = new Map<number, string>();
  const byKey = new Map<string, CacheEntry>();
  const keyOf = (typeUrl: string, name: string): string =>
    `${typeUrl} ${canonicalName(name, typeNameOf(typeUrl), true, emptyAuthority) ?? name}`;
  const entries = dump.resources.map((one, i) => {
    const validated = one.contents === undefined ? undefined : judge(one.typeUrl, one.contents);
    if (validated !== undefined && 'refusal' in validated) refusals.set(i, validated.refusal);
    const entry = entryOf(one, validated !== undefined && 'resource' in validated ? validated.resource : undefined);
    byKey.set(keyOf(one.typeUrl, one.name), entry);
    return entry;
  });
  return { dump, entries, refusals, entry: (typeUrl, name) => byKey.get(keyOf(typeUrl, name)) };
}

/** Undefined for a type that gRPC does not know. */
function judge(typeUrl: string, bytes: Uint8Array): { resource: XdsResource } | { refusal: string } | undefined {
  const validated = RESOURCE_VALIDATORS.get(typeNameOf(typeUrl))?.(bytes, CONTEXT);
  if (validated === undefined) return undefined;
  if (validated.kind === 'undecodable') return { refusal: validated.message };
  return validated.result.ok ? { resource: validated.result.resource } : { refusal: validated.result.message };
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

/** What a state says about its error; of a deletion C-core tells the version, of a timer none; the others tell nothing. */
const TOLD: Partial<Record<CacheStatus, (one: DumpedResource) => DumpedErrorKind>> = {
  NACKED: () => ({ cause: 'nack', nature: 'data', code: statusCode('INVALID_ARGUMENT') }),
  DOES_NOT_EXIST: ({ error }) => ({
    cause: error === undefined ? 'absence' : error.version === '' ? 'timer' : 'deletion',
    nature: 'data',
    code: statusCode('NOT_FOUND'),
  }),
  RECEIVED_ERROR: () => ({ cause: 'server-error', nature: 'data', code: UNKNOWN_CODE }),
  TIMEOUT: () => ({ cause: 'timer', nature: 'transient', code: statusCode('UNAVAILABLE') }),
};

const WITHOUT_DETAILS: Partial<Record<CacheStatus, string>> = { DOES_NOT_EXIST: 'does not exist' };

function recordOf(one: DumpedResource): ErrorRecord | undefined {
  const { status, error, contents } = one;
  const told = TOLD[status]?.(one);
  if (told === undefined && error === undefined) return undefined;
  const { cause, nature, code } = told ?? { cause: 'nack', nature: 'data', code: UNKNOWN_CODE };
  return errorRecord(cause, {
    nature,
    status: { code, message: error?.details || (WITHOUT_DETAILS[status] ?? '') },
    server: '',
    version: error?.version || undefined,
    at: error?.at ?? Number.NaN,
    failOnDataErrors: false,
    effect: contents === undefined ? 'none-cached' : 'kept',
  });
}
