import { typeNameOf } from '../../proto/json/type-name.js';
import type { MessageView } from '../message-view.js';
import { typeUrlOf, UDPA_TYPED_STRUCT, unmarshal, unmarshalTo, XDS_TYPED_STRUCT } from './any.js';
import { goName, quoted } from './go-text.js';
import { isLinked } from './linked-types.js';
import { prefixError } from './netip.js';
import { safeRegexError } from './regex.js';
import { NIL_DEREFERENCE, Panic, Rejection, reject, within } from './rejection.js';
import { validateStringMatcher } from './string-matcher.js';
import { enumText, printMessage } from './text-format.js';

const RBAC = 'envoy.extensions.filters.http.rbac.v3.RBAC';
const PER_ROUTE = 'envoy.extensions.filters.http.rbac.v3.RBACPerRoute';
const STDOUT_LOGGER = 'envoy.extensions.rbac.audit_loggers.stream.v3.StdoutAuditLog';

const ALLOW = 0;
const DENY = 1;
const LOG = 2;

export function validateRbac(any: MessageView): void {
  const config = unmarshalTo(RBAC, any, (error) => `rbac: error parsing config ${printMessage(any)}: ${error}`);
  validateRules(config);
}

export function validateRbacOverride(any: MessageView): void {
  const config = unmarshalTo(
    PER_ROUTE,
    any,
    (error) => `rbac: error parsing override config ${printMessage(any)}: ${error}`,
  );
  const rbac = config.message('rbac');
  if (rbac === undefined) throw new Panic(NIL_DEREFERENCE, any);
  validateRules(rbac);
}

function validateRules(config: MessageView): void {
  const rules = config.message('rules');
  if (rules === undefined) return;
  const policies = rules.messageEntries('policies').map(([, policy]) => policy);
  for (const policy of policies) {
    if (policy.has('condition')) reject(policy, 'rbac: Policy.condition is present', 'condition');
    if (policy.has('checked_condition'))
      reject(policy, 'rbac: policy.CheckedCondition is present', 'checked_condition');
    for (const principal of policy.messages('principals')) checkHeaderNames(principal, PRINCIPAL);
    for (const permission of policy.messages('permissions')) checkHeaderNames(permission, PERMISSION);
  }
  const action = rules.number('action');
  if (action === LOG) return;
  within(
    (error) => `rbac: error constructing matching engine: ${error}`,
    () => {
      if (action !== ALLOW && action !== DENY)
        reject(rules, `unsupported action ${enumText('envoy.config.rbac.v3.RBAC.Action', action)}`, 'action');
      for (const policy of policies) {
        for (const permission of policy.messages('permissions')) validateRule(permission, PERMISSION);
        for (const principal of policy.messages('principals')) validateRule(principal, PRINCIPAL);
      }
      validateAuditLoggers(rules.message('audit_logging_options'));
    },
  );
}

/** The names of the fields of a permission or principal. */
interface RuleKind {
  and: string;
  or: string;
  not: string;
  /** The list in an `and` or `or` rule. */
  list: string;
  unsupported: string;
  goType: string;
}

const PERMISSION: RuleKind = {
  and: 'and_rules',
  or: 'or_rules',
  not: 'not_rule',
  list: 'rules',
  unsupported: 'unsupported permission rule type',
  goType: '*rbacv3.Permission_',
};

const PRINCIPAL: RuleKind = {
  and: 'and_ids',
  or: 'or_ids',
  not: 'not_id',
  list: 'ids',
  unsupported: 'unsupported principal identifier type',
  goType: '*rbacv3.Principal_',
};

/** The rules inside a rule. */
function* rulesIn(rule: MessageView, { and, or, not, list }: RuleKind): Generator<MessageView> {
  const member = rule.setMemberOf(and);
  const inside = member === undefined ? undefined : member === and || member === or ? rule.message(member) : undefined;
  if (inside !== undefined) yield* inside.messages(list);
  if (member === not) yield rule.message(not) as MessageView;
}

