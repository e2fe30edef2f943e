import type { FieldError } from '../../base/validation-errors.js';
import { re2Error } from '../../resources/regex/re2-syntax.js';
import { fieldOf, itemsOf, numberOf, valueAt, valueAtSteps } from '../located-value.js';
import { deepFind, isPresent } from '../resource-parts.js';
import { problems, type Rule } from '../rule.js';
import type { Subject } from '../subject.js';

const REGEX = /[Ii]nvalid regex string|compiling regex/;
const RLS = /^ClusterSpecifierPlugin returned invalid LB policy config: errors validating RLS/;

/** Errors of an RLS configuration that grpc-go does not look for. */
const LAX_RLS =
  /\[(field:routeLookupConfig\.(grpcKeybuilders\[\d+\]\.headers\[\d+\]\.names(\[\d+\])? error:(field not present|must be non-empty)|lookupServiceTimeout error:seconds must be in the range \[0, 315576000000\]|lookupService error:must be valid gRPC target URI)(; )?)+\]$/;

/** The regular expressions at the place of a problem. */
function regexesAt({ steps }: FieldError, { json }: Subject): string[] {
  const value = valueAtSteps(json, steps);
  if (typeof value === 'string') return [value];
  return value === undefined ? [] : deepFind({ path: '', value }, 'regex').map((one) => String(one.value));
}

const everyRegex =
  (test: (regex: string) => boolean) =>
  (problem: FieldError, subject: Subject): boolean => {
    const regexes = regexesAt(problem, subject);
    return regexes.length > 0 && regexes.every(test);
  };

const COUNT = /\{(\d+)(?:,(\d*))?\}/g;

