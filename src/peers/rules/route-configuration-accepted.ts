import type { FieldError } from '../../base/validation-errors.js';
import type { Json } from '../../proto/json/well-known.js';
import { re2Error } from '../../resources/regex/re2-syntax.js';
import { fieldOf, itemsOf, numberOf, typeUrlOf, valueAt, valueAtSteps } from '../located-value.js';
import { deepFind, isPresent } from '../resource-parts.js';
import { problems, type Rule } from '../rule.js';
import type { Subject } from '../subject.js';

const REGEX = /[Ii]nvalid regex string|compiling regex/;
const RLS = /^ClusterSpecifierPlugin returned invalid LB policy config: errors validating RLS/;

/** Errors in an RLS config that grpc-go does not check for. */
const LAX_RLS =
  /\[(field:routeLookupConfig\.(grpcKeybuilders\[\d+\]\.headers\[\d+\]\.names(\[\d+\])? error:(field not present|must be non-empty)|lookupServiceTimeout error:seconds must be in the range \[0, 315576000000\]|lookupService error:must be valid gRPC target URI)(; )?)+\]$/;

/** Returns the regular expressions at the path of a problem. */
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

/** Whether the only problem is named groups without a P. */
function isValidWithNamedGroups(regex: string): boolean {
  return re2Error(regex.replace(/\(\?<(?=\w+>)/g, '(?P<')) === undefined;
}

/** Whether each count is valid by itself. Only RE2 multiplies nested counts. */
function hasValidCounts(regex: string): boolean {
  const areValid = [...regex.matchAll(COUNT)].every(([, min, max]) => {
    const upper = max === undefined || max === '' ? Number(min) : Number(max);
    return upper <= 1000 && Number(min) <= upper;
  });
  return areValid && re2Error(regex.replace(COUNT, '{1}')) === undefined;
}

const hasField =
  (up: number, name: string) =>
  ({ steps }: FieldError, { json }: Subject): boolean =>
    isPresent(valueAtSteps(json, steps.slice(0, steps.length - up)), name);

const isTrue =
  (up: number, name: string) =>
  ({ steps }: FieldError, { json }: Subject): boolean =>
    fieldOf(valueAtSteps(json, steps.slice(0, steps.length - up)), name) === true;

/** grpc-go skips routes with cluster_header before it reads other fields. */
function hasClusterHeader({ steps }: FieldError, { json }: Subject): boolean {
  return isPresent(valueAtSteps(json, steps.slice(0, steps.indexOf('route') + 1)), 'clusterHeader');
}

/**
 * Whether grpc-go ignores all errors of C-core. C-core checks for duplicate key names only if all key names are valid.
 */
function hasOnlyLaxProblems({ steps, reason }: FieldError, { json }: Subject): boolean {
  const config = valueAtSteps(json, steps);
  const names = itemsOf(valueAt(config, 'routeLookupConfig.grpcKeybuilders')).flatMap((builder) =>
    itemsOf(fieldOf(builder, 'names')).map((name) => JSON.stringify(name)),
  );
  return LAX_RLS.test(reason) && new Set(names).size === names.length;
}

const PLUGIN_CONFIG = /^cluster_specifier_plugins\[\]\.extension(\.typed_config|$)/;
const LOOKUP_URL = 'type.googleapis.com/grpc.lookup.v1.RouteLookupClusterSpecifier';

/** Returns the plugin that contains a problem, which may be in the routes of a listener. */
function pluginAt({ steps }: FieldError, { json }: Subject): Json | undefined {
  return valueAtSteps(json, steps.slice(0, steps.indexOf('cluster_specifier_plugins') + 2));
}

/** Whether grpc-go or grpc-java finds the RLS plugin. They compare the whole type URL; grpc-java unwraps a TypedStruct. */
function isLookup(config: Json | undefined): boolean {
  return [typeUrlOf(config), fieldOf(config, 'typeUrl')].includes(LOOKUP_URL);
}

/** Rules for problems in routes that only C-core reports. */
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
    when: problems(/^virtual_hosts\[\]\.routes\[\]\.route\.retry_policy\./, undefined, hasClusterHeader),
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
    when: problems(/^virtual_hosts/, REGEX, everyRegex(isValidWithNamedGroups)),
  },
  {
    code: 'DR75',
    who: { 'grpc-java': 'accepts' },
    when: problems(/^virtual_hosts/, /invalid repetition size/, everyRegex(hasValidCounts)),
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
  {
    code: 'DR79',
    who: { 'grpc-go': 'accepts', 'grpc-java': 'accepts' },
    when: problems(PLUGIN_CONFIG, undefined, (problem, subject) => {
      const plugin = pluginAt(problem, subject);
      return fieldOf(plugin, 'isOptional') === true && !isLookup(valueAt(plugin, 'extension.typedConfig'));
    }),
  },
  {
    code: 'DR80',
    who: { envoy: 'accepts' },
    when: problems(PLUGIN_CONFIG, undefined, (problem, subject) => {
      const plugin = pluginAt(problem, subject);
      return fieldOf(plugin, 'isOptional') === true && isPresent(plugin, 'extension.typedConfig');
    }),
  },
];
