import { isIp } from '../../base/ip.js';
import type { FieldError } from '../../base/validation-errors.js';
import { limitViolations } from '../envoy/check-limits.js';
import {
  duplicateLocalities,
  hasGap,
  hasNegativeWeight,
  localities,
  withLocality,
  withPositiveWeight,
  withWeight,
} from '../localities.js';
import { fieldOf, find, findAll, itemsOf, type LocatedValue, numberOf, typeNameOf, valueAt } from '../located-value.js';
import { exceeds, isPresent } from '../resource-parts.js';
import { problems, type Rule } from '../rule.js';
import { resourceOf, type Subject } from '../subject.js';

const UINT32_MAX = 0xffffffff;
const DENOMINATORS: Record<string, number> = { HUNDRED: 100, TEN_THOUSAND: 10_000, MILLION: 1_000_000 };

function assignment(subject: Subject): LocatedValue[] {
  return resourceOf(subject, 'ClusterLoadAssignment');
}

const endpointsOf = (localityList: readonly LocatedValue[]): LocatedValue[] => findAll(localityList, 'lbEndpoints[]');

/** Returns all addresses of an endpoint, with the additional ones only if their switch is on. */
function addressesOf(endpoint: LocatedValue, { context }: Subject): LocatedValue[] {
  const own = find(endpoint, 'endpoint.address');
  const more = context.switches.dualstackEndpoints ? find(endpoint, 'endpoint.additionalAddresses[]') : [];
  return [...own, ...more.flatMap((one) => withDefault(one, 'address'))];
}

/** Returns a field, or an empty message if it is not set. */
function withDefault(from: LocatedValue, name: string): LocatedValue[] {
  const existing = find(from, name);
  return existing.length > 0 ? existing : [{ path: from.path, value: {} }];
}

/** grpc-go treats an endpoint without an address as one with the address `:0`. */
function goAddresses(subject: Subject): LocatedValue[] {
  return endpointsOf(withWeight(subject)).flatMap((endpoint) => {
    const lacksOwnAddress = !isPresent(endpoint.value, 'endpoint.address');
    return [...(lacksOwnAddress ? [{ path: endpoint.path, value: {} }] : []), ...addressesOf(endpoint, subject)];
  });
}

/** Returns the places where @grpc/grpc-js-xds requires an address: every endpoint and every additional address. */
function jsAddresses(subject: Subject): LocatedValue[] {
  return endpointsOf(withLocality(subject)).flatMap((endpoint) => addressesOf(endpoint, subject));
}

function jsSockets(subject: Subject): LocatedValue[] {
  return findAll(jsAddresses(subject), 'socketAddress');
}

const addressOf = ({ value }: LocatedValue): string => String(fieldOf(value, 'address') ?? '');

const keyOf = ({ value }: LocatedValue): string =>
  `${valueAt(value, 'socketAddress.address') ?? ''} ${valueAt(value, 'socketAddress.portValue') ?? 0}`;

function duplicateAddresses(addresses: readonly LocatedValue[]): LocatedValue[] {
  const seen = new Set<string>();
  return addresses.filter((address) => {
    const key = keyOf(address);
    const isDuplicate = seen.has(key);
    seen.add(key);
    return isDuplicate;
  });
}

function lacksAddress(endpoint: LocatedValue): boolean {
  return !isPresent(endpoint.value, 'endpoint.address.socketAddress');
}

function weightOf(locality: LocatedValue): number {
  return itemsOf(fieldOf(locality.value, 'lbEndpoints')).reduce<number>(
    (sum, endpoint) => sum + (numberOf(fieldOf(endpoint, 'loadBalancingWeight')) ?? 1),
    0,
  );
}

function excessiveDrops(subject: Subject): LocatedValue[] {
  return findAll(assignment(subject), 'policy.dropOverloads[]').filter(({ value }) => {
    const numerator = numberOf(valueAt(value, 'dropPercentage.numerator')) ?? 0;
    const denominator = DENOMINATORS[String(valueAt(value, 'dropPercentage.denominator') ?? 'HUNDRED')] ?? Infinity;
    return numerator > denominator;
  });
}

function envoyAddresses(subject: Subject): LocatedValue[] {
  return findAll(localities(subject), 'lbEndpoints[].endpoint.address.socketAddress');
}

/**
 * grpc-java skips the locality of the problem, or one of the localities whose priorities and names C-core compares.
 * `areLocalitiesAccepted` compares the others.
 */
