import type { ErrorRecord } from '../../core/error-record.js';
import type { CacheEntry } from '../../core/resource-cache.js';
import { shortType } from '../../proto/resource-types.js';
import { moreText } from './phrases.js';
import { rejectedValue } from './rejected-value.js';

/** Why gRPC rejected a resource, with the unsupported value, and advice. */
export interface Rejection {
  text: string;
  advice: string;
}

/** The innermost Any of a path: `typed_config.value[envoy.config.rbac.v3.RBAC].rules` has none, `….value[x.Y]` has x.Y. */
const LAST_TYPE = /\.value\[([\w.]+)\](?:\.type_url)?$/;

type Rule = [reason: RegExp, text: (value: string, reason: RegExpExecArray) => string, advice: string];

/** Rewrites C-core's reasons that do not contain the rejected value. `value` is that value or type. */
const RULES: readonly Rule[] = [
  [
    /^LB policy is not supported$/,
    (value) => `LB policy "${value}" is not supported`,
    'Set lb_policy to ROUND_ROBIN or RING_HASH, or use load_balancing_policy',
  ],
  [
    /^no supported load balancing policy config found$/,
    (value) => `no LB policy in load_balancing_policy is supported (${value})`,
    'Add an LB policy that gRPC supports to load_balancing_policy, such as round_robin',
  ],
  [
    /^unknown discovery type$/,
    (value) => `type ${value} is not supported`,
    'Use type EDS or LOGICAL_DNS, or an aggregate cluster',
  ],
  [
    /^unknown cluster_type extension: (.*)$/s,
    (_, [, type]) => `cluster type ${type} is not supported`,
    'Use type EDS or LOGICAL_DNS, or an aggregate cluster',
  ],
  [
    /^unsupported filter type$/,
    (value) => `filter type ${value} is not supported`,
    'Remove the filter for gRPC, or set is_optional',
  ],
  [
    /^filter is not supported on (client|server)s$/,
    (value, [, side]) => `filter type ${value} is not supported in gRPC ${side}s`,
    'Remove the filter for gRPC, or set is_optional',
  ],
  [
    /^unsupported transport socket type$/,
    (value) => `transport socket type ${value} is not supported`,
    'Use a TLS transport socket, or none',
  ],
  [
    /^unrecognized certificate provider instance name: (.+)$/s,
    (_, [, name]) => `certificate provider "${name}" is not in the bootstrap`,
    'Add it to certificate_providers in the bootstrap, or use a provider that the bootstrap has',
  ],
  [
    /^unsupported ClusterSpecifierPlugin type$/,
    (value) => `cluster specifier plugin type ${value} is not supported`,
    'Use RouteLookupClusterSpecifier, or set is_optional',
  ],
];

/** NACK errors without a resource name: the resource has another type, cannot be decoded, or has no name. */
const NAMELESS =
  /(?:resource|resource_errors) index \d+: (incorrect resource type .*?|Can't decode .*?|No resource present .*?|INVALID_ARGUMENT: .*?|resource_name unset)(?:; |\]$)/s;

/** Returns why a response was rejected if the NACK names no resource. */
export function namelessRejection(nack: string | undefined): Rejection | undefined {
  const reason = NAMELESS.exec(nack ?? '')?.[1];
  if (reason === undefined) return undefined;
  const text = reason.replace(/^INVALID_ARGUMENT: /, '').replace(/\.$/, '');
  return { text, advice: 'Correct the encoding of the response: each resource needs its own type and a name.' };
}

/** Shortens C-core's message to its first field error: `load_assignment: field not present (and 1 more)`. */
export function rejectionOf({ typeUrl, name, rejected }: CacheEntry, { status }: ErrorRecord): Rejection {
  const type = shortType(typeUrl);
  const message = status.message.replace(/^invalid resource: /, '').replace(/^INVALID_ARGUMENT: /, '');
  const fields = /^[^[]*\[(field:.*)\]$/s.exec(message)?.[1]?.split(/; (?=field:)/) ?? [];
  const [, path = '', reason = ''] = /^field:(\S+) errors?:(.*)$/s.exec(fields[0] ?? '') ?? [];
  const checkIt = `check it with xds-inspect validate before the next push`;
  if (path === '') return { text: message, advice: `Correct ${type} ${name}, and ${checkIt}.` };
  const value = LAST_TYPE.exec(path)?.[1] ?? (rejected && rejectedValue(typeUrl, rejected, path));
  const more = moreText(fields.length - 1);
  if (reason === 'unsupported filter type' && value !== undefined && !path.includes('http_filters')) {
    const text = `filter type ${value} is not supported: gRPC needs an HttpConnectionManager${more}`;
    return { text, advice: `Use an HttpConnectionManager in ${type} ${name}.` };
  }
  for (const [pattern, text, advice] of RULES) {
    const found = pattern.exec(reason);
    if (found !== null && (value !== undefined || found.length > 1)) {
      return { text: `${text(value ?? '', found)}${more}`, advice: `${advice}.` };
    }
  }
  // Extension types make a path long and add no information.
  const field = path.replace(/\.value\[[\w.]+\]/g, '').replace(/^\.?(api_listener\.api_listener\.)?/, '');
  const actual = value === undefined || reason.includes(value) ? '' : ` (it is ${value})`;
  return {
    text: `${field}: ${reason}${actual}${more}`,
    advice: `Correct ${field} in ${type} ${name}, and ${checkIt}.`,
  };
}
