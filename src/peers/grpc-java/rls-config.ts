import { illegalArgument, JavaError } from './java-error.js';
import type { JavaJson, JavaJsonObject } from './json-format.js';
import { booleanAt, durationAt, listAt, objectAt, objectsAt, stringAt, wholeAt } from './json-util.js';

const TEN_SECONDS = 10_000_000_000n;
const RESERVED_KEYS = ['host', 'service', 'method'];

/** Checks the config of the LB policy `rls_experimental`. */
export function checkRls(config: JavaJsonObject): void {
  checkLookup(notNull(objectAt(config, 'routeLookupConfig')));
  objectAt(config, 'routeLookupChannelServiceConfig');
  const target = stringAt(config, 'childPolicyConfigTargetFieldName') ?? '';
  const children = notNull(objectsAt(config, 'childPolicy'));
  if (target === '') illegalArgument('childPolicyConfigTargetFieldName cannot be empty');
  if (children.length === 0) illegalArgument('empty childPolicy is provided');
}

function notNull<T>(value: T | undefined, message?: string): T {
  if (value === undefined) throw new JavaError('nullPointer', message);
  return value;
}

function checkLookup(config: JavaJsonObject): void {
  const builders = notNull(objectsAt(config, 'grpcKeybuilders'), 'grpcKeybuilders');
  const names = new Set<string>();
  const found = builders.map(checkKeyBuilder);
  if (builders.length === 0) illegalArgument('must have at least one GrpcKeyBuilder');
  for (const name of found.flat()) {
    if (names.has(name)) illegalArgument(`duplicate names in grpc_keybuilders: ${name}`);
    names.add(name);
  }
  if ((stringAt(config, 'lookupService') ?? '') === '') illegalArgument('lookupService must not be empty');
  if ((durationAt(config, 'lookupServiceTimeout') ?? TEN_SECONDS) <= 0n)
    illegalArgument('lookupServiceTimeout should be positive');
  const maxAge = durationAt(config, 'maxAge');
  if (durationAt(config, 'staleAge') !== undefined && maxAge === undefined)
    illegalArgument('to specify staleAge, must have maxAge');
  if ((wholeAt(config, 'cacheSizeBytes', 'long') ?? 1) <= 0) illegalArgument('cacheSize must be positive');
  stringAt(config, 'defaultTarget');
}

/** Returns the names of services and methods. */
function checkKeyBuilder(builder: JavaJsonObject): string[] {
  if ((listAt(builder, 'names') ?? []).length === 0) illegalArgument('each keyBuilder must have at least one name');
  const names = (objectsAt(builder, 'names') ?? []).map((name) => {
    const service = stringAt(name, 'service') ?? '';
    if (service === '') illegalArgument('service must not be empty or null');
    return `Name{service=${service}, method=${stringAt(name, 'method') ?? 'null'}}`;
  });
  const keys = (objectsAt(builder, 'headers') ?? []).map(checkHeader);
  objectAt(builder, 'extraKeys');
  const all = [...RESERVED_KEYS, ...keys, ...(objectAt(builder, 'constantKeys')?.keys() ?? [])];
  if (new Set(all).size < all.length) illegalArgument('keys in KeyBuilder must be unique');
  return names;
}

function checkHeader(header: JavaJsonObject): string {
  if (booleanAt(header, 'requiredMatch') === true) illegalArgument("requiredMatch shouldn't be specified for gRPC");
  const names: JavaJson | undefined = header.get('names');
  if (!Array.isArray(names)) throw new JavaError('nullPointer');
  return notNull(stringAt(header, 'key'), 'Null key');
}