function isSkippedByJava({ steps, reason }: FieldError, subject: Subject): boolean {
  const skipped = localities(subject).filter(hasNegativeWeight);
  const isAboutSeveral = /^(priority \d+|duplicate locality) /.test(reason);
  return isAboutSeveral ? skipped.length > 0 : skipped.some(({ path }) => path === `endpoints[${steps[1]}]`);
}

const ADDRESS = /^endpoints\[\]\.lb_endpoints\[\]\.endpoint(\.address(\.socket_address(\.port_value)?)?)?$/;
const EMPTY_PRIORITY = /^priority \d+ empty$/;

/** Rules for load assignments. */
export const ENDPOINT_RULES: readonly Rule[] = [
  {
    code: 'DE01',
    who: { 'grpc-go': 'rejects', 'grpc-js-xds': 'rejects' },
    when: (subject) => localities(subject).filter(({ value }) => !isPresent(value, 'locality')),
  },
  {
    code: 'DE02',
    who: { 'grpc-go': 'rejects' },
    when: (subject) =>
      findAll(withWeight(subject), 'lbEndpoints[].loadBalancingWeight').filter(({ value }) => value === 0),
  },
  {
    code: 'DE03',
    who: { 'grpc-java': 'rejects' },
    when: (subject) => endpointsOf(withPositiveWeight(subject)).filter(lacksAddress),
  },
  {
    code: 'DE04',
    who: { 'grpc-java': 'rejects' },
    when: (subject) =>
      findAll(withPositiveWeight(subject), 'lbEndpoints[].endpoint.address.socketAddress').filter(
        (address) => !isIp(addressOf(address)) || exceeds(fieldOf(address.value, 'portValue'), 65_535),
      ),
  },
  {
    code: 'DE05',
    who: { 'grpc-js-xds': 'rejects' },
    when: (subject) => endpointsOf(withLocality(subject)).filter(lacksAddress),
  },
  {
    code: 'DE06',
    who: { 'grpc-js-xds': 'rejects' },
    when: (subject) => jsSockets(subject).filter((address) => !isIp(addressOf(address))),
  },
  {
    code: 'DE07',
    who: { 'grpc-js-xds': 'rejects' },
    when: (subject) => jsSockets(subject).filter(({ value }) => !isPresent(value, 'portValue')),
  },
  {
    code: 'DE08',
    who: { 'grpc-js-xds': 'rejects' },
    when: (subject) =>
      duplicateAddresses(jsAddresses(subject).filter(({ value }) => isPresent(value, 'socketAddress'))),
  },
  {
    code: 'DE09',
    who: { 'grpc-go': 'rejects' },
    when: (subject) => duplicateAddresses(goAddresses(subject)),
  },
  {
    code: 'DE10',
    who: { 'grpc-go': 'rejects' },
    when: (subject) => withWeight(subject).filter((locality) => weightOf(locality) > UINT32_MAX),
  },
  {
    code: 'DE11',
    who: { 'grpc-js-xds': 'rejects' },
    when: (subject) => (hasGap(withLocality(subject)) ? [{ path: 'endpoints' }] : []),
  },
  {
    code: 'DE12',
    who: { 'grpc-java': 'rejects' },
    when: (subject) =>
      findAll(withPositiveWeight(subject), 'lbEndpoints[].metadata.typedFilterMetadata{}')
        .filter(({ value }) => typeNameOf(value) === 'envoy.config.core.v3.Address')
        .filter(({ value }) => !isIp(String(valueAt(value, 'socketAddress.address') ?? ''))),
  },
  {
    code: 'DE13',
    who: { 'grpc-js-xds': 'rejects' },
    when: (subject) => duplicateLocalities(withLocality(subject)),
  },
  {
    code: 'DE14',
    who: { 'grpc-java': 'rejects' },
    when: (subject) => (hasGap(withPositiveWeight(subject)) ? [{ path: 'endpoints' }] : []),
  },
  {
    code: 'DE20',
    who: { envoy: 'rejects' },
    when: (subject) => assignment(subject).flatMap((one) => limitViolations(one, subject.typeName)),
  },
  {
    code: 'DE21',
    who: { envoy: 'rejects' },
    when: (subject) =>
      envoyAddresses(subject).filter((address) => {
        const text = addressOf(address).replace(/\0.*$/s, '');
        return !isIp(text) || /%.*\D/.test(text);
      }),
  },
  {
    code: 'DE22',
    who: { envoy: 'rejects' },
    when: (subject) => [
      ...findAll(envoyAddresses(subject), 'namedPort'),
      ...findAll(envoyAddresses(subject), 'resolverName'),
    ],
  },
  {
    code: 'DE23',
    who: { envoy: 'rejects' },
    when: (subject) => endpointsOf(localities(subject)).filter(({ value }) => !isPresent(value, 'endpoint.address')),
  },
  {
    code: 'DE24',
    who: { envoy: 'rejects' },
    when: (subject) => findAll(assignment(subject), 'policy.dropOverloads[]').slice(1),
  },
  {
    code: 'DE25',
    who: { envoy: 'rejects' },
    when: excessiveDrops,
  },
  {
    code: 'DE50',
    who: { 'grpc-go': 'accepts' },
    when: problems(ADDRESS),
  },
  {
    code: 'DE51',
    who: { 'grpc-go': 'accepts', 'grpc-java': 'accepts' },
    when: problems(/\.additional_addresses\[\]\./),
  },
  {
    code: 'DE52',
    who: { 'grpc-go': 'accepts', 'grpc-java': 'accepts' },
    when: problems(/^endpoints$/, EMPTY_PRIORITY),
  },
  {
    code: 'DE53',
    who: { 'grpc-js-xds': 'accepts' },
    when: problems(/^endpoints$/, EMPTY_PRIORITY),
  },
  {
    code: 'DE54',
    who: { envoy: 'accepts' },
    when: problems(/^endpoints(\[\]\.priority)?$/, /^priority \d+ (empty|>= number of localities)/),
  },
  {
    code: 'DE55',
    who: { 'grpc-java': 'accepts', envoy: 'accepts' },
    when: problems(/^endpoints$/, /^sum of locality weights/),
  },
  {
    code: 'DE56',
    who: { envoy: 'accepts' },
    when: problems(/^endpoints\[\]$/, /^duplicate locality/),
  },
  {
    code: 'DE57',
    who: { 'grpc-java': 'accepts' },
    when: problems(/^endpoints\[\]\.lb_endpoints\[\]$/, /^duplicate endpoint address/),
  },
  {
    code: 'DE58',
    who: { 'grpc-js-xds': 'accepts' },
    when: problems(ADDRESS, /^invalid port$|^Failed to parse address:/),
  },
  {
    code: 'DE59',
    who: { envoy: 'accepts' },
    when: problems(/\.endpoint\.address\.socket_address$/, /^field not present$/),
  },
  {
    code: 'DE60',
    who: { 'grpc-java': 'accepts', 'grpc-js-xds': 'accepts' },
    when: problems(/\.lb_endpoints\[\]\.load_balancing_weight$/, /^must be greater than 0$/),
  },
  {
    code: 'DE61',
    who: { 'grpc-java': 'accepts' },
    when: problems(/^endpoints\[\]\.locality$/, /^field not present$/),
  },
  {
    code: 'DE62',
    who: { envoy: 'accepts' },
    when: problems(/^endpoints\[\]\.locality$/, /^field not present$/),
  },
  {
    code: 'DE63',
    who: { 'grpc-go': 'accepts', 'grpc-java': 'accepts', 'grpc-js-xds': 'accepts' },
    when: problems(/^policy\.drop_overloads\[\]\.category$/),
  },
  {
    code: 'DE64',
    who: { 'grpc-go': 'accepts', 'grpc-java': 'accepts', 'grpc-js-xds': 'accepts', envoy: 'accepts' },
    when: problems(/^policy\.drop_overloads\[\]\.drop_percentage$/, /^field not present$/),
  },
  {
    code: 'DE65',
    who: { 'grpc-js-xds': 'accepts' },
    when: problems(/^policy\.drop_overloads\[\]\.drop_percentage\.denominator$/),
  },
  {
    code: 'DE66',
    who: { 'grpc-go': 'accepts', 'grpc-java': 'accepts' },
    when: problems(/\.typed_filter_metadata\[\]\.type_url$/, /^field not present$/),
  },
  {
    code: 'DE67',
    who: { 'grpc-js-xds': 'accepts' },
    when: problems(/^endpoints\[\]\.lb_endpoints\[\]\.typed_filter_metadata/),
  },
  {
    code: 'DE68',
    who: { envoy: 'accepts' },
    when: problems(/^endpoints\[\]\.lb_endpoints\[\]$/, /^duplicate endpoint address/),
  },
  {
    code: 'DE69',
    who: { 'grpc-go': 'accepts', 'grpc-js-xds': 'accepts' },
    when: problems(/^endpoints\[\]\.lb_endpoints\[\]$/, /^duplicate endpoint address/),
  },
  {
    code: 'DE70',
    who: { 'grpc-java': 'accepts' },
    when: problems(/^endpoints(\[\]|$)/, undefined, isSkippedByJava),
  },
];
