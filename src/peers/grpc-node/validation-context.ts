import { hasProvider, type NodeContext } from './environment.js';
import type { ProblemList } from './problem-list.js';
import type { ProtobufJsMessage } from './protobufjs-message.js';

/** Adds the problems of fields in a CertificateValidationContext that grpc-js-xds does not support. */
export function checkUnsupportedFields(validation: ProtobufJsMessage, name: string, problems: ProblemList): void {
  for (const list of ['verify_certificate_spki', 'verify_certificate_hash'])
    if (validation.texts(list).length > 0) problems.add(`${name}.${list} populated`);
  for (const field of ['require_signed_certificate_timestamp', 'crl', 'custom_validator_config'])
    if (validation.has(field)) problems.add(`${name}.${field} set`);
}

/** The name of the provider instance in this field; undefined if the field is not set. */
export function providerIn(message: ProtobufJsMessage, field: string): string | undefined {
  return message.message(field)?.text('instance_name');
}

/** Adds a problem if the bootstrap lacks the certificate provider. */
export function checkProvider(name: string, field: string, context: NodeContext, problems: ProblemList): void {
  if (!hasProvider(context, name)) problems.add(`Unmatched ${field}.instance_name: ${name}`);
}
