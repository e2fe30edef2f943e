import type { NodeContext } from './environment.js';
import { ProblemList } from './problem-list.js';
import { decodeAsProtobufJs, type ProtobufJsMessage } from './protobufjs-message.js';
import { typeUrlOf, UPSTREAM_TLS, urlOf } from './types.js';
import { checkProvider, checkUnsupportedFields, providerIn } from './validation-context.js';

const COMMON = 'UpstreamTlsContext.common_tls_context';

/** Validates the transport socket of a cluster as grpc-js-xds does. */
export function validateUpstreamSocket(socket: ProtobufJsMessage, context: NodeContext): ProblemList {
  const problems = new ProblemList();
  const config = socket.message('typed_config');
  const url = typeUrlOf(config);
  if (config === undefined) problems.add('transport_socket.typed_config unset');
  else if (url !== urlOf(UPSTREAM_TLS))
    problems.add(`Unexpected transport_socket.typed_config.type_url: ${url}`, 'typed_config');
  else {
    const common = decodeAsProtobufJs(UPSTREAM_TLS, config.bytes('value')).message('common_tls_context');
    if (common === undefined) problems.add(`${COMMON} unset`);
    else checkCommon(common, context, problems);
  }
  return problems;
}

function checkCommon(common: ProtobufJsMessage, context: NodeContext, problems: ProblemList): void {
  const identity = providerIn(common, 'tls_certificate_provider_instance');
  if (identity !== undefined)
    checkProvider(identity, 'UpstreamTlsContext.tls_certificate_provider_instance', context, problems);
  else {
    // The texts lack a dot, and the second misspells its field.
    const unset = `${COMMON}tls_certificate_provider_instance unset but ${COMMON}`;
    if (common.messages('tls_certificates').length > 0) problems.add(`${unset}.tls_certificates populated`);
    if (common.messages('tls_certificate_sds_secret_configs').length > 0)
      problems.add(`${unset}.tls_certificates_sds_secret_config populated`);
  }
  for (const field of ['tls_params', 'custom_handshaker'])
    if (common.has(field)) problems.add(`${COMMON}.${field} set`);
  const validation = readValidation(common, problems);
  if (validation === undefined) return;
  checkUnsupportedFields(validation, 'ValidationContext', problems);
  const authority = providerIn(validation, 'ca_certificate_provider_instance');
  if (authority === undefined) problems.add('ValidationContext.ca_certificate_provider_instance unset');
  else checkProvider(authority, 'ValidationContext.ca_certificate_provider_instance', context, problems);
}

function readValidation(common: ProtobufJsMessage, problems: ProblemList): ProtobufJsMessage | undefined {
  const kind = common.chosen('validation_context');
  if (kind === 'validation_context') return common.message(kind);
  if (kind === 'combined_validation_context') {
    const combined = common.message(kind)?.message('default_validation_context');
    if (combined === undefined) problems.add(`Empty ${COMMON}.${kind}.default_validation_context`);
    return combined;
  }
  if (kind === 'validation_context_sds_secret_config') problems.add(`Unexpected ${COMMON}.${kind}`);
  else problems.add(`Unsupported ${COMMON}.validation_context_type: ${kind}`);
  return undefined;
}
