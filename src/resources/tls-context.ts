import type {
  CertificateValidationContext,
  CommonTlsContext as CommonTlsContextMessage,
} from '../proto/generated/envoy.extensions.transport_sockets.tls.v3.js';
import { type ProviderInstance, readProviderInstance } from './common/certificate-provider.js';
import { readStringMatcher, type StringMatcher } from './common/string-matcher.js';
import type { Judgement } from './judgement.js';

/** Certificates of a connection (A29). */
export interface TlsContext {
  ca: ProviderInstance | 'system' | undefined;
  subjectAltNames: (StringMatcher | undefined)[];
  identity: ProviderInstance | undefined;
}

export const NO_TLS: TlsContext = { ca: undefined, subjectAltNames: [], identity: undefined };

const UNSUPPORTED = 'feature unsupported';

export function readTlsContext(message: CommonTlsContextMessage, j: Judgement): TlsContext {
  const { ca, subjectAltNames } = readValidation(message, j);
  const identity = readIdentity(message, j);
  if (message.tlsParams !== undefined) j.refuseField('tls_params', UNSUPPORTED);
  if (message.customHandshaker !== undefined) j.refuseField('custom_handshaker', UNSUPPORTED);
  return { ca, subjectAltNames, identity };
}

type Validation = Pick<TlsContext, 'ca' | 'subjectAltNames'>;

const NO_VALIDATION: Validation = { ca: undefined, subjectAltNames: [] };

function readValidation({ validationContextType: type }: CommonTlsContextMessage, j: Judgement): Validation {
  switch (type?.kind) {
    case 'combinedValidationContext': {
      const { defaultValidationContext: context, validationContextCertificateProviderInstance: old } = type.value;
      return j.field('combined_validation_context', () => {
        const read = context && j.field('default_validation_context', () => readValidationContext(context, j));
        const ca = read?.ca;
        // Deprecated, and looked at only where the other gave no provider.
        if (old === undefined || (ca !== undefined && ca !== 'system')) return read ?? NO_VALIDATION;
        const instance = j.field('validation_context_certificate_provider_instance', () =>
          readProviderInstance(old, j),
        );
        return { subjectAltNames: read?.subjectAltNames ?? [], ca: instance };
      });
    }
    case 'validationContext':
      return j.field('validation_context', () => readValidationContext(type.value, j));
    case 'validationContextSdsSecretConfig':
      j.refuseField('validation_context_sds_secret_config', UNSUPPORTED);
      return NO_VALIDATION;
    default:
      return NO_VALIDATION;
  }
}

function readValidationContext(message: CertificateValidationContext, j: Judgement): Validation {
  const subjectAltNames = message.matchSubjectAltNames.map((matcher, i) =>
    j.item('match_subject_alt_names', i, () => readStringMatcher(matcher, j)),
  );
  const instance = message.caCertificateProviderInstance;
  const provider = instance && j.field('ca_certificate_provider_instance', () => readProviderInstance(instance, j));
  if (message.verifyCertificateSpki.length > 0) j.refuseField('verify_certificate_spki', UNSUPPORTED);
  if (message.verifyCertificateHash.length > 0) j.refuseField('verify_certificate_hash', UNSUPPORTED);
  if (message.requireSignedCertificateTimestamp === true) {
    j.refuseField('require_signed_certificate_timestamp', UNSUPPORTED);
  }
  if (message.crl !== undefined) j.refuseField('crl', UNSUPPORTED);
  if (message.customValidatorConfig !== undefined) j.refuseField('custom_validator_config', UNSUPPORTED);
  return { subjectAltNames, ca: provider ?? (message.systemRootCerts === undefined ? undefined : 'system') };
}

function readIdentity(message: CommonTlsContextMessage, j: Judgement): ProviderInstance | undefined {
  const { tlsCertificateProviderInstance: instance, tlsCertificateCertificateProviderInstance: old } = message;
  if (instance !== undefined) {
    return j.field('tls_certificate_provider_instance', () => readProviderInstance(instance, j));
  }
  // Deprecated.
  if (old !== undefined) {
    return j.field('tls_certificate_certificate_provider_instance', () => readProviderInstance(old, j));
  }
  if (message.tlsCertificates.length > 0) j.refuseField('tls_certificates', UNSUPPORTED);
  if (message.tlsCertificateSdsSecretConfigs.length > 0) {
    j.refuseField('tls_certificate_sds_secret_configs', UNSUPPORTED);
  }
  return undefined;
}
