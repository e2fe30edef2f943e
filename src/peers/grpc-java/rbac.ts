import { isIp } from '../../base/ip.js';
import { catching, illegalArgument, invalid, within } from './java-error.js';
import { checkHeaderMatcher, checkStringMatcher } from './matchers.js';
import { oneofCase, type ProtoMessage } from './proto-message.js';

/** Checks the config of an RBAC filter. */
export function checkRbac(config: ProtoMessage): void {
  if (!config.has('rules')) return;
  const rules = config.message('rules');
  const action = rules.enumName('action');
  if (action === 'LOG') return;
  if (action === 'UNRECOGNIZED') invalid(`Unknown rbacConfig action type: ${action}`);
  const policies = [...rules.map('policies')].sort(([a], [b]) => (a < b ? -1 : 1));
  for (const [name, policy] of policies) within(['rules', 'policies', name], () => checkPolicy(name, policy));
}

function checkPolicy(name: string, policy: ProtoMessage): void {
  if (policy.has('condition') || policy.has('checked_condition'))
    invalid(`Policy.condition and Policy.checked_condition must not set: ${name}`);
  catching(
    ['argument', 'pattern'],
    () => {
      checkEach(policy, 'permissions', checkPermission);
      checkEach(policy, 'principals', checkPrincipal);
    },
    (error) => `Encountered error parsing policy: ${error.text}`,
  );
}

function checkEach(from: ProtoMessage, list: string, check: (one: ProtoMessage) => void): void {
  for (const [index, one] of from.messages(list).entries()) within([list, index], () => check(one));
}

function checkPermission(permission: ProtoMessage): void {
  const rule = permission.memberOf('any');
  const value = (): ProtoMessage => permission.message(rule as string);
  switch (rule) {
    case 'and_rules':
    case 'or_rules':
      within([rule], () => checkEach(value(), 'rules', checkPermission));
      return;
    case 'not_rule':
      within([rule], () => checkPermission(value()));
      return;
    case 'header':
      within([rule], () => checkHeader(value()));
      return;
    case 'url_path':
      within([rule], () => checkPath(value()));
      return;
    case 'destination_ip':
      within([rule], () => resolve(value()));
      return;
    case 'requested_server_name':
      within([rule], () => checkStringMatcher(value()));
      return;
    case 'any':
    case 'destination_port':
    case 'destination_port_range':
    case 'metadata':
      return;
    default:
      illegalArgument(`Unknown permission rule case: ${oneofCase(permission, 'any', 'RULE_NOT_SET')}`);
  }
}

function checkPrincipal(principal: ProtoMessage): void {
  const identifier = principal.memberOf('any');
  const value = (): ProtoMessage => principal.message(identifier as string);
  switch (identifier) {
    case 'and_ids':
    case 'or_ids':
      within([identifier], () => checkEach(value(), 'ids', checkPrincipal));
      return;
    case 'not_id':
      within([identifier], () => checkPrincipal(value()));
      return;
    case 'authenticated':
      within([identifier, 'principal_name'], () => checkStringMatcher(value().message('principal_name')));
      return;
    case 'direct_remote_ip':
    case 'remote_ip':
    case 'source_ip':
      within([identifier], () => resolve(value()));
      return;
    case 'header':
      within([identifier], () => checkHeader(value()));
      return;
    case 'url_path':
      within([identifier], () => checkPath(value()));
      return;
    case 'any':
    case 'metadata':
      return;
    default:
      illegalArgument(`Unknown principal identifier case: ${oneofCase(principal, 'any', 'IDENTIFIER_NOT_SET')}`);
  }
}

function checkPath(matcher: ProtoMessage): void {
  if (!matcher.has('path')) illegalArgument('Unknown path matcher rule type: RULE_NOT_SET');
  within(['path'], () => checkStringMatcher(matcher.message('path')));
}

function checkHeader(matcher: ProtoMessage): void {
  const name = matcher.string('name');
  if (name.startsWith('grpc-'))
    illegalArgument('Invalid header matcher config: [grpc-] prefixed header name is not allowed.');
  if (name === ':scheme') illegalArgument('Invalid header matcher config: header name [:scheme] is not allowed.');
  checkHeaderMatcher(matcher);
}

/** grpc-java looks up an address that is not an IP in DNS. This tool expects that DNS does not know it. */
function resolve(range: ProtoMessage): void {
  const prefix = range.string('address_prefix');
  if (prefix === '' || prefix === 'localhost' || isIp(prefix)) return;
  illegalArgument(`IP address can not be found: java.net.UnknownHostException: ${prefix}`);
}
