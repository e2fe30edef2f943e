import { invalid, within } from './java-error.js';
import type { ProtoMessage } from './proto-message.js';
import type { Settings } from './settings.js';

export function checkUpstreamTls(context: ProtoMessage, settings: Settings): void {
  if (!context.has('common_tls_context')) invalid('common-tls-context is required in upstream-tls-context');
  within(['common_tls_context'], () => checkCommonTls(context.message('common_tls_context'), settings, false));
}

export function checkDownstreamTls(context: ProtoMessage, settings: Settings): void {
  if (!context.has('common_tls_context')) invalid('common-tls-context is required in downstream-tls-context');
  within(['common_tls_context'], () => checkCommonTls(context.message('common_tls_context'), settings, true));
  if (context.has('require_sni')) invalid('downstream-tls-context with require-sni is not supported');
  const policy = context.enumName('ocsp_staple_policy');
  if (policy !== 'UNRECOGNIZED' && policy !== 'LENIENT_STAPLING')
    invalid(`downstream-tls-context with ocsp_staple_policy value ${policy} is not supported`);
}

const UNSUPPORTED = ['custom_handshaker', 'tls_params', 'validation_context_sds_secret_config'];

function checkCommonTls(common: ProtoMessage, settings: Settings, isServer: boolean): void {
  for (const name of UNSUPPORTED) if (common.has(name)) invalid(`common-tls-context with ${name} is not supported`);
  checkIdentity(common, settings, isServer);
  const root = rootProvider(common);
  if (root === undefined) {
    if (!isServer && !(settings.flags.systemRootCerts && usesSystemRoots(common)))
      invalid('ca_certificate_provider_instance or system_root_certs is required in upstream-tls-context');
    return;
  }
  if (settings.certificateProviders?.has(root) === false)
    invalid(`ca_certificate_provider_instance name '${root}' not defined in the bootstrap file.`);
  const validation = validationContext(common);
  if (validation !== undefined) checkValidation(validation, isServer);
}

function checkIdentity(common: ProtoMessage, { certificateProviders }: Settings, isServer: boolean): void {
  const identity = identityProvider(common);
  if (identity !== undefined) {
    if (certificateProviders?.has(identity) === false)
      invalid(`CertificateProvider instance name '${identity}' not defined in the bootstrap file.`);
    return;
  }
  if (isServer) invalid('tls_certificate_provider_instance is required in downstream-tls-context');
  if (common.has('tls_certificates') || common.has('tls_certificate_sds_secret_configs'))
    invalid('tls_certificate_provider_instance is unset');
}

/** Without a bootstrap, names of providers cannot be checked. */
function identityProvider(common: ProtoMessage): string | undefined {
  for (const name of ['tls_certificate_provider_instance', 'tls_certificate_certificate_provider_instance'])
    if (common.has(name)) return common.message(name).string('instance_name');
  return undefined;
}

const CA_PROVIDER = 'ca_certificate_provider_instance';

function rootProvider(common: ProtoMessage): string | undefined {
  const nameIn = (validation: ProtoMessage): string | undefined =>
    validation.has(CA_PROVIDER) ? validation.message(CA_PROVIDER).string('instance_name') : undefined;
  if (common.has('validation_context')) return nameIn(common.message('validation_context'));
  if (!common.has('combined_validation_context')) return undefined;
  const combined = common.message('combined_validation_context');
  const deprecated = 'validation_context_certificate_provider_instance';
  return (
    nameIn(combined.message('default_validation_context')) ??
    (combined.has(deprecated) ? combined.message(deprecated).string('instance_name') : undefined)
  );
}

function validationContext(common: ProtoMessage): ProtoMessage | undefined {
  if (common.has('validation_context')) return common.message('validation_context');
  const combined = common.message('combined_validation_context');
  return combined.has('default_validation_context') ? combined.message('default_validation_context') : undefined;
}

function usesSystemRoots(common: ProtoMessage): boolean {
  return validationContext(common)?.has('system_root_certs') === true;
}

const UNSUPPORTED_VALIDATION = [
  'verify_certificate_spki',
  'verify_certificate_hash',
  'require_signed_certificate_timestamp',
  'crl',
  'custom_validator_config',
];

function checkValidation(validation: ProtoMessage, isServer: boolean): void {
  if (isServer && validation.has('match_subject_alt_names'))
    invalid('match_subject_alt_names only allowed in upstream_tls_context');
  for (const name of UNSUPPORTED_VALIDATION)
    if (validation.has(name)) invalid(`${name} in default_validation_context is not supported`);
}
