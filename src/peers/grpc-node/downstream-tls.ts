import type { NodeContext } from './environment.js';
import { ProblemList } from './problem-list.js';
import { decodeAsProtobufJs, type ProtobufJsMessage } from './protobufjs-message.js';
import { DOWNSTREAM_TLS, typeUrlOf, urlOf } from './types.js';
import { checkProvider, checkUnsupportedFields, providerIn } from './validation-context.js';

const COMMON = 'DownstreamTlsContext.common_tls_context';

/** Validates the transport socket of a filter chain as grpc-js-xds does. */
export function validateDownstreamSocket(socket: ProtobufJsMessage, context: NodeContext): ProblemList {
  const problems = new ProblemList();
  const name = socket.text('name');
  if (name !== 'envoy.transport_sockets.tls') problems.add(`Unexpected transport_socket.name: ${name}`, 'name');
  const config = socket.message('typed_config');
  const url = typeUrlOf(config);
  if (config === undefined) problems.add('transport_socket.typed_config missing');
  else if (url !== urlOf(DOWNSTREAM_TLS))
    problems.add(`Unexpected transport_socket.typed_config.type_url: ${url}`, 'typed_config');
  else checkContext(decodeAsProtobufJs(DOWNSTREAM_TLS, config.bytes('value')), context, problems);
  return problems;
}

function checkContext(tls: ProtobufJsMessage, context: NodeContext, problems: ProblemList): void {
  if (tls.message('require_sni')?.bool('value')) problems.add('DownstreamTlsContext.require_sni set');
  const stapling = tls.enumName('ocsp_staple_policy');
  if (stapling !== 'LENIENT_STAPLING') problems.add(`Unsupported DownstreamTlsContext.ocsp_staple_policy: ${stapling}`);
  const common = tls.message('common_tls_context');
  if (common === undefined) {
    problems.add('Missing DownstreamTlsContext.common_tls_context');
    return;
  }
  const validation = readValidation(common, problems);
  // The wrapper counts, even if its value is false.
  if (tls.has('require_client_certificate') && validation === undefined)
    problems.add('DownstreamTlsContext.require_client_certificate set without any validationContext');
  if (validation !== undefined) {
    const authority = providerIn(validation, 'ca_certificate_provider_instance');
    if (authority !== undefined)
      checkProvider(authority, 'CertificateValidationContext.ca_certificate_provider', context, problems);
    checkUnsupportedFields(validation, 'CertificateValidationContext', problems);
  }
  const identity = providerIn(common, 'tls_certificate_provider_instance');
  // The text lacks its verb.
  if (identity === undefined) problems.add(`${COMMON}.tls_certificate_provider_instance`);
  else checkProvider(identity, 'DownstreamTlsContext.tls_certificate_provider_instance', context, problems);
  for (const field of ['tls_params', 'custom_handshaker'])
    if (common.has(field)) problems.add(`${COMMON}.${field} set`);
}

function readValidation(common: ProtobufJsMessage, problems: ProblemList): ProtobufJsMessage | undefined {
  const kind = common.chosen('validation_context');
  if (kind === undefined) return undefined;
  if (kind === 'validation_context') return common.message(kind);
  if (kind === 'combined_validation_context') return common.message(kind)?.message('default_validation_context');
  if (kind === 'validation_context_sds_secret_config') problems.add(`Unexpected ${COMMON}.${kind}`);
  else problems.add(`Unsupported ${COMMON}.validation_context_type: ${kind}`);
  return undefined;
}
