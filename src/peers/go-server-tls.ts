import type { Json } from '../proto/json/well-known.js';
import { fieldOf, itemsOf, valueAt } from './located-value.js';
import { isPresent } from './resource-parts.js';
import type { Subject } from './subject.js';

/** The names of certificate providers that grpc-go reads from a CommonTlsContext; '' for none. */
interface Providers {
  identity: string;
  ca: string;
}

interface ServerTls {
  /** Why grpc-go rejects the TLS context; `undefined` if it accepts it. */
  problem?: string;
  /** Whether it ignored the new fields. */
  usesDeprecatedFields: boolean;
}

/**
 * Reads a DownstreamTlsContext as grpc-go does. It reads the identity and the CA from the new fields. If these are
 * invalid, incomplete or empty, it ignores them and reads both from the deprecated fields. C-core chooses between the
 * new and the deprecated field for each of the two.
 */
export function readGoServerTls(tls: Json, { context }: Subject): ServerTls {
  const common = fieldOf(tls, 'commonTlsContext');
  const fromNew = newFields(common);
  const usesDeprecatedFields = fromNew === undefined || (fromNew.identity === '' && fromNew.ca === '');
  const providers = usesDeprecatedFields ? deprecatedFields(common) : fromNew;
  const isUnknown = (name: string): boolean => name !== '' && context.certificateProviders?.has(name) === false;
  const problem = (): string | undefined => {
    if (isPresent(common, 'tlsParams') || isPresent(common, 'customHandshaker')) return 'unsupported TLS options';
    if (providers === undefined) return 'unsupported kind of validation context';
    if (providers.identity === '') return 'no identity';
    if (fieldOf(tls, 'requireClientCertificate') === true && providers.ca === '') return 'no CA';
    const unknown = [providers.identity, providers.ca].find(isUnknown);
    return unknown === undefined ? undefined : `no certificate provider ${unknown} in the bootstrap`;
  };
  const found = problem();
  return { usesDeprecatedFields, ...(found === undefined ? {} : { problem: found }) };
}

function newFields(common: Json | undefined): Providers | undefined {
  const identity = fieldOf(common, 'tlsCertificateProviderInstance');
  const certificates = ['tlsCertificates', 'tlsCertificateSdsSecretConfigs'];
  if (identity === undefined && certificates.some((name) => itemsOf(fieldOf(common, name)).length > 0))
    return undefined;
  if (validationKind(common) === undefined) return { identity: nameOf(identity), ca: '' };
  const validation =
    fieldOf(common, 'validationContext') ?? valueAt(common, 'combinedValidationContext.defaultValidationContext');
  const ca = fieldOf(validation, 'caCertificateProviderInstance');
  if (ca === undefined || hasUnsupportedField(validation)) return undefined;
  return { identity: nameOf(identity), ca: nameOf(ca) };
}

/** Servers do not support match_subject_alt_names either. */
function hasUnsupportedField(validation: Json | undefined): boolean {
  return (
    fieldOf(validation, 'requireSignedCertificateTimestamp') === true ||
    ['verifyCertificateSpki', 'verifyCertificateHash', 'matchSubjectAltNames'].some(
      (name) => itemsOf(fieldOf(validation, name)).length > 0,
    ) ||
    ['crl', 'customValidatorConfig'].some((name) => isPresent(validation, name))
  );
}

function deprecatedFields(common: Json | undefined): Providers | undefined {
  const identity = nameOf(fieldOf(common, 'tlsCertificateCertificateProviderInstance'));
  switch (validationKind(common)) {
    case undefined:
      return { identity, ca: '' };
    case 'validationContextCertificateProviderInstance':
      return { identity, ca: nameOf(fieldOf(common, 'validationContextCertificateProviderInstance')) };
    case 'combinedValidationContext': {
      const combined = fieldOf(common, 'combinedValidationContext');
      const names = itemsOf(valueAt(combined, 'defaultValidationContext.matchSubjectAltNames'));
      const ca = nameOf(fieldOf(combined, 'validationContextCertificateProviderInstance'));
      return names.length > 0 ? undefined : { identity, ca };
    }
    default:
      return undefined;
  }
}

/** Returns which member of the oneof `validation_context_type` is set. */
function validationKind(common: Json | undefined): string | undefined {
  return [
    'validationContext',
    'validationContextSdsSecretConfig',
    'combinedValidationContext',
    'validationContextCertificateProvider',
    'validationContextCertificateProviderInstance',
  ].find((name) => isPresent(common, name));
}

function nameOf(instance: Json | undefined): string {
  return String(fieldOf(instance, 'instanceName') ?? '');
}
