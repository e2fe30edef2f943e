import { type CatalogueField, type CatalogueMessage, xdsCatalogue } from '../../proto/json/catalogue.js';
import type { Json } from '../../proto/json/well-known.js';
import { fieldOf, isObject, itemsOf, type LocatedValue, numberOf, secondsOf, typeNameOf } from '../located-value.js';
import { ENVOY_LIMITS, type Limit } from './limits.js';

/** Extensions of which Envoy validates only the name. */
const ONLY_NAMED = new Set(['upstream_config', 'audit_logger']);

/** Fields whose Anys Envoy does not unpack. */
const NOT_UNPACKED = new Set(['typed_filter_metadata', 'filter_metadata']);

/** The policies that Envoy supports. It uses the first supported policy of a list and does not check the others. */
const ENVOY_POLICIES = 'envoy.extensions.load_balancing_policies.';

const DURATION_RANGE = 'must be between 0 and 292 years';

interface LimitViolation extends LocatedValue {
  detail: string;
}

/** Notes name only the first few places. A hostile resource has a violation in each of its parts. */
const MAX_VIOLATIONS = 100;

/** Returns the first violations of the Envoy API constraints in a message and in the messages inside it. */
export function limitViolations(located: LocatedValue, typeName: string): LimitViolation[] {
  const found: LimitViolation[] = [];
  addViolations(located, typeName, found);
  return found;
}

function addViolations({ path, value }: LocatedValue, typeName: string, found: LimitViolation[]): void {
  const type = xdsCatalogue.message(typeName);
  if (type === undefined || !isObject(value) || value['@error'] !== undefined) return;
  addOwnViolations({ path, value }, type, found);
  for (const field of type.byNumber.values()) addFieldViolations({ path, value }, field, found);
}

function addOwnViolations({ path, value }: LocatedValue, type: CatalogueMessage, found: LimitViolation[]): void {
  const limits = ENVOY_LIMITS[type.name];
  if (limits === undefined || found.length >= MAX_VIOLATIONS) return;
  for (const [name, limit] of Object.entries(limits.fields ?? {})) {
    const field = type.byName.get(name);
    if (field === undefined) continue;
    const inside = fieldOf(value, field.jsonName);
    const detail = violationDetail(field, limit, inside);
    if (detail !== undefined) found.push({ path: join(path, name), value: inside ?? null, detail });
  }
  const { oneOf } = limits;
  if (oneOf !== undefined && !oneOf.some((name) => fieldOf(value, type.byName.get(name)?.jsonName ?? '') !== undefined))
    found.push({ path, value, detail: `requires one of ${oneOf.join(', ')}` });
}

function violationDetail(field: CatalogueField, limit: Limit, value: Json | undefined): string | undefined {
  switch (limit) {
    case 'required':
      return value === undefined ? 'must be set' : undefined;
    case 'non-empty':
      return isEmpty(value) && (value !== undefined || field.oneof === undefined) ? 'must not be empty' : undefined;
    case 'defined':
      return isUndefinedEnum(value) ? 'must be a defined value' : undefined;
    case 'true':
      return value === false ? 'must be true' : undefined;
    default:
      return outOfRange(field, limit, value);
  }
}

/** Proto JSON prints the names of enum values, and a number for a value without a name. */
function isUndefinedEnum(value: Json | undefined): boolean {
  return typeof value === 'number' || itemsOf(value).some((item) => typeof item === 'number');
}

function isEmpty(value: Json | undefined): boolean {
  return value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
}

function outOfRange(field: CatalogueField, limit: Exclude<Limit, string>, value: Json | undefined): string | undefined {
  const values = Array.isArray(value) ? value : [value ?? implicitDefault(field)];
  const numbers = values.map((one) => numberOf(one) ?? secondsOf(one)).filter((one) => one !== undefined);
  const { gte = -Infinity, lte = Infinity, gt = -Infinity, lt = Infinity } = limit;
  if (numbers.some((one) => one < gte)) return `must be at least ${gte}`;
  if (numbers.some((one) => one > lte)) return `must be at most ${lte}`;
  if (numbers.some((one) => one <= gt)) return `must be greater than ${gt}`;
  return numbers.some((one) => one >= lt) ? `must be less than ${lt}` : undefined;
}

/** A number field without presence is 0 if proto JSON omits it. */
function implicitDefault(field: CatalogueField): Json | undefined {
  return field.type.kind === 'scalar' && field.oneof === undefined && !field.repeated ? 0 : undefined;
}

function addFieldViolations({ path, value }: LocatedValue, field: CatalogueField, found: LimitViolation[]): void {
  const inside = fieldOf(value, field.jsonName);
  if (inside === undefined || field.type.kind !== 'message' || NOT_UNPACKED.has(field.name)) return;
  const here = join(path, field.name);
  const { name } = field.type;
  if (ONLY_NAMED.has(field.name)) addShallowViolations({ path: here, value: inside }, name, found);
  else if (field.mapKey !== undefined) {
    for (const [key, entry] of Object.entries(isObject(inside) ? inside : {}))
      addNestedViolations({ path: `${here}[${key}]`, value: entry }, name, found);
  } else if (!field.repeated) addNestedViolations({ path: here, value: inside }, name, found);
  else addItemViolations(itemsOf(inside), here, name, found);
}

function addItemViolations(items: readonly Json[], path: string, typeName: string, found: LimitViolation[]): void {
  const isPolicies = typeName.endsWith('.LoadBalancingPolicy.Policy');
  for (const [index, item] of items.entries()) {
    if (found.length >= MAX_VIOLATIONS) return;
    if (isPolicies && !isKnownPolicy(item)) continue;
    addNestedViolations({ path: `${path}[${index}]`, value: item }, typeName, found);
    if (isPolicies) return;
  }
}

/** Envoy does not validate the Any in this message. */
function addShallowViolations(located: LocatedValue, typeName: string, found: LimitViolation[]): void {
  const type = xdsCatalogue.message(typeName);
  if (type !== undefined) addOwnViolations(located, type, found);
}

function addNestedViolations({ path, value }: LocatedValue, typeName: string, found: LimitViolation[]): void {
  if (typeName === 'google.protobuf.Duration') {
    if (!isDuration(value)) found.push({ path, value, detail: DURATION_RANGE });
  } else addViolations({ path, value }, typeName === 'google.protobuf.Any' ? typeNameOf(value) : typeName, found);
}

/** Envoy checks every duration of a resource: it must not be negative, and its nanoseconds must fit into 64 bits. */
function isDuration(value: Json): boolean {
  const nanos = numberOf(fieldOf(value, 'nanos')) ?? 0;
  const seconds = secondsOf(value) ?? 0;
  return seconds >= 0 && seconds < 2 ** 63 / 1e9 && nanos >= 0 && nanos < 1e9;
}

function isKnownPolicy(policy: Json): boolean {
  return typeNameOf(fieldOf(fieldOf(policy, 'typedExtensionConfig'), 'typedConfig')).startsWith(ENVOY_POLICIES);
}

function join(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}
