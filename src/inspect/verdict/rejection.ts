import type { ErrorRecord } from '../../core/error-record.js';
import type { CacheEntry } from '../../core/resource-cache.js';
import { shortType } from '../../proto/resource-types.js';
import { moreText } from './phrases.js';
import { rejectedValue } from './rejected-value.js';

/** Why gRPC rejected a resource, with the value that it does not support; and what to do about it. */
export interface Rejection {
  text: string;
  advice: string;
}

/** The innermost Any of a path: `typed_config.value[envoy.config.rbac.v3.RBAC].rules` has none, `….value[x.Y]` has x.Y. */
const LAST_TYPE = /\.value\[([\w.]+)\](?:\.type_url)?$/;

type Rule = [reason: RegExp, text: (value: string, reason: RegExpExecArray) => string, advice: string];

/** Reasons of C-core that do not name the value, in other words; `value` is the value or type in the rejected resource. */
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
    'Leave the filter out for gRPC, or set is_optional',
  ],
  [
    /^filter is not supported on (client|server)s$/,
    (value, [, side]) => `filter type ${value} is not supported in gRPC ${side}s`,
    'Leave the filter out for gRPC, or set is_optional',
  ],
  [
    /^unsupported transport socket type$/,
    (value) => `transport socket type ${value} is not supported`,
    'Use a TLS transport socket, or none',
  ],
  [
    /^unrecognized certificate provider instance name: (.+)$/s,
    (_, [, name]) => `certificate provider "${name}" is not in the bootstrap`,
    'Add it to certificate_providers in the bootstrap, or use the name of one that is there',
  ],
  [
    /^unsupported ClusterSpecifierPlugin type$/,
    (value) => `cluster specifier plugin type ${value} is not supported`,
    'Use RouteLookupClusterSpecifier, or set is_optional',
  ],
];

/** Errors of a NACK that belong to no resource by name: of another type, undecodable, or without a name. */
const NAMELESS =
  /(?:resource|resource_errors) index \d+: (incorrect resource type .*?|Can't decode .*?|No resource present .*?|INVALID_ARGUMENT: .*?|resource_name unset)(?:; |\]$)/s;

/** Why a response was rejected as a whole, so that the client cannot tell which resources it holds. */
export function namelessRejection(nack: string | undefined): Rejection | undefined {
  const reason = NAMELESS.exec(nack ?? '')?.[1];
  if (reason === undefined) return undefined;
  const text = reason.replace(/^INVALID_ARGUMENT: /, '').replace(/\.$/, '');
  return { text, advice: 'Correct the encoding of the response: each resource needs its own type and a name.' };
}

/** C-core's message without its envelope: `load_assignment: field not present (and 1 more)`. */
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
  // The types of extensions on the way make a path long and add nothing.
  const field = path.replace(/\.value\[[\w.]+\]/g, '').replace(/^\.?(api_listener\.api_listener\.)?/, '');
  const actual = value === undefined || reason.includes(value) ? '' : ` (it is ${value})`;
  return {
    text: `${field}: ${reason}${actual}${more}`,
    advice: `Correct ${field} in ${type} ${name}, and ${checkIt}.`,
  };
}
