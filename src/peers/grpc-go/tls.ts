import type { MessageView } from '../message-view.js';
import { hasUrlOf, typeUrlOf, unmarshal } from './any.js';
import type { GoContext } from './go-context.js';
import { goName, quoted } from './go-text.js';
import { Rejection, reject, within } from './rejection.js';
import { validateStringMatcher } from './string-matcher.js';
import { printMessage } from './text-format.js';

const TLS = 'envoy.extensions.transport_sockets.tls.v3';
const HTTP_11_PROXY = 'envoy.extensions.transport_sockets.http_11_proxy.v3.Http11ProxyUpstreamTransport';
const SOCKET_NAME = 'envoy.transport_sockets.tls';
/** grpc-go rejects longer server names. */
const MAX_SNI = 255;

/** The certificate providers of a TLS context; '' for none. */
export interface SecurityConfig {
  identity: string;
  root: string;
  usesSystemRoots: boolean;
  /** Whether it has names of certificates or matchers, which also make it non-empty. */
  hasMore: boolean;
}

const NO_SECURITY: SecurityConfig = { identity: '', root: '', usesSystemRoots: false, hasMore: false };

/** Validates the TLS context of a filter chain. */
export function validateDownstreamTls(chain: MessageView, context: GoContext): SecurityConfig | undefined {
  const socket = chain.message('transport_socket');
  if (socket === undefined) return undefined;
  const tls = tlsContextOf(socket, 'DownstreamTlsContext', 'LDS');
  const unsupported = (what: string): string => `${what} in DownstreamTlsContext message: ${printMessage(tls)}`;
  if (tls.message('require_sni')?.flag('value'))
    reject(tls, unsupported('require_sni field set to true'), 'require_sni');
  if (tls.number('ocsp_staple_policy') !== 0)
    reject(tls, unsupported('ocsp_staple_policy field set to unsupported value'), 'ocsp_staple_policy');
  const security = validateCommon(tls, 'DownstreamTlsContext', 'LDS', 'server', context);
  if (tls.message('require_client_certificate')?.flag('value') && security.root === '') {
    const message =
      'security configuration on the server-side does not contain root certificate provider instance name, but require_client_cert field is set';
    reject(tls, message, 'require_client_certificate');
  }
  return security;
}

/** Validates the TLS context of a cluster. */
export function validateUpstreamTls(cluster: MessageView, context: GoContext): SecurityConfig | undefined {
  let socket = cluster.message('transport_socket');
  if (socket === undefined) return undefined;
  const config = socket.message('typed_config');
  if (context.switches.httpConnect && hasUrlOf(config, HTTP_11_PROXY)) {
    const failure = (error: string): string =>
      `failed to unmarshal Http11ProxyUpstreamTransport in CDS response: ${error}`;
    socket = unmarshal(HTTP_11_PROXY, config, socket, failure).message('transport_socket');
    if (socket === undefined) return undefined;
  }
  const tls = tlsContextOf(socket, 'UpstreamTlsContext', 'CDS');
  const security = validateCommon(tls, 'UpstreamTlsContext', 'CDS', 'client', context);
  const sni = tls.text('sni');
  if (context.switches.sni && new TextEncoder().encode(sni).length > MAX_SNI) {
    const where = `SNI value ${quoted(sni)} in UpstreamTlsContext in CDS response`;
    reject(tls, `${where} exceeds max length of ${MAX_SNI}`, 'sni');
  }
  return security;
}

function tlsContextOf(socket: MessageView, shortName: string, type: string): MessageView {
  const name = socket.text('name');
  if (name !== SOCKET_NAME) reject(socket, `transport_socket field has unexpected name: ${name}`, 'name');
  const config = socket.message('typed_config');
  if (!hasUrlOf(config, `${TLS}.${shortName}`))
    reject(config ?? socket, `transport_socket missing typed_config or wrong type_url: ${quoted(typeUrlOf(config))}`);
  const failure = (error: string): string => `failed to unmarshal ${shortName} in ${type} response: ${error}`;
  return unmarshal(`${TLS}.${shortName}`, config, socket, failure);
}

type Side = 'client' | 'server';

function validateCommon(
  tls: MessageView,
  shortName: string,
  type: string,
  side: Side,
  context: GoContext,
): SecurityConfig {
  const common = tls.message('common_tls_context');
  if (common === undefined) reject(tls, `${shortName} in ${type} response does not contain a CommonTlsContext`);
  for (const field of ['tls_params', 'custom_handshaker'])
    if (common.has(field)) reject(common, inCommon(common, `unsupported ${field} field`), field);
  const security = securityOf(common, side, context);
  const missing = (what: string): string =>
    `security configuration on the ${side}-side does not contain ${what} certificate provider instance name`;
  if (side === 'server' && security.identity === '') reject(common, missing('identity'));
  if (side === 'client' && !security.usesSystemRoots && security.root === '') reject(common, missing('root'));
  return security;
}

function inCommon(common: MessageView, what: string): string {
  return `${what} in CommonTlsContext message: ${printMessage(common)}`;
}

