import type { PathStep } from '../../base/problem.js';
import { isMapping } from '../../base/shape.js';
import { API_TYPES } from '../../proto/api-types.js';
import { xdsCatalogue } from '../../proto/json/catalogue.js';
import { typeNameOf } from '../../proto/json/type-name.js';

/** The state of a resource in the client that wrote the dump. */
export type DumpState = 'static' | 'active' | 'warming' | 'draining' | 'rejected';

/** A resource in a dump, as proto JSON with "@type". */
export interface DumpedResource {
  json: unknown;
  path: PathStep[];
  state: DumpState;
  /** Of the response that contained the resource, if the dump has it. */
  version: string | undefined;
  /** The cache status, if the dump has it: `ACKED`. */
  status: string | undefined;
  /** The name of the dump, in a file with dumps of several proxies. */
  dump: string;
}

type ResourceOfDump = Omit<DumpedResource, 'dump'>;

/** Messages of these packages contain resources: Envoy's config dump, a CSDS response, the bootstrap of Envoy. */
export const DUMPS = /^envoy\.(admin|service\.status|config\.bootstrap)\.v3\./;

/** In these, every Any is a resource or contains resources. */
const DUMPS_OF_ANYS = /^envoy\.(admin|service\.status)\.v3\./;

const TYPE_URLS = new Map(Object.values(API_TYPES).map((typeUrl) => [typeNameOf(typeUrl), typeUrl]));

/** Types that also occur in other places than a list of resources. */
const NOT_ONLY_RESOURCES = new Set(['ECDS', 'LEDS', 'VHDS'].map((short) => typeNameOf(API_TYPES[short] as string)));

/** Dumps without "@type", as Envoy and grpcurl print them, by a field that identifies them. */
export const UNTYPED_DUMPS: readonly [field: RegExp, typeName: string][] = [
  [/^configs$/, 'envoy.admin.v3.ConfigDump'],
  [/^config$/, 'envoy.service.status.v3.ClientStatusResponse'],
  [/^(generic_xds_configs|genericXdsConfigs)$/, 'envoy.service.status.v3.ClientConfig'],
  [/^(static_resources|staticResources)$/, 'envoy.config.bootstrap.v3.Bootstrap'],
];

/** A namespace and a name. */
const MAX_NAMES = 2;

/** Returns the resources in a dump, in its order; `undefined` if the value is not a dump. */
export function resourcesInDump(value: unknown): DumpedResource[] | undefined {
  if (!isMapping(value)) return undefined;
  const typeName = dumpType(value);
  const dumps = typeName === undefined ? namedDumps(value, []) : [{ typeName, value, path: [] }];
  return dumps?.flatMap((dump) => {
    const name = dump.path.join('/');
    const resources = [...resourcesIn(dump.typeName, dump.value, [], NO_FACTS)];
    return resources.map((one) => ({ ...one, path: [...dump.path, ...one.path], dump: name }));
  });
}

interface NamedDump {
  typeName: string;
  value: Record<string, unknown>;
  path: PathStep[];
}

/** Tools for several proxies print dumps by namespace and name, or in the field `xds` beside other objects. */
function namedDumps(value: Record<string, unknown>, path: PathStep[]): NamedDump[] | undefined {
  const entries = Object.entries(path.length === 0 && isMapping(value.xds) ? { xds: value.xds } : value);
  const found = entries.map(([key, inner]) => {
    if (!isMapping(inner)) return undefined;
    const place = [...path, key];
    const typeName = certainDumpType(inner);
    if (typeName !== undefined) return [{ typeName, value: inner, path: place }];
    return place.length < MAX_NAMES && !('@type' in inner) ? namedDumps(inner, place) : undefined;
  });
  return found.length > 0 && found.every((one) => one !== undefined) ? found.flat() : undefined;
}

/** Below a name, `config` or `static_resources` may be a field of any message. */
function certainDumpType(value: Record<string, unknown>): string | undefined {
  const isCertain = typeof value['@type'] === 'string' || Array.isArray(value.configs);
  return isCertain ? dumpType(value) : undefined;
}

function dumpType(value: Record<string, unknown>): string | undefined {
  const { '@type': type } = value;
  if (typeof type === 'string') return DUMPS.test(typeNameOf(type)) ? typeNameOf(type) : undefined;
  const keys = Object.keys(value);
  return UNTYPED_DUMPS.find(([field]) => keys.some((key) => field.test(key)))?.[1];
}

/** What the entry of a dump says about its resource. */
type Facts = Pick<ResourceOfDump, 'version' | 'status'>;

const NO_FACTS: Facts = { version: undefined, status: undefined };

/** The states of a listener are below the entry that has its status; each has a version of its own. */
function factsOf(value: Record<string, unknown>, outer: Facts): Facts {
  const [version, status] = [value.version_info ?? value.versionInfo, value.client_status ?? value.clientStatus];
  return {
    version: typeof version === 'string' && version !== '' ? version : undefined,
    status: typeof status === 'string' ? status : outer.status,
  };
}

function* resourcesIn(typeName: string, value: unknown, path: PathStep[], outer: Facts): Generator<ResourceOfDump> {
  const fields = xdsCatalogue.message(typeName)?.byName;
  if (!isMapping(value) || fields === undefined) return;
  const facts = factsOf(value, outer);
  for (const [key, inner] of Object.entries(value)) {
    const field = fields.get(key);
    if (field?.type.kind !== 'message') continue;
    const elements = field.repeated && Array.isArray(inner) ? [...inner.entries()] : [[undefined, inner] as const];
    for (const [index, element] of elements) {
      const place = index === undefined ? [...path, key] : [...path, key, index];
      yield* resourceAt(typeName, field.type.name, element, place, facts);
    }
  }
}

function* resourceAt(
  outer: string,
  declared: string,
  value: unknown,
  path: PathStep[],
  facts: Facts,
): Generator<ResourceOfDump> {
  const isAny = declared === 'google.protobuf.Any' && DUMPS_OF_ANYS.test(outer);
  const type = isAny && isMapping(value) ? value['@type'] : declared;
  if (typeof type !== 'string') {
    // An Any without a type cannot be encoded, and is reported as a problem. An empty one is like a missing one.
    if (isMapping(value) && Object.keys(value).length > 0) yield { json: value, path, state: stateOf(path), ...facts };
    return;
  }
  const name = typeNameOf(type);
  const typeUrl = NOT_ONLY_RESOURCES.has(name) ? undefined : TYPE_URLS.get(name);
  if (DUMPS.test(name)) yield* resourcesIn(name, value, path, facts);
  else if (isAny) yield { json: value, path, state: stateOf(path), ...facts };
  else if (typeUrl !== undefined && isMapping(value))
    yield { json: { '@type': typeUrl, ...value }, path, state: stateOf(path), ...facts };
}

const STATES: readonly [field: RegExp, state: DumpState][] = [
  [/^(error_state|errorState)$/, 'rejected'],
  [/warming/i, 'warming'],
  [/^draining/, 'draining'],
  [/^(static|bootstrap$|inline)/, 'static'],
];

function stateOf(path: readonly PathStep[]): DumpState {
  const isIn = (field: RegExp): boolean => path.some((step) => typeof step === 'string' && field.test(step));
  return STATES.find(([field]) => isIn(field))?.[1] ?? 'active';
}
