import type { FieldError } from '../../base/validation-errors.js';
import type { Json } from '../../proto/json/well-known.js';
import { readGoServerTls } from '../go-server-tls.js';
import {
  fieldOf,
  findAll,
  isObject,
  itemsOf,
  numberOf,
  secondsOf,
  typeNameOf,
  valueAtSteps,
} from '../located-value.js';
import { filterChains, isInUnreadChain, isPresent, JAVA_MAX_SECONDS, serverListener } from '../resource-parts.js';
import { problems, type Rule } from '../rule.js';
import type { Subject } from '../subject.js';

function isInOptionalFilter({ steps }: FieldError, { json }: Subject): boolean {
  return fieldOf(valueAtSteps(json, steps.slice(0, steps.lastIndexOf('typed_config'))), 'isOptional') === true;
}

/** C-core does not report a missing router while there are other errors in the filters. */
function endsInRouter({ steps }: FieldError, { json }: Subject): boolean {
  const filters = itemsOf(valueAtSteps(json, steps.slice(0, steps.lastIndexOf('http_filters') + 1)));
  return typeNameOf(fieldOf(filters.at(-1), 'typedConfig')).endsWith('.router.v3.Router');
}

function hasOneRouter(problem: FieldError, subject: Subject): boolean {
  const filters = itemsOf(valueAtSteps(subject.json, problem.steps.slice(0, -2)));
  const routers = filters.filter((filter) => typeNameOf(fieldOf(filter, 'typedConfig')).endsWith('.router.v3.Router'));
  return routers.length === 1 && endsInRouter(problem, subject) && filters.every(isEnvoyFilter);
}

/** Whether the filter is optional and the chain has a router without it. */
function isSkippableFilter(problem: FieldError, subject: Subject): boolean {
  return isInOptionalFilter(problem, subject) && endsInRouter(problem, subject);
}

/** Envoy skips optional filters only if it does not support them. */
function hasNoEnvoyFilter({ steps }: FieldError, { json }: Subject): boolean {
  return !itemsOf(valueAtSteps(json, steps)).some(isEnvoyFilter);
}

function isEnvoyFilter(filter: Json): boolean {
  return typeNameOf(fieldOf(filter, 'typedConfig')).startsWith('envoy.extensions.filters.http.');
}

/** C-core skips a filter without a name, and then reports a missing router. */
function endsInUnnamedRouter({ steps }: FieldError, { json }: Subject): boolean {
  const last = itemsOf(valueAtSteps(json, steps)).at(-1);
  return !isPresent(last, 'name') && typeNameOf(fieldOf(last, 'typedConfig')).endsWith('.router.v3.Router');
}

/** Returns every combination of ranges, ports and source type that a chain matches, as text. */
function combinations(match: Json | undefined): string[] {
  const lists = ['prefixRanges', 'directSourcePrefixRanges', 'sourcePrefixRanges', 'sourcePorts'].map((name) => {
    const items = itemsOf(fieldOf(match, name)).map((item) => matchItemText(item));
    return items.length === 0 ? [''] : items;
  });
  const type = String(fieldOf(match, 'sourceType') ?? '');
  return lists.reduce((all, list) => all.flatMap((one) => list.map((item) => `${one}|${item}`)), [type]);
}

function matchItemText(item: Json): string {
  if (typeof item === 'number') return String(item);
  return `${fieldOf(item, 'addressPrefix') ?? ''}/${numberOf(fieldOf(item, 'prefixLen')) ?? 0}`;
}

function areDistinct(matches: readonly (Json | undefined)[]): boolean {
  const all = matches.flatMap(combinations);
  return new Set(all).size === all.length;
}

function matchesOf(subject: Subject): (Json | undefined)[] {
  return findAll(serverListener(subject), 'filterChains[]').map(({ value }) => fieldOf(value, 'filterChainMatch'));
}

/** Returns the match without `direct_source_prefix_ranges`, which gRPC ignores. */
function withoutDirectSources(match: Json | undefined): Json | undefined {
  return isPresent(match, 'directSourcePrefixRanges') ? { ...(match as object), directSourcePrefixRanges: [] } : match;
}

function hasRanges(match: Json | undefined): boolean {
  return isPresent(match, 'prefixRanges') || isPresent(match, 'sourcePrefixRanges');
}