/** Reads the fields of A29, or the older fields if they give nothing. */
function securityOf(common: MessageView, side: Side, context: GoContext): SecurityConfig {
  let first: Rejection | undefined;
  try {
    const security = securityFromNewFields(common, side, context);
    if (!isEmpty(security)) return security;
  } catch (error) {
    if (!(error instanceof Rejection)) throw error;
    first = error;
  }
  return within(
    (error) => {
      const second = `failed to parse config using deprecated fields: ${error}`;
      return first === undefined ? second : `${first.message}\n${second}`;
    },
    () => securityFromOldFields(common, side),
  );
}

function isEmpty({ identity, root, usesSystemRoots, hasMore }: SecurityConfig): boolean {
  return identity === '' && root === '' && !usesSystemRoots && !hasMore;
}

function instanceOf(instance: MessageView | undefined): { name: string; hasCertificateName: boolean } {
  return {
    name: instance?.text('instance_name') ?? '',
    hasCertificateName: (instance?.text('certificate_name') ?? '') !== '',
  };
}

function securityFromOldFields(common: MessageView, side: Side): SecurityConfig {
  const identity = instanceOf(common.message('tls_certificate_certificate_provider_instance'));
  const member = common.setMemberOf('validation_context');
  let root = instanceOf(undefined);
  let hasMatchers = false;
  if (member === 'combined_validation_context') {
    const combined = common.message(member) as MessageView;
    hasMatchers = validateMatchers(combined.message('default_validation_context'), common, side);
    root = instanceOf(combined.message('validation_context_certificate_provider_instance'));
  } else if (member === 'validation_context_certificate_provider_instance') root = instanceOf(common.message(member));
  else if (member !== undefined) rejectValidationContext(common, member);
  return {
    identity: identity.name,
    root: root.name,
    usesSystemRoots: false,
    hasMore: identity.hasCertificateName || root.hasCertificateName || hasMatchers,
  };
}

function rejectValidationContext(common: MessageView, member: string): never {
  reject(common, `validation context contains unexpected type: *tlsv3.CommonTlsContext_${goName(member)}`, member);
}

function securityFromNewFields(common: MessageView, side: Side, context: GoContext): SecurityConfig {
  const instance = common.message('tls_certificate_provider_instance');
  for (const field of ['tls_certificates', 'tls_certificate_sds_secret_configs']) {
    if (instance !== undefined || common.count(field) === 0) continue;
    const what = `expected field tls_certificate_provider_instance is not set, while unsupported field ${field} is set`;
    reject(common, inCommon(common, what), field);
  }
  const identity = instanceOf(instance);
  const security = { ...NO_SECURITY, identity: identity.name, hasMore: identity.hasCertificateName };
  const member = common.setMemberOf('validation_context');
  if (member === undefined) return security;
  const validation =
    member === 'validation_context'
      ? common.message(member)
      : member === 'combined_validation_context'
        ? common.message(member)?.message('default_validation_context')
        : rejectValidationContext(common, member);
  return { ...security, ...rootsOf(validation, common, side, security.hasMore, context) };
}

/** Reads the root certificates of a validation context, which may be missing in a combined one. */
function rootsOf(
  validation: MessageView | undefined,
  common: MessageView,
  side: Side,
  hasMore: boolean,
  { switches }: GoContext,
): Omit<SecurityConfig, 'identity'> {
  const instance = validation?.message('ca_certificate_provider_instance');
  const hasSystemRoots = switches.systemRootCerts && instance === undefined && !!validation?.has('system_root_certs');
  const expected = 'expected field ca_certificate_provider_instance is missing';
  if (hasSystemRoots && side === 'server')
    reject(common, inCommon(common, `${expected} and unexpected field system_root_certs is set for server`));
  if (validation !== undefined) rejectUnsupportedChecks(validation, common);
  if (instance === undefined && !hasSystemRoots) {
    const both = 'expected fields ca_certificate_provider_instance and system_root_certs are missing';
    reject(common, inCommon(common, side === 'client' && switches.systemRootCerts ? both : expected));
  }
  const root = instanceOf(instance);
  const hasMatchers = validateMatchers(validation, common, side);
  return {
    root: root.name,
    usesSystemRoots: hasSystemRoots,
    hasMore: hasMore || root.hasCertificateName || hasMatchers,
  };
}

function rejectUnsupportedChecks(validation: MessageView, common: MessageView): void {
  const unsupported: [field: string, isSet: boolean][] = [
    ['verify_certificate_spki', validation.texts('verify_certificate_spki').length > 0],
    ['verify_certificate_hash', validation.texts('verify_certificate_hash').length > 0],
    [
      'require_signed_certificate_timestamp',
      validation.message('require_signed_certificate_timestamp')?.flag('value') ?? false,
    ],
    ['crl', validation.has('crl')],
    ['custom_validator_config', validation.has('custom_validator_config')],
  ];
  for (const [field, isSet] of unsupported)
    if (isSet) reject(validation, inCommon(common, `unsupported ${field} field`), field);
}

/** Returns whether there are matchers of names, which only clients support. */
function validateMatchers(validation: MessageView | undefined, common: MessageView, side: Side): boolean {
  let hasMatchers = false;
  for (const matcher of validation?.messages('match_subject_alt_names') ?? []) {
    validateStringMatcher(matcher, matcher);
    hasMatchers = true;
  }
  if (side === 'server' && hasMatchers) {
    const where = 'match_subject_alt_names field in validation context';
    reject(common, `${where} is not supported on the server: ${printMessage(common)}`);
  }
  return hasMatchers;
}