/** Good, but for groups that are named without a P. */
function isGoodWithNames(regex: string): boolean {
  return re2Error(regex.replace(/\(\?<(?=\w+>)/g, '(?P<')) === undefined;
}

/** Each count is good by itself; only RE2 multiplies them. */
function hasGoodCounts(regex: string): boolean {
  const areGood = [...regex.matchAll(COUNT)].every(([, least, most]) => {
    const upper = most === undefined || most === '' ? Number(least) : Number(most);
    return upper <= 1000 && Number(least) <= upper;
  });
  return areGood && re2Error(regex.replace(COUNT, '{1}')) === undefined;
}

const hasField =
  (up: number, name: string) =>
  ({ steps }: FieldError, { json }: Subject): boolean =>
    isPresent(valueAtSteps(json, steps.slice(0, steps.length - up)), name);

const isTrue =
  (up: number, name: string) =>
  ({ steps }: FieldError, { json }: Subject): boolean =>
    fieldOf(valueAtSteps(json, steps.slice(0, steps.length - up)), name) === true;

/** grpc-go passes over routes to a cluster_header before it reads on. */
function isByHeader({ steps }: FieldError, { json }: Subject): boolean {
  return isPresent(valueAtSteps(json, steps.slice(0, steps.indexOf('route') + 1)), 'clusterHeader');
}

/** C-core compares the names of keys only when all of them are good. */
function hasOnlyLaxProblems({ steps, reason }: FieldError, { json }: Subject): boolean {
  const config = valueAtSteps(json, steps);
  const names = itemsOf(valueAt(config, 'routeLookupConfig.grpcKeybuilders')).flatMap((builder) =>
    itemsOf(fieldOf(builder, 'names')).map((name) => JSON.stringify(name)),
  );
  return LAX_RLS.test(reason) && new Set(names).size === names.length;
}

/** Problems of C-core in routes that others do not have. */
export const ACCEPTED_ROUTES: readonly Rule[] = [
  {
    code: 'DR50',
    who: { 'grpc-go': 'accepts', 'grpc-java': 'accepts', 'grpc-js-xds': 'accepts' },
    when: problems(/^virtual_hosts\[\]\.domains$/, /^must be non-empty$/),
  },
  {
    code: 'DR51',
    who: { 'grpc-go': 'accepts', 'grpc-java': 'accepts', 'grpc-js-xds': 'accepts', envoy: 'accepts' },
    when: problems(/^virtual_hosts\[\]\.domains\[\]$/, /^invalid domain pattern/),
  },
  {
    code: 'DR52',
    who: { 'grpc-java': 'accepts' },
    when: problems(/^virtual_hosts\[\]\.retry_policy\./),
  },
  {
    code: 'DR53',
    who: { 'grpc-java': 'accepts', envoy: 'accepts' },
    when: problems(/\.retry_policy\.num_retries$/, /^must be greater than 0$/),
  },
  {
    code: 'DR54',
    who: { 'grpc-go': 'accepts' },
    when: problems(/^virtual_hosts\[\]\.routes\[\]\.route\.retry_policy\./, undefined, isByHeader),
  },
  {
    code: 'DR55',
    who: { envoy: 'accepts' },
    when: problems(
      /^virtual_hosts\[\]\.routes\[\]\.match$/,
      /^invalid path specifier$/,
      (problem, subject) =>
        /^[^?#]+[^?#/]$/.test(String(valueAtSteps(subject.json, [...problem.steps, 'path_separated_prefix']) ?? '')) ||
        hasField(0, 'connectMatcher')(problem, subject),
    ),
  },
  {
    code: 'DR56',
    who: { 'grpc-js-xds': 'accepts' },
    when: problems(
      /^virtual_hosts\[\]\.routes\[\]\.(match\.headers\[\]|match$|match\.safe_regex|route\.hash_policy\[\]\.)/,
      /^(?!invalid path specifier$)/,
      ({ path, reason }) => !(path.endsWith('.match') && reason === 'field not present'),
    ),
  },
  {
    code: 'DR57',
    who: { 'grpc-go': 'accepts', 'grpc-java': 'accepts' },
    when: problems(
      /\.match\.headers\[\]/,
      /^cannot create header matcher: Invalid range|^not supported for regex matcher$/,
    ),
  },
  {
    code: 'DR58',
    who: { envoy: 'accepts' },
    when: problems(/\.match\.headers\[\]$/, /^invalid header matcher$/),
  },
  {
    code: 'DR59',
    who: { 'grpc-go': 'accepts', 'grpc-js-xds': 'accepts' },
    when: problems(/\.runtime_fraction\.default_value\.denominator$/),
  },
  {
    code: 'DR60',
    who: { 'grpc-go': 'accepts', 'grpc-java': 'accepts', 'grpc-js-xds': 'accepts' },
    when: problems(/\.route\.(cluster|weighted_clusters\.clusters\[\]\.name)$/, /^must be non-empty$/),
  },
  {
    code: 'DR61',
    who: { 'grpc-go': 'accepts', 'grpc-java': 'accepts' },
    when: problems(
      /\.hash_policy\[\]\.header\.(header_name|regex_rewrite\.pattern(\.regex)?)$/,
      /^(must be non-empty|field not present)$/,
    ),
  },
  {
    code: 'DR62',
    who: { 'grpc-go': 'accepts', 'grpc-js-xds': 'accepts' },
    when: problems(/\.route\.max_stream_duration\.\w+\.\w+$/),
  },
  {
    code: 'DR63',
    who: { 'grpc-go': 'accepts', 'grpc-java': 'accepts', 'grpc-js-xds': 'accepts', envoy: 'accepts' },
    when: problems(/\.typed_per_filter_config\[\]$/, /^filter name must be non-empty$/),
  },
  {
    code: 'DR64',
    who: { 'grpc-js-xds': 'accepts' },
    when: problems(/\.typed_per_filter_config\[\]\.value\[\]$/, /^unsupported filter type$/, ({ path }) =>
      path.endsWith('[envoy.extensions.filters.http.router.v3.Router]'),
    ),
  },
  {
    code: 'DR65',
    who: { 'grpc-java': 'accepts' },
    when: problems(/\.typed_per_filter_config\[\]\.value\[\]$/, /^unsupported filter type$/, ({ path }) =>
      path.endsWith('.GcpAuthnFilterConfig]'),
    ),
  },
  {
    code: 'DR66',
    who: { envoy: 'accepts' },
    when: problems(/\.typed_per_filter_config\[\]\.value\[\]$/, /^unsupported filter type$/, ({ path }) =>
      path.endsWith('.rbac.v3.RBAC]'),
    ),
  },
  {
    code: 'DR67',
    who: { 'grpc-go': 'accepts', 'grpc-java': 'accepts' },
    when: problems(/\.typed_per_filter_config\[\]\.value\[\]\.config$/, /^field not present$/, isTrue(1, 'isOptional')),
  },
  {
    code: 'DR68',
    who: { envoy: 'accepts' },
    when: problems(/\.typed_per_filter_config\[\]\.value\[\]\.config$/, /^field not present$/, isTrue(1, 'disabled')),
  },
  {
    code: 'DR69',
    who: { 'grpc-go': 'accepts', 'grpc-java': 'accepts', 'grpc-js-xds': 'accepts', envoy: 'accepts' },
    when: problems(/\.typed_per_filter_config\[\]\.value\[\]\.config\.type_url$/, undefined, isTrue(2, 'isOptional')),
  },
  {
    code: 'DR70',
    who: { 'grpc-js-xds': 'accepts' },
    when: problems(/^cluster_specifier_plugins\[\]/),
  },
  {
    code: 'DR71',
    who: { 'grpc-go': 'accepts' },
    when: problems(/^cluster_specifier_plugins\[\]\.extension\.name$/, /^duplicate name/),
  },
  {
    code: 'DR72',
    who: { 'grpc-java': 'accepts' },
    when: problems(/^cluster_specifier_plugins\[\]/, RLS),
  },
  {
    code: 'DR73',
    who: { 'grpc-go': 'accepts' },
    when: problems(/^cluster_specifier_plugins\[\]/, RLS, hasOnlyLaxProblems),
  },
  {
    code: 'DR74',
    who: { 'grpc-go': 'accepts', 'grpc-java': 'accepts', envoy: 'accepts' },
    when: problems(/^virtual_hosts/, REGEX, everyRegex(isGoodWithNames)),
  },
  {
    code: 'DR75',
    who: { 'grpc-java': 'accepts' },
    when: problems(/^virtual_hosts/, /invalid repetition size/, everyRegex(hasGoodCounts)),
  },
  {
    code: 'DR76',
    who: { 'grpc-java': 'accepts' },
    when: problems(/^virtual_hosts/, /invalid escape sequence: \\[^\0-\x7f]$/),
  },
  {
    code: 'DR77',
    who: { 'grpc-go': 'accepts' },
    when: problems(/^virtual_hosts/, /invalid character class range: \\[pP]\{\^?(Assigned|ASCII|Cn)\}$/),
  },
  {
    code: 'DR78',
    who: { 'grpc-go': 'accepts', 'grpc-java': 'accepts', 'grpc-js-xds': 'accepts' },
    when: problems(/\.weighted_clusters\.clusters\[\]\.weight$/, /^field not present$/, ({ steps }, { json }) =>
      itemsOf(valueAtSteps(json, steps.slice(0, -2))).some((one) => (numberOf(fieldOf(one, 'weight')) ?? 0) > 0),
    ),
  },
];
