import { isIp, isIpv4 } from '../base/ip.js';
import type { Json } from '../proto/json/well-known.js';
import { fieldOf, find, findAll, itemsOf, type LocatedValue, typeUrlOf, valueAt } from './located-value.js';
import {
  deepFind,
  exceeds,
  filterConfigs,
  isPresent,
  isWrappedOverride,
  overridesOfType,
  unwrapOverride,
} from './resource-parts.js';
import type { Subject } from './subject.js';

const RBAC_OVERRIDE = '.rbac.v3.RBACPerRoute';

/** Returns the rules of all RBAC filters. */
export function rbacRules(subject: Subject): LocatedValue[] {
  return findAll(filterConfigs(subject, '.rbac.v3.RBAC'), 'rules');
}

/** Returns the overrides of RBAC filters. No implementation skips an invalid override because it is optional. */
export function rbacOverrides(subject: Subject): LocatedValue[] {
  return overridesOfType(subject, RBAC_OVERRIDE).flatMap(unwrapOverride);
}

/** Returns the rules of all overrides of RBAC filters. */
export function overrideRules(subject: Subject): LocatedValue[] {
  return findAll(rbacOverrides(subject), 'rbac.rules');
}

/** Returns the rules of the overrides that Envoy reads: it does not read those of a disabled filter. */
export function envoyOverrideRules(subject: Subject): LocatedValue[] {
  const read = overridesOfType(subject, RBAC_OVERRIDE).filter(
    (override) => !isWrappedOverride(override) || fieldOf(override.value, 'disabled') !== true,
  );
  return findAll(read.flatMap(unwrapOverride), 'rbac.rules');
}

/** With the action LOG, the rules have no effect in gRPC, which does not validate all of them. */
export function isEnforced({ value }: LocatedValue): boolean {
  return fieldOf(value, 'action') !== 'LOG';
}

function ranges(rules: LocatedValue): LocatedValue[] {
  return ['destinationIp', 'sourceIp', 'directRemoteIp', 'remoteIp'].flatMap((name) => deepFind(rules, name));
}

/** Returns the address ranges whose prefix is not an IP address. */
export function invalidRanges(rules: LocatedValue): LocatedValue[] {
  return ranges(rules).filter(
    ({ value }) => isPresent(value, 'addressPrefix') && !isIp(String(fieldOf(value, 'addressPrefix'))),
  );
}

/** Returns the address ranges without an address, or with more bits than the address has. */
export function incompleteRanges(rules: LocatedValue): LocatedValue[] {
  return ranges(rules).filter((range) => isTooLong(range) || !isPresent(range.value, 'addressPrefix'));
}

/** Whether a CIDR range has more bits than its address. */
export function isTooLong({ value }: LocatedValue): boolean {
  const address = fieldOf(value, 'addressPrefix');
  return exceeds(fieldOf(value, 'prefixLen'), typeof address === 'string' && isIpv4(address) ? 32 : 128);
}

/** Returns the string matchers with an empty text. grpc-go does not read those of metadata. */
export function emptyMatchers(rules: LocatedValue): LocatedValue[] {
  return ['prefix', 'suffix', 'contains']
    .flatMap((name) => deepFind(rules, name))
    .filter(({ path, value }) => value === '' && !path.includes('.metadata.'));
}

/** Returns the header matchers for a header that A41 forbids, in any case. */
export function forbiddenHeaders(rules: LocatedValue): LocatedValue[] {
  return deepFind(rules, 'header').filter(({ value }) =>
    /^(:scheme$|grpc-)/i.test(String(fieldOf(value, 'name') ?? '')),
  );
}

/** Returns audit logging options with a logger or a condition that grpc-go does not support. */
export function unknownAudits(rules: LocatedValue): LocatedValue[] {
  return find(rules, 'auditLoggingOptions').filter(({ value }) => {
    const loggers = itemsOf(fieldOf(value, 'loggerConfigs'));
    const isKnown = (logger: Json): boolean =>
      typeUrlOf(valueAt(logger, 'auditLogger.typedConfig')).endsWith('.StdoutAuditLog');
    const hasUnknownCondition = typeof fieldOf(value, 'auditCondition') === 'number' && loggers.length > 0;
    return hasUnknownCondition || !loggers.every(isKnown);
  });
}

/** Returns the policies with a condition in rules with the action LOG. */
export function loggedConditions(rules: LocatedValue): LocatedValue[] {
  return isEnforced(rules)
    ? []
    : find(rules, 'policies{}').filter(
        ({ value }) => isPresent(value, 'condition') || isPresent(value, 'checkedCondition'),
      );
}
