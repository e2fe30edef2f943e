import type { TransportSocket } from '../proto/generated/envoy.config.core.v3.js';
import {
  DownstreamTlsContext,
  DownstreamTlsContextOcspStaplePolicy,
} from '../proto/generated/envoy.extensions.transport_sockets.tls.v3.js';
import { type Extension, withExtension } from './common/extension.js';
import { decodeConfig } from './filters/http-filter.js';
import type { Judgement } from './judgement.js';
import { NO_TLS, readTlsContext, type TlsContext } from './tls-context.js';

/** How a server takes connections. */
export interface DownstreamTls extends TlsContext {
  requireClientCertificate: boolean;
}

export function readDownstreamTls({ configType }: TransportSocket, j: Judgement): DownstreamTls | undefined {
  return j.field('typed_config', () => withExtension(configType?.value, j, (extension) => readContext(extension, j)));
}

function readContext(extension: Extension, j: Judgement): DownstreamTls | undefined {
  if (extension.type !== DownstreamTlsContext.typeName) {
    return j.refuseField('type_url', 'unsupported transport socket type');
  }
  const message = decodeConfig(DownstreamTlsContext, extension, "can't decode DownstreamTlsContext", j);
  if (message === undefined) return undefined;
  const { commonTlsContext } = message;
  const context =
    commonTlsContext === undefined
      ? NO_TLS
      : j.field('common_tls_context', () => {
          const read = readTlsContext(commonTlsContext, j);
          if (read.ca === 'system') j.refuse('system_root_certs not supported');
          if (read.subjectAltNames.length > 0) j.refuse('match_subject_alt_names not supported on servers');
          return read;
        });
  if ((context.identity?.instanceName ?? '') === '') {
    j.refuse('TLS configuration provided but no tls_certificate_provider_instance found');
  }
  const requireClientCertificate = message.requireClientCertificate ?? false;
  const { ca } = context;
  if (requireClientCertificate && (ca === undefined || ca === 'system' || ca.instanceName === '')) {
    j.refuseField(
      'require_client_certificate',
      'client certificate required but no certificate provider instance specified for validation',
    );
  }
  if (message.requireSni === true) j.refuseField('require_sni', 'field unsupported');
  if (message.ocspStaplePolicy !== DownstreamTlsContextOcspStaplePolicy.LENIENT_STAPLING) {
    j.refuseField('ocsp_staple_policy', 'value must be LENIENT_STAPLING');
  }
  return { ...context, requireClientCertificate };
}
