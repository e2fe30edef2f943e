import { typeNameOf } from '../../proto/json/type-name.js';
import { BY_ADDRESS, BY_LOCALITY, BY_NAME, BY_NAME_OR_MATCH, BY_TEXT, ROUTE_KEYS } from './element-keys.js';
import { isObject, type ListRule, type MapRule, type MessageRule, messageRule, type Rule } from './rule.js';

/** A message of which nothing has to be known: its lists are ordered, and Anys in it have rules of their own. */
export const OTHER: MessageRule = messageRule({});

/** Free-form data: keys are not field names at any depth, and a list is ordered. */
const DATA: MapRule = { kind: 'map', values: OTHER };
DATA.values = DATA;

const MAP: MapRule = { kind: 'map', values: OTHER };

const unordered = (elements: Rule, keyed: Pick<ListRule, 'keys' | 'labels'>): ListRule => ({
  kind: 'list',
  elements,
  isOrdered: false,
  ...keyed,
});

/** Filters run in order. Their name identifies them: overrides of a route refer to it. */
const FILTERS: ListRule = { kind: 'list', elements: OTHER, isOrdered: true, isStrict: true, ...BY_NAME };

const WEIGHTED_CLUSTERS = messageRule({ clusters: unordered(OTHER, BY_NAME) });
const ROUTE = messageRule({ route: messageRule({ weighted_clusters: WEIGHTED_CLUSTERS }) });
/** gRPC and Envoy use the first route that matches. */
const ROUTES: ListRule = { kind: 'list', elements: ROUTE, isOrdered: true, ...ROUTE_KEYS };
const VIRTUAL_HOST = messageRule({ domains: unordered(OTHER, BY_TEXT), routes: ROUTES });
const ROUTE_CONFIGURATION = messageRule({ virtual_hosts: unordered(VIRTUAL_HOST, BY_NAME) });
const LB_ENDPOINTS = unordered(OTHER, BY_ADDRESS);
const LOCALITY_ENDPOINTS = messageRule({
  lb_endpoints: LB_ENDPOINTS,
  load_balancer_endpoints: messageRule({ lb_endpoints: LB_ENDPOINTS }),
});
const LOAD_ASSIGNMENT = messageRule({ endpoints: unordered(LOCALITY_ENDPOINTS, BY_LOCALITY) });
const FILTER_CHAIN = messageRule({ filters: FILTERS });
const STRUCT = messageRule({ value: DATA });

/** Messages with lists that need a rule, by full name. They are resources, or occur in an Any. */
export const MESSAGES: ReadonlyMap<string, MessageRule> = new Map([
  [
    'envoy.config.listener.v3.Listener',
    messageRule({
      filter_chains: unordered(FILTER_CHAIN, BY_NAME_OR_MATCH),
      default_filter_chain: FILTER_CHAIN,
      listener_filters: FILTERS,
    }),
  ],
  ['envoy.config.route.v3.RouteConfiguration', ROUTE_CONFIGURATION],
  ['envoy.config.route.v3.ScopedRouteConfiguration', messageRule({ route_configuration: ROUTE_CONFIGURATION })],
  ['envoy.config.route.v3.VirtualHost', VIRTUAL_HOST],
  ['envoy.config.route.v3.RouteList', messageRule({ routes: ROUTES })],
  ['envoy.config.route.v3.Route', ROUTE],
  [
    'envoy.config.cluster.v3.Cluster',
    messageRule({
      load_assignment: LOAD_ASSIGNMENT,
      filters: FILTERS,
      transport_socket_matches: messageRule({ match: DATA }),
    }),
  ],
  ['envoy.config.endpoint.v3.ClusterLoadAssignment', LOAD_ASSIGNMENT],
  ['envoy.config.endpoint.v3.LocalityLbEndpoints', LOCALITY_ENDPOINTS],
  [
    'envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager',
    messageRule({
      route_config: ROUTE_CONFIGURATION,
      http_filters: FILTERS,
      upgrade_configs: messageRule({ filters: FILTERS }),
    }),
  ],
  ['envoy.extensions.filters.http.router.v3.Router', messageRule({ upstream_http_filters: FILTERS })],
  ['envoy.extensions.upstreams.http.v3.HttpProtocolOptions', messageRule({ http_filters: FILTERS })],
  ['envoy.extensions.filters.http.rbac.v3.RBAC', messageRule({ rules: rbac(), shadow_rules: rbac() })],
  ['xds.type.v3.TypedStruct', STRUCT],
  ['udpa.type.v1.TypedStruct', STRUCT],
  ['google.protobuf.Struct', STRUCT],
]);

function rbac(): MessageRule {
  return messageRule({ policies: MAP });
}

/** Fields with the same rule in every message of the API that has them. */
const FIELDS = messageRule({
  weighted_clusters: WEIGHTED_CLUSTERS,
  typed_per_filter_config: MAP,
  typed_extension_protocol_options: MAP,
  typed_filter_metadata: MAP,
  named_endpoints: MAP,
  context_extensions: MAP,
  requirement_map: MAP,
  providers: MAP,
  source_codes: MAP,
  labels: MAP,
  map: MAP,
  constant_keys: DATA,
  // A map of Structs in core.Metadata, a Struct in filters: the keys are data in both.
  filter_metadata: DATA,
  json_format: DATA,
  typed_json_format: DATA,
  default_subset: DATA,
  transport_socket_match_criteria: DATA,
  filter_context: DATA,
}).fields;

export function resourceRule(typeUrl: string): MessageRule {
  return MESSAGES.get(typeNameOf(typeUrl)) ?? OTHER;
}

/** The rule that applies to a value: an Any names its type, and a value may have another shape than its field should. */
export function ruleOf(value: unknown, rule: Rule): Rule {
  if (Array.isArray(value)) return rule;
  if (rule.kind === 'map') return rule;
  const type = anyType(value);
  if (type !== undefined) return MESSAGES.get(typeNameOf(type)) ?? OTHER;
  return rule.kind === 'list' ? OTHER : rule;
}

/** The rule for the value of a key; `rule` is that of the object, from `ruleOf`. */
export function entryRule(rule: Rule, key: string): Rule {
  if (rule.kind === 'map') return rule.values;
  if (rule.kind === 'list') return OTHER;
  return rule.fields.get(key) ?? FIELDS.get(key) ?? OTHER;
}

/** The rule for the elements of a list. A list without a rule is ordered. */
export function elementRule(rule: Rule): Rule {
  return rule.kind === 'list' ? rule.elements : rule;
}

export function anyType(value: unknown): string | undefined {
  if (!isObject(value) || !Object.hasOwn(value, '@type')) return undefined;
  const type = value['@type'];
  return typeof type === 'string' ? type : undefined;
}
