import type {
  CertificateValidationContext,
  CommonTlsContext as CommonTlsContextMessage,
} from '../proto/generated/envoy.extensions.transport_sockets.tls.v3.js';
import { type ProviderInstance, readProviderInstance } from './common/certificate-provider.js';
import { readStringMatcher, type StringMatcher } from './common/string-matcher.js';
import type { Validation } from './validation.js';

/** The certificates of a TLS connection (A29). */
export interface TlsContext {
  ca: ProviderInstance | 'system' | undefined;
  subjectAltNames: (StringMatcher | undefined)[];
  identity: ProviderInstance | undefined;
}

export const NO_TLS: TlsContext = { ca: undefined, subjectAltNames: [], identity: undefined };

const UNSUPPORTED = 'feature unsupported';

export function readTlsContext(message: CommonTlsContextMessage, validation: Validation): TlsContext {
  const { ca, subjectAltNames } = readValidation(message, validation);
  const identity = readIdentity(message, validation);
  if (message.tlsParams !== undefined) validation.addFieldError('tls_params', UNSUPPORTED);
  if (message.customHandshaker !== undefined) validation.addFieldError('custom_handshaker', UNSUPPORTED);
  return { ca, subjectAltNames, identity };
}

type PeerValidation = Pick<TlsContext, 'ca' | 'subjectAltNames'>;

const NO_VALIDATION: PeerValidation = { ca: undefined, subjectAltNames: [] };

function readValidation(
  { validationContextType: type }: CommonTlsContextMessage,
  validation: Validation,
): PeerValidation {
  switch (type?.kind) {
    case 'combinedValidationContext': {
      const { defaultValidationContext: context, validationContextCertificateProviderInstance: old } = type.value;
      return validation.field('combined_validation_context', () => {
        const read =
          context && validation.field('default_validation_context', () => readValidationContext(context, validation));
        const ca = read?.ca;
        // Deprecated. C-core reads this field only if default_validation_context has no provider.
        if (old === undefined || (ca !== undefined && ca !== 'system')) return read ?? NO_VALIDATION;
        const instance = validation.field('validation_context_certificate_provider_instance', () =>
          readProviderInstance(old, validation),
        );
        return { subjectAltNames: read?.subjectAltNames ?? [], ca: instance };
      });
    }
    case 'validationContext':
      return validation.field('validation_context', () => readValidationContext(type.value, validation));
    case 'validationContextSdsSecretConfig':
      validation.addFieldError('validation_context_sds_secret_config', UNSUPPORTED);
      return NO_VALIDATION;
    default:
      return NO_VALIDATION;
  }
}

function readValidationContext(message: CertificateValidationContext, validation: Validation): PeerValidation {
  const subjectAltNames = message.matchSubjectAltNames.map((matcher, i) =>
    validation.item('match_subject_alt_names', i, () => readStringMatcher(matcher, validation)),
  );
  const instance = message.caCertificateProviderInstance;
  const provider =
    instance && validation.field('ca_certificate_provider_instance', () => readProviderInstance(instance, validation));
  if (message.verifyCertificateSpki.length > 0) validation.addFieldError('verify_certificate_spki', UNSUPPORTED);
  if (message.verifyCertificateHash.length > 0) validation.addFieldError('verify_certificate_hash', UNSUPPORTED);
  if (message.requireSignedCertificateTimestamp === true) {
    validation.addFieldError('require_signed_certificate_timestamp', UNSUPPORTED);
  }
  if (message.crl !== undefined) validation.addFieldError('crl', UNSUPPORTED);
  if (message.customValidatorConfig !== undefined) validation.addFieldError('custom_validator_config', UNSUPPORTED);
  return { subjectAltNames, ca: provider ?? (message.systemRootCerts === undefined ? undefined : 'system') };
}

function readIdentity(message: CommonTlsContextMessage, validation: Validation): ProviderInstance | undefined {
  const { tlsCertificateProviderInstance: instance, tlsCertificateCertificateProviderInstance: old } = message;
  if (instance !== undefined) {
    return validation.field('tls_certificate_provider_instance', () => readProviderInstance(instance, validation));
  }
  // Deprecated.
  if (old !== undefined) {
    return validation.field('tls_certificate_certificate_provider_instance', () =>
      readProviderInstance(old, validation),
    );
  }
  if (message.tlsCertificates.length > 0) validation.addFieldError('tls_certificates', UNSUPPORTED);
  if (message.tlsCertificateSdsSecretConfigs.length > 0) {
    validation.addFieldError('tls_certificate_sds_secret_configs', UNSUPPORTED);
  }
  return undefined;
}
