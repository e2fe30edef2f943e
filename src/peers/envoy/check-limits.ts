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

/** Returns the violations of the Envoy API constraints in a message and in the messages inside it. */
export function limitViolations({ path, value }: LocatedValue, typeName: string): LimitViolation[] {
  const type = xdsCatalogue.message(typeName);
  if (type === undefined || !isObject(value) || value['@error'] !== undefined) return [];
  const own = ownViolations({ path, value }, type);
  return [...own, ...[...type.byNumber.values()].flatMap((field) => fieldViolations({ path, value }, field))];
}

function ownViolations({ path, value }: LocatedValue, type: CatalogueMessage): LimitViolation[] {
  const limits = ENVOY_LIMITS[type.name];
  if (limits === undefined) return [];
  const violations: LimitViolation[] = [];
  for (const [name, limit] of Object.entries(limits.fields ?? {})) {
    const field = type.byName.get(name);
    if (field === undefined) continue;
    const inside = fieldOf(value, field.jsonName);
    const detail = violationDetail(field, limit, inside);
    if (detail !== undefined) violations.push({ path: join(path, name), value: inside ?? null, detail });
  }
  const { oneOf } = limits;
  if (oneOf !== undefined && !oneOf.some((name) => fieldOf(value, type.byName.get(name)?.jsonName ?? '') !== undefined))
    violations.push({ path, value, detail: `requires one of ${oneOf.join(', ')}` });
  return violations;
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

function fieldViolations({ path, value }: LocatedValue, field: CatalogueField): LimitViolation[] {
  const inside = fieldOf(value, field.jsonName);
  if (inside === undefined || field.type.kind !== 'message' || NOT_UNPACKED.has(field.name)) return [];
  const here = join(path, field.name);
  const { name } = field.type;
  if (ONLY_NAMED.has(field.name)) return shallowViolations({ path: here, value: inside }, name);
  if (field.mapKey !== undefined)
    return Object.entries(isObject(inside) ? inside : {}).flatMap(([key, entry]) =>
      nestedViolations({ path: `${here}[${key}]`, value: entry }, name),
    );
  if (!field.repeated) return nestedViolations({ path: here, value: inside }, name);
  const items = itemsOf(inside).map((item, index) => ({ path: `${here}[${index}]`, value: item }));
  const used = name.endsWith('.LoadBalancingPolicy.Policy') ? items.filter(isKnownPolicy).slice(0, 1) : items;
  return used.flatMap((item) => nestedViolations(item, name));
}

/** Envoy does not validate the Any in this message. */
function shallowViolations(located: LocatedValue, typeName: string): LimitViolation[] {
  const type = xdsCatalogue.message(typeName);
  return type === undefined ? [] : ownViolations(located, type);
}

function nestedViolations(located: LocatedValue, typeName: string): LimitViolation[] {
  if (typeName === 'google.protobuf.Duration')
    return isDuration(located.value) ? [] : [{ ...located, detail: DURATION_RANGE }];
  return limitViolations(located, typeName === 'google.protobuf.Any' ? typeNameOf(located.value) : typeName);
}

/** Envoy checks every duration of a resource: it must not be negative, and its nanoseconds must fit into 64 bits. */
function isDuration(value: Json): boolean {
  const nanos = numberOf(fieldOf(value, 'nanos')) ?? 0;
  const seconds = secondsOf(value) ?? 0;
  return seconds >= 0 && seconds < 2 ** 63 / 1e9 && nanos >= 0 && nanos < 1e9;
}

function isKnownPolicy({ value }: LocatedValue): boolean {
  return typeNameOf(fieldOf(fieldOf(value, 'typedExtensionConfig'), 'typedConfig')).startsWith(ENVOY_POLICIES);
}

function join(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}
