import { type CatalogueField, type CatalogueMessage, xdsCatalogue } from '../../proto/json/catalogue.js';
import type { Json } from '../../proto/json/well-known.js';
import { fieldOf, isObject, itemsOf, type LocatedValue, numberOf, secondsOf, typeNameOf } from '../located-value.js';
import { ENVOY_LIMITS, type Limit } from './limits.js';

/** Fields whose Anys Envoy keeps as they are. */
const KEPT_PACKED = new Set(['typed_filter_metadata', 'filter_metadata']);

/** Policies that Envoy has; it uses the first of a list that it knows and does not look at the others. */
const ENVOY_POLICIES = 'envoy.extensions.load_balancing_policies.';

const NO_DURATION = 'must not be negative, nor over 292 years';

interface LimitViolation extends LocatedValue {
  detail: string;
}

/** Where a message, or one inside it, breaks what Envoy's API demands. */
export function limitViolations({ path, value }: LocatedValue, typeName: string): LimitViolation[] {
  const type = xdsCatalogue.message(typeName);
  if (type === undefined || !isObject(value) || value['@error'] !== undefined) return [];
  const own = ownBreaches({ path, value }, type);
  return [...own, ...[...type.byNumber.values()].flatMap((field) => breachesInside({ path, value }, field))];
}

function ownBreaches({ path, value }: LocatedValue, type: CatalogueMessage): LimitViolation[] {
  const limits = ENVOY_LIMITS[type.name];
  if (limits === undefined) return [];
  const out: LimitViolation[] = [];
  for (const [name, limit] of Object.entries(limits.fields ?? {})) {
    const field = type.byName.get(name);
    if (field === undefined) continue;
    const inside = fieldOf(value, field.jsonName);
    const detail = broken(field, limit, inside);
    if (detail !== undefined) out.push({ path: join(path, name), value: inside ?? null, detail });
  }
  const { oneOf } = limits;
  if (oneOf !== undefined && !oneOf.some((name) => fieldOf(value, type.byName.get(name)?.jsonName ?? '') !== undefined))
    out.push({ path, value, detail: `needs one of ${oneOf.join(', ')}` });
  return out;
}

function broken(field: CatalogueField, limit: Limit, value: Json | undefined): string | undefined {
  switch (limit) {
    case 'present':
      return value === undefined ? 'has to be set' : undefined;
    case 'filled':
      return isEmpty(value) && (value !== undefined || field.oneof === undefined) ? 'must not be empty' : undefined;
    case 'known':
      return isUndefinedEnum(value) ? 'must be a defined value' : undefined;
    case 'true':
      return value === false ? 'must be true' : undefined;
    default:
      return outOfRange(field, limit, value);
  }
}

/** proto JSON has the names of enum values; those without a name are printed as numbers. */
function isUndefinedEnum(value: Json | undefined): boolean {
  return typeof value === 'number' || itemsOf(value).some((item) => typeof item === 'number');
}

function isEmpty(value: Json | undefined): boolean {
  return value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
}

function outOfRange(field: CatalogueField, limit: Exclude<Limit, string>, value: Json | undefined): string | undefined {
  const values = Array.isArray(value) ? value : [value ?? implied(field)];
  const numbers = values.map((one) => numberOf(one) ?? secondsOf(one)).filter((one) => one !== undefined);
  const { least = -Infinity, most = Infinity, above = -Infinity, below = Infinity } = limit;
  if (numbers.some((one) => one < least)) return `must be at least ${least}`;
  if (numbers.some((one) => one > most)) return `must be at most ${most}`;
  if (numbers.some((one) => one <= above)) return `must be more than ${above}`;
  return numbers.some((one) => one >= below) ? `must be less than ${below}` : undefined;
}

/** A number without presence is 0 when proto JSON leaves it out. */
function implied(field: CatalogueField): Json | undefined {
  return field.type.kind === 'scalar' && field.oneof === undefined && !field.repeated ? 0 : undefined;
}

function breachesInside({ path, value }: LocatedValue, field: CatalogueField): LimitViolation[] {
  const inside = fieldOf(value, field.jsonName);
  if (inside === undefined || field.type.kind !== 'message' || KEPT_PACKED.has(field.name)) return [];
  const here = join(path, field.name);
  const { name } = field.type;
  if (field.name === 'upstream_config') return shallowBreaches({ path: here, value: inside }, name);
  if (field.mapKey !== undefined)
    return Object.entries(isObject(inside) ? inside : {}).flatMap(([key, entry]) =>
      breachesOfField({ path: `${here}[${key}]`, value: entry }, name),
    );
  if (!field.repeated) return breachesOfField({ path: here, value: inside }, name);
  const items = itemsOf(inside).map((item, index) => ({ path: `${here}[${index}]`, value: item }));
  const used = name.endsWith('.LoadBalancingPolicy.Policy') ? items.filter(isKnownPolicy).slice(0, 1) : items;
  return used.flatMap((item) => breachesOfField(item, name));
}

/** Envoy does not read what is packed in here. */
function shallowBreaches(found: LocatedValue, typeName: string): LimitViolation[] {
  const type = xdsCatalogue.message(typeName);
  return type === undefined ? [] : ownBreaches(found, type);
}

function breachesOfField(found: LocatedValue, typeName: string): LimitViolation[] {
  if (typeName === 'google.protobuf.Duration')
    return isDuration(found.value) ? [] : [{ ...found, detail: NO_DURATION }];
  return limitViolations(found, typeName === 'google.protobuf.Any' ? typeNameOf(found.value) : typeName);
}

/** Envoy looks at every duration of a resource: none may be negative, nor more nanoseconds than 64 bits hold. */
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
