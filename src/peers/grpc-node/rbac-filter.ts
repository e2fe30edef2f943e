import { re2Error } from '../../resources/regex/re2-syntax.js';
import type { ProtobufJsMessage } from './protobufjs-message.js';

/**
 * Whether grpc-js-xds accepts the rules of an RBAC filter. It rejects the action LOG, an invalid regular expression, and a
 * url_path without path, and matches nothing for rules that it does not know.
 */
export function isValidRbac(rules: ProtobufJsMessage | undefined): boolean {
  if (rules === undefined || rules.enumName('action') === 'LOG') return false;
  return rules
    .entries('policies')
    .every(
      ([, policy]) =>
        policy.messages('permissions').every(isValidPermission) &&
        policy.messages('principals').every(isValidPrincipal),
    );
}

function isValidPermission(permission: ProtobufJsMessage): boolean {
  const kind = permission.chosen('any');
  const value = kind === undefined ? undefined : permission.message(kind);
  if (kind === 'and_rules' || kind === 'or_rules') return value?.messages('rules').every(isValidPermission) ?? true;
  if (kind === 'not_rule') return value === undefined || isValidPermission(value);
  return isValidCondition(kind, value);
}

function isValidPrincipal(principal: ProtobufJsMessage): boolean {
  const kind = principal.chosen('any');
  const value = kind === undefined ? undefined : principal.message(kind);
  if (kind === 'and_ids' || kind === 'or_ids') return value?.messages('ids').every(isValidPrincipal) ?? true;
  if (kind === 'not_id') return value === undefined || isValidPrincipal(value);
  if (kind === 'authenticated') {
    const name = value?.message('principal_name');
    return name === undefined || isValidText(name);
  }
  return isValidCondition(kind, value);
}

function isValidCondition(kind: string | undefined, value: ProtobufJsMessage | undefined): boolean {
  if (kind === 'header') return isValidHeader(value);
  if (kind === 'requested_server_name') return isValidText(value);
  return kind !== 'url_path' || isValidText(value?.message('path'));
}

function isValidHeader(header: ProtobufJsMessage | undefined): boolean {
  const kind = header?.chosen('exact_match');
  if (kind === 'safe_regex_match') return isValidRegex(header?.message(kind));
  return kind !== 'string_match' || isValidText(header?.message(kind));
}

function isValidText(matcher: ProtobufJsMessage | undefined): boolean {
  if (matcher === undefined) return false;
  return matcher.chosen('exact') !== 'safe_regex' || isValidRegex(matcher.message('safe_regex'));
}

function isValidRegex(matcher: ProtobufJsMessage | undefined): boolean {
  return re2Error(`^${matcher?.text('regex')}$`) === undefined;
}
