import type { TransportSocket } from '../proto/generated/envoy.config.core.v3.js';
import {
  DownstreamTlsContext,
  DownstreamTlsContextOcspStaplePolicy,
} from '../proto/generated/envoy.extensions.transport_sockets.tls.v3.js';
import { type Extension, withExtension } from './common/extension.js';
import { decodeConfig } from './filters/http-filter.js';
import { NO_TLS, readTlsContext, type TlsContext } from './tls-context.js';
import type { Validation } from './validation.js';

/** TLS configuration with which a server accepts connections. */
export interface DownstreamTls extends TlsContext {
  requireClientCertificate: boolean;
}

export function readDownstreamTls({ configType }: TransportSocket, validation: Validation): DownstreamTls | undefined {
  return validation.field('typed_config', () =>
    withExtension(configType?.value, validation, (extension) => readContext(extension, validation)),
  );
}

function readContext(extension: Extension, validation: Validation): DownstreamTls | undefined {
  if (extension.type !== DownstreamTlsContext.typeName) {
    return validation.addFieldError('type_url', 'unsupported transport socket type');
  }
  const message = decodeConfig(DownstreamTlsContext, extension, "can't decode DownstreamTlsContext", validation);
  if (message === undefined) return undefined;
  const { commonTlsContext } = message;
  const context =
    commonTlsContext === undefined
      ? NO_TLS
      : validation.field('common_tls_context', () => {
          const read = readTlsContext(commonTlsContext, validation);
          if (read.ca === 'system') validation.addError('system_root_certs not supported');
          if (read.subjectAltNames.length > 0) validation.addError('match_subject_alt_names not supported on servers');
          return read;
        });
  if ((context.identity?.instanceName ?? '') === '') {
    validation.addError('TLS configuration provided but no tls_certificate_provider_instance found');
  }
  const requireClientCertificate = message.requireClientCertificate ?? false;
  const { ca } = context;
  if (requireClientCertificate && (ca === undefined || ca === 'system' || ca.instanceName === '')) {
    validation.addFieldError(
      'require_client_certificate',
      'client certificate required but no certificate provider instance specified for validation',
    );
  }
  if (message.requireSni === true) validation.addFieldError('require_sni', 'field unsupported');
  if (message.ocspStaplePolicy !== DownstreamTlsContextOcspStaplePolicy.LENIENT_STAPLING) {
    validation.addFieldError('ocsp_staple_policy', 'value must be LENIENT_STAPLING');
  }
  return { ...context, requireClientCertificate };
}