/** grpc-go accepts several HttpConnectionManagers with different names, and uses the last one. */
function areDistinctManagers(filters: readonly Json[]): boolean {
  const names = new Set(filters.map((filter) => fieldOf(filter, 'name') ?? ''));
  const areManagers = filters.every((filter) =>
    typeNameOf(fieldOf(filter, 'typedConfig')).endsWith('.HttpConnectionManager'),
  );
  return filters.length > 1 && areManagers && names.size === filters.length && !names.has('');
}

const DUPLICATE = /^duplicate matching rules detected/;

/** Rules for problems in listeners that only C-core reports. */
export const ACCEPTED_LISTENERS: readonly Rule[] = [
  {
    code: 'DL50',
    who: { 'grpc-go': 'accepts', 'grpc-java': 'accepts', 'grpc-js-xds': 'accepts' },
    when: problems(/^address\.socket_address\.(protocol|port_value)$/),
  },
  {
    code: 'DL51',
    who: { 'grpc-java': 'accepts' },
    when: problems(/^$/, /^Listener has neither address nor ApiListener$/),
  },
  {
    code: 'DL52',
    who: { 'grpc-js-xds': 'accepts' },
    when: problems(
      /^$/,
      /^Listener has neither/,
      (_, subject) => filterChains(subject).length > 0 || isPresent(subject.json, 'apiListener'),
    ),
  },
  {
    code: 'DL53',
    who: { 'grpc-java': 'accepts', 'grpc-js-xds': 'accepts', envoy: 'accepts' },
    when: problems(/^address\.socket_address$/, /^field not present$/, (_, { json }) =>
      isPresent(fieldOf(json, 'address'), 'pipe'),
    ),
  },
  {
    code: 'DL54',
    who: { 'grpc-go': 'accepts', 'grpc-js-xds': 'accepts' },
    when: problems(/^hcm\.common_http_protocol_options\.max_stream_duration\./),
  },
  {
    code: 'DL55',
    who: { 'grpc-js-xds': 'accepts' },
    when: problems(
      /^hcm\.http_filters$/,
      /^expected at least one/,
      ({ steps }, subject) =>
        itemsOf(valueAtSteps(subject.json, steps)).length === 0 && areDistinct(matchesOf(subject)),
    ),
  },
  {
    code: 'DL56',
    who: { envoy: 'accepts' },
    when: problems(/^hcm\.http_filters$/, /^expected at least one/, hasNoEnvoyFilter),
  },
  {
    code: 'DL57',
    who: { 'grpc-java': 'accepts', 'grpc-js-xds': 'accepts' },
    when: (subject) => [
      ...problems(/^hcm\.http_filters\[\]\.name$/, /^empty filter name$/)(subject),
      ...problems(/^hcm\.http_filters$/, /^non-terminal filter .* is the last/, endsInUnnamedRouter)(subject),
    ],
  },
  {
    code: 'DL58',
    who: { 'grpc-go': 'accepts', 'grpc-java': 'accepts', envoy: 'accepts' },
    when: problems(/^hcm\.http_filters\[\]\.typed_config$/, /^field not present$/, isSkippableFilter),
  },
  {
    code: 'DL59',
    who: { 'grpc-go': 'accepts', 'grpc-java': 'accepts', 'grpc-js-xds': 'accepts', envoy: 'accepts' },
    when: problems(/^hcm\.http_filters\[\]\.typed_config\.type_url$/, undefined, isSkippableFilter),
  },
  {
    code: 'DL60',
    who: { 'grpc-java': 'accepts', 'grpc-js-xds': 'accepts' },
    when: problems(/^hcm\.http_filters\[\]\.typed_config\.value\[\]/, /^could not parse router filter config$/),
  },
  {
    code: 'DL61',
    who: { envoy: 'accepts' },
    when: problems(/^hcm\.http_filters\[\]/, /^filter is not supported on (clients|servers)$/, endsInRouter),
  },
  {
    code: 'DL62',
    who: { envoy: 'accepts' },
    when: problems(
      /^hcm\.http_filters\[\]/,
      /^unsupported filter type$/,
      (problem, subject) => problem.path.includes('.ExtAuthz]') && endsInRouter(problem, subject),
    ),
  },
  {
    code: 'DL63',
    who: { 'grpc-go': 'accepts', 'grpc-java': 'accepts', 'grpc-js-xds': 'accepts', envoy: 'accepts' },
    when: problems(/\.abort\.grpc_status$/, /^invalid gRPC status code/),
  },
  {
    code: 'DL64',
    who: { envoy: 'accepts' },
    when: problems(/\.cache_config\.cache_size$/, /^must be greater than 0$/),
  },
  {
    code: 'DL65',
    who: { 'grpc-go': 'accepts' },
    when: problems(/\.deferred_close_timeout(\.\w+)?$/),
  },
  {
    code: 'DL66',
    who: { 'grpc-go': 'accepts' },
    when: problems(/\.delay\.fixed_delay\.\w+$/),
  },
  {
    code: 'DL67',
    who: { 'grpc-java': 'accepts' },
    when: problems(/\.initial_metadata\[\]\.raw_value$/),
  },
  {
    code: 'DL68',
    who: { 'grpc-go': 'accepts', 'grpc-java': 'accepts' },
    when: problems(/\.processing_mode\.\w+_mode$/, /^unsupported header processing mode/),
  },
  {
    code: 'DL69',
    who: { 'grpc-js-xds': 'accepts' },
    when: problems(/^hcm\.original_ip_detection_extensions$/),
  },
  {
    code: 'DL70',
    who: { 'grpc-js-xds': 'accepts', envoy: 'accepts' },
    when: problems(/^hcm\.xff_num_trusted_hops$/),
  },
  {
    code: 'DL71',
    who: { envoy: 'accepts' },
    when: problems(/\.value\[\]\.value\[\]$/, /^could not parse .* filter config$/),
  },
  {
    code: 'DL72',
    who: { 'grpc-java': 'accepts' },
    when: problems(/^default_filter_chain$/, /^must be set if filter_chains is unset$/),
  },
  {
    code: 'DL73',
    who: { envoy: 'accepts' },
    when: problems(
      /^(default_filter_chain|filter_chains\[\])\.filters$/,
      /^must have exactly one/,
      ({ steps }, { json }) => itemsOf(valueAtSteps(json, steps)).length === 0,
    ),
  },
  {
    code: 'DL74',
    who: { 'grpc-java': 'accepts' },
    when: problems(/\.rules\.audit_logging_options\./),
  },
  {
    code: 'DL75',
    who: { 'grpc-java': 'accepts', envoy: 'accepts' },
    when: problems(/\.permissions\[\]$/, /^invalid rule$/, ({ steps }, { json }) =>
      isPresent(valueAtSteps(json, steps), 'destinationPortRange'),
    ),
  },
  {
    code: 'DL76',
    who: { 'grpc-go': 'accepts', 'grpc-java': 'accepts' },
    when: problems(/\.url_path\.path\.ignore_case$/),
  },
  {
    code: 'DL77',
    who: { envoy: 'accepts' },
    when: problems(/\.policies\[\]\..*header(\.name)?$/, /not allowed in header$|^invalid (route )?header matcher/),
  },
  {
    code: 'DL78',
    who: { 'grpc-java': 'accepts', 'grpc-js-xds': 'accepts' },
    when: problems(/\.common_tls_context$/, /^system_root_certs not supported$/),
  },
  {
    code: 'DL79',
    who: { 'grpc-java': 'accepts' },
    when: problems(/\.require_client_certificate$/, /^client certificate required but/),
  },
  {
    code: 'DL80',
    who: { 'grpc-java': 'accepts' },
    when: problems(/^filter_chains$/, DUPLICATE, (_, subject) =>
      areDistinct(matchesOf(subject).map(withoutDirectSources)),
    ),
  },
  {
    code: 'DL81',
    who: { 'grpc-js-xds': 'accepts' },
    when: problems(/^filter_chains$/, DUPLICATE, (_, subject) => {
      const matches = matchesOf(subject).filter((match) => match !== undefined);
      return !matches.some(hasRanges) && areDistinct(matches.map(withoutDirectSources));
    }),
  },
  {
    code: 'DL82',
    who: { envoy: 'accepts' },
    when: problems(/^filter_chains$/, DUPLICATE, (_, subject) => {
      const matches = matchesOf(subject);
      return !matches.some(hasRanges) && areDistinct(matches);
    }),
  },
  {
    code: 'DL83',
    who: { 'grpc-js-xds': 'accepts' },
    when: problems(/^filter_chains\[\]\.filter_chain_match\.source_type$/, /^invalid value$/, (_, subject) =>
      areDistinct(matchesOf(subject)),
    ),
  },
  {
    code: 'DL84',
    who: { 'grpc-go': 'accepts' },
    when: problems(/^(?!filter_chains\[\]\.filter_chain_match)/, undefined, ({ path }, subject) =>
      isInUnreadChain(path, subject),
    ),
  },
  {
    code: 'DL85',
    who: { envoy: 'accepts' },
    when: problems(/^use_original_dst$/),
  },
  {
    code: 'DL86',
    who: { 'grpc-js-xds': 'accepts' },
    when: problems(/^api_listener\.api_listener$/, /^field not present$/),
  },
  {
    code: 'DL87',
    who: { 'grpc-java': 'accepts' },
    when: problems(
      /^hcm\.common_http_protocol_options\.max_stream_duration\.seconds$/,
      undefined,
      ({ steps }, { json }) => {
        const seconds = secondsOf(valueAtSteps(json, steps.slice(0, -1))) ?? 0;
        return seconds < 0 && seconds > -JAVA_MAX_SECONDS;
      },
    ),
  },
  {
    code: 'DL88',
    who: { 'grpc-go': 'accepts' },
    when: problems(
      /^(default_filter_chain|filter_chains\[\])\.filters$/,
      /^must have exactly one/,
      ({ steps }, { json }) => areDistinctManagers(itemsOf(valueAtSteps(json, steps))),
    ),
  },
  {
    code: 'DL89',
    who: { 'grpc-go': 'accepts' },
    when: problems(
      /^(default_filter_chain|filter_chains\[\])\..*validation_context\.ca_certificate_provider_instance\.instance_name$/,
      /^unrecognized certificate provider instance name: $/,
      ({ steps }, { json }) => {
        const tls = valueAtSteps(json, steps.slice(0, steps.indexOf('common_tls_context')));
        return fieldOf(tls, 'requireClientCertificate') !== true;
      },
    ),
  },
  {
    code: 'DL90',
    who: { 'grpc-java': 'accepts', 'grpc-js-xds': 'accepts' },
    when: problems(/^address\.socket_address$/, /^field not present$/, (_, { json }) => {
      const address = fieldOf(json, 'address');
      return isObject(address) && Object.keys(address).length === 0;
    }),
  },
  {
    code: 'DL91',
    who: { envoy: 'accepts' },
    when: problems(/^hcm\.http_filters\[\]\.name$/, /^duplicate HTTP filter name/, hasOneRouter),
  },
];

