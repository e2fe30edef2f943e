import { fromBase64 } from '../../base/base64.js';
import { compareUtf8 } from '../../base/utf8-order.js';
import type { HeaderMatcher } from '../../resources/common/header-matcher.js';
import {
  addressText,
  type IpAddress,
  joinHostPort,
  maskAddress,
  parseIpAddress,
} from '../../resources/common/ip-address.js';
import type { RbacConfig, RbacRule } from '../../resources/filters/rbac.js';
import { matchesText, matchesValue } from '../match.js';
import type { IncomingCall } from './incoming-call.js';

/** Whether a rule matches, or the properties of the caller that it depends on. */
type RuleResult = boolean | { dependsOn: readonly string[] };

/** The decision of an RBAC filter (A41). */
export type RbacDecision =
  | { kind: 'allowed' | 'denied'; policy: string | undefined }
  /** The decision depends on the caller. */
  | { kind: 'depends'; on: readonly string[] };

/** Follows C-core's engine: the first policy, by name, with a matching permission and a matching principal decides. */
export function evaluateRbac({ action, policies }: RbacConfig, call: IncomingCall, isSecure: boolean): RbacDecision {
  const undecidedOn: string[] = [];
  for (const [name, { permissions, principals }] of [...policies].sort(([a], [b]) => compareUtf8(a, b))) {
    const result = all([evaluateAny(permissions, call, isSecure), evaluateAny(principals, call, isSecure)]);
    if (result === true) return { kind: action === 'ALLOW' ? 'allowed' : 'denied', policy: name };
    if (result !== false) undecidedOn.push(...result.dependsOn.map((what) => `${what} (policy ${name})`));
  }
  if (undecidedOn.length > 0) return { kind: 'depends', on: undecidedOn };
  return { kind: action === 'ALLOW' ? 'denied' : 'allowed', policy: undefined };
}

function evaluateAny(rules: readonly (RbacRule | undefined)[], call: IncomingCall, isSecure: boolean): RuleResult {
  return some(rules.map((rule) => evaluateRule(rule, call, isSecure)));
}

function evaluateRule(rule: RbacRule | undefined, call: IncomingCall, isSecure: boolean): RuleResult {
  const evaluate = (one: RbacRule | undefined): RuleResult => evaluateRule(one, call, isSecure);
  switch (rule?.kind) {
    case 'any':
      return true;
    case 'and':
      return all(rule.rules.map(evaluate));
    case 'or':
      return some(rule.rules.map(evaluate));
    case 'not': {
      const result = evaluate(rule.rule);
      return typeof result === 'boolean' ? !result : result;
    }
    case 'header':
      return rule.header !== undefined && evaluateHeader(rule.header, call);
    case 'path':
      return rule.matcher !== undefined && call.path !== '' && matchesText(rule.matcher, call.path);
    case 'requested server name':
      // C-core always uses an empty name.
      return rule.matcher !== undefined && matchesText(rule.matcher, '');
    case 'metadata':
      return rule.invert;
    case 'destination port':
      return rule.port === call.local.port;
    case 'destination ip':
      return call.local.address === undefined
        ? { dependsOn: [`the destination address: ${rule.prefix}/${rule.length}`] }
        : isWithin(call.local.address, rule.prefix, rule.length);
    case 'source ip':
    case 'direct remote ip':
    case 'remote ip':
      return addressOf(rule.prefix) === undefined
        ? false
        : { dependsOn: [`the caller's address: ${rule.prefix}/${rule.length}`] };
    case 'authenticated':
      return evaluateAuthenticated(rule.name, isSecure);
    default:
      return false;
  }
}

/** Over TLS, every caller is authenticated unless the rule requires a name. */
function evaluateAuthenticated(name: (RbacRule & { kind: 'authenticated' })['name'], isSecure: boolean): RuleResult {
  if (!isSecure) return { dependsOn: ["the server's fallback credentials, since the filter chain has no TLS"] };
  return name === undefined || { dependsOn: [`the caller's certificate: principal name ${name.kind} "${name.text}"`] };
}

/** Unlike routes, RBAC sees binary headers and the authority. A name in upper case matches no header. */
function evaluateHeader(header: HeaderMatcher, call: IncomingCall): RuleResult {
  const { name } = header;
  if (name === 'user-agent') return { dependsOn: ["the caller's user-agent"] };
  return matchesValue(header, headerValueForRbac(name, call));
}

function headerValueForRbac(name: string, { path, authority, metadata }: IncomingCall): string | undefined {
  if (/^te$/i.test(name)) return undefined;
  if (/^host$/i.test(name) || name === ':authority') return authority;
  if (name === ':path') return path;
  if (name === ':method') return 'POST';
  if (name === 'content-type') return 'application/grpc';
  const values = metadata.filter(([key]) => key === name).map(([, value]) => value);
  if (values.length === 0) return undefined;
  return name.endsWith('-bin') ? values.map(bytesText).join(',') : values.join(',');
}

function bytesText(base64: string): string {
  return String.fromCharCode(...(fromBase64(base64) ?? []));
}

function isWithin(address: IpAddress, prefix: string, length: number): boolean {
  const range = addressOf(prefix);
  const start = (one: IpAddress): string => addressText({ ...maskAddress(one, length), port: 0 });
  return range?.family === address.family && start(range) === start(address);
}

const NO_INTERFACES: ReadonlyMap<string, number> = new Map();

/** Undefined for a prefix that is not an address: it matches no caller. */
function addressOf(prefix: string): IpAddress | undefined {
  return parseIpAddress(joinHostPort(prefix, 0), NO_INTERFACES);
}

function all(results: readonly RuleResult[]): RuleResult {
  if (results.includes(false)) return false;
  return undecided(results) ?? true;
}

function some(results: readonly RuleResult[]): RuleResult {
  if (results.includes(true)) return true;
  return undecided(results) ?? false;
}

function undecided(results: readonly RuleResult[]): RuleResult | undefined {
  const dependsOn = results.flatMap((result) => (typeof result === 'boolean' ? [] : result.dependsOn));
  return dependsOn.length === 0 ? undefined : { dependsOn };
}