function checkHeaderNames(rule: MessageView, kind: RuleKind): void {
  if (rule.setMemberOf('header') === 'header') checkHeaderName(rule.message('header') as MessageView);
  for (const inner of rulesIn(rule, kind)) checkHeaderNames(inner, kind);
}

function checkHeaderName(header: MessageView): void {
  const name = header.text('name');
  const lower = name.toLowerCase();
  if (lower === ':scheme') reject(header, `rbac: header matcher for ${quoted(name)} is ":scheme"`, 'name');
  if (lower.startsWith('grpc-')) reject(header, `rbac: header matcher for ${quoted(name)} starts with "grpc-"`, 'name');
}

function validateRule(rule: MessageView, kind: RuleKind): void {
  const member = rule.setMemberOf('header');
  switch (member) {
    case kind.and:
    case kind.or:
    case kind.not:
      for (const inner of rulesIn(rule, kind)) validateRule(inner, kind);
      return;
    case 'any':
    case 'metadata':
    case 'destination_port':
      return;
    case 'header':
      validateHeader(rule.message('header') as MessageView);
      return;
    case 'url_path': {
      const path = rule.message('url_path') as MessageView;
      validateStringMatcher(path.message('path'), path);
      return;
    }
    case 'destination_ip':
    case 'direct_remote_ip':
    case 'source_ip':
    case 'remote_ip':
      validateRange(rule.message(member) as MessageView);
      return;
    case 'requested_server_name':
      validateStringMatcher(rule.message(member), rule);
      return;
    case 'authenticated': {
      const authenticated = rule.message(member) as MessageView;
      const name = authenticated.message('principal_name');
      if (name !== undefined) validateStringMatcher(name, authenticated);
      return;
    }
    default:
      reject(rule, `${kind.unsupported}: ${member === undefined ? '<nil>' : kind.goType + goName(member)}`);
  }
}

function validateRange(range: MessageView): void {
  const error = prefixError(range.text('address_prefix'), range.message('prefix_len')?.number('value') ?? 0);
  if (error !== undefined) reject(range, error);
}

function validateHeader(header: MessageView): void {
  switch (header.setMemberOf('exact_match')) {
    case 'safe_regex_match': {
      const regex = header.message('safe_regex_match')?.text('regex') ?? '';
      const error = safeRegexError(regex);
      if (error !== undefined) reject(header, error, 'safe_regex_match');
      return;
    }
    case 'string_match': {
      const matcher = header.message('string_match') as MessageView;
      within(
        (error) => `invalid string matcher ${printMessage(matcher)}: ${error}`,
        () => validateStringMatcher(matcher, header),
      );
      return;
    }
    case undefined:
      reject(header, 'unknown header matcher type');
  }
}

function validateAuditLoggers(options: MessageView | undefined): void {
  for (const logger of options?.messages('logger_configs') ?? []) {
    const config = logger.message('audit_logger')?.message('typed_config');
    if (config === undefined) reject(logger, 'missing required field: TypedConfig', 'audit_logger');
    const name = auditLoggerName(config);
    if (name === '') reject(config, 'field TypedConfig.TypeURL cannot be an empty string');
    if (name !== 'stdout_logger' && !logger.flag('is_optional')) reject(config, `no builder registered for ${name}`);
  }
}

/** grpc-go looks up audit loggers by a name. */
function auditLoggerName(config: MessageView): string {
  const url = typeUrlOf(config);
  if (url === '') reject(config, 'proto: invalid empty type URL');
  const typeName = typeNameOf(url);
  if (!isLinked(typeName)) throw new Rejection('proto: not found', config);
  const value = unmarshal(typeName, config, config, (error) => error);
  if (typeName === XDS_TYPED_STRUCT || typeName === UDPA_TYPED_STRUCT) return typeNameOf(value.text('type_url'));
  if (typeName === STDOUT_LOGGER) return 'stdout_logger';
  return reject(config, `custom config not implemented for type [${url}]`);
}