/** Whether grpc-go reads this server's TLS from the deprecated fields, and accepts them. */
function isAcceptedFromDeprecatedFields({ steps }: FieldError, subject: Subject): boolean {
  const tls = valueAtSteps(subject.json, steps.slice(0, steps.indexOf('typed_config') + 1));
  const { problem, usesDeprecatedFields } = readGoServerTls(tls ?? null, subject);
  return problem === undefined && usesDeprecatedFields;
}

const SERVER_TLS = '^(default_filter_chain|filter_chains\\[\\])\\.transport_socket\\.typed_config\\.value\\[\\]';

/** More rules for problems in listeners that only C-core reports. */
export const LATER_ACCEPTED_LISTENERS: readonly Rule[] = [
  {
    code: 'DL97',
    who: { 'grpc-go': 'accepts' },
    when: problems(
      new RegExp(`${SERVER_TLS}\\.(common_tls_context|require_client_certificate)`),
      undefined,
      isAcceptedFromDeprecatedFields,
    ),
  },
  {
    code: 'DL98',
    who: { 'grpc-js-xds': 'accepts' },
    when: problems(
      new RegExp(`${SERVER_TLS}\\.require_client_certificate$`),
      /^client certificate required but/,
      ({ steps }, { json }) => {
        const common = fieldOf(valueAtSteps(json, steps.slice(0, -1)), 'commonTlsContext');
        return (
          isPresent(common, 'validationContext') ||
          isPresent(common, 'combinedValidationContext.defaultValidationContext')
        );
      },
    ),
  },
  {
    code: 'DL99',
    who: { 'grpc-js-xds': 'accepts' },
    when: problems(/\.common_tls_context$/, /^match_subject_alt_names not supported on servers$/),
  },
];
