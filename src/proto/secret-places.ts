/** A message with a name and values, which are secret if the name is (`isSecretName`). Fields have their proto names. */
export interface NamedValues {
  /** The path of the name in the message, also through an Any. */
  name: readonly string[];
  values: readonly string[];
  reason: string;
}

const ADDED = 'metadata that is added to requests';
const CONDITION = 'a condition contains the credentials that it accepts';

/**
 * The messages that name their values. Secret fields of other messages are marked in the API or listed, with a reason
 * each, in proto/secret-fields.txt. Values in Structs and in maps are secret by their keys.
 */
export const NAMED_VALUES: Readonly<Record<string, NamedValues>> = {
  'envoy.config.core.v3.HeaderValue': {
    name: ['key'],
    values: ['value', 'raw_value'],
    reason: 'a header that is added, such as the authorization of a call to another service',
  },
  'envoy.config.core.v3.KeyValue': { name: ['key'], values: ['value'], reason: ADDED },
  'envoy.config.core.v3.QueryParameter': { name: ['key'], values: ['value'], reason: ADDED },
  'envoy.extensions.common.ratelimit.v3.RateLimitDescriptor.Entry': { name: ['key'], values: ['value'], reason: ADDED },
  'envoy.extensions.filters.http.header_to_metadata.v3.Config.KeyValuePair': {
    name: ['key'],
    values: ['value'],
    reason: ADDED,
  },
  'envoy.type.tracing.v3.CustomTag.Header': { name: ['name'], values: ['default_value'], reason: ADDED },
  'envoy.config.route.v3.HeaderMatcher': {
    name: ['name'],
    values: ['exact_match', 'safe_regex_match', 'prefix_match', 'suffix_match', 'contains_match', 'string_match'],
    reason: CONDITION,
  },
  'envoy.config.route.v3.QueryParameterMatcher': { name: ['name'], values: ['string_match'], reason: CONDITION },
  'envoy.type.matcher.v3.FilterStateMatcher': { name: ['key'], values: ['string_match'], reason: CONDITION },
  'xds.type.matcher.v3.Matcher.MatcherList.Predicate.SinglePredicate': {
    name: ['input', 'typed_config', 'header_name'],
    values: ['value_match'],
    reason: CONDITION,
  },
  'envoy.config.common.matcher.v3.Matcher.MatcherList.Predicate.SinglePredicate': {
    name: ['input', 'typed_config', 'header_name'],
    values: ['value_match'],
    reason: CONDITION,
  },
};

/** Messages with a URI, or a text that may quote one, in which a user, a password and tokens are secret. */
export const URI_FIELDS: Readonly<Record<string, string>> = {
  'envoy.config.core.v3.HttpUri': 'uri',
  'google.rpc.Status': 'message',
};

/** Values in it are secret by their keys. */
export const STRUCT = 'google.protobuf.Struct';
