import { utf8Length } from '../base/utf8-length.js';
import { Http11ProxyUpstreamTransport } from '../proto/generated/envoy.extensions.transport_sockets.http_11_proxy.v3.js';
import { UpstreamTlsContext } from '../proto/generated/envoy.extensions.transport_sockets.tls.v3.js';
import type { Any } from '../proto/generated/google.protobuf.js';
import { type Extension, withExtension } from './common/extension.js';
import { decodeConfig } from './filters/http-filter.js';
import { NO_TLS, readTlsContext, type TlsContext } from './tls-context.js';
import type { Validation } from './validation.js';

/** TLS configuration with which a client connects to the endpoints of a cluster. */
export interface UpstreamTls extends TlsContext {
  sni: string;
  autoHostSni: boolean;
  autoSniSanValidation: boolean;
}

const MAX_SNI = 255;

export function readTransportSocket(
  typedConfig: Any | undefined,
  validation: Validation,
): { tls: UpstreamTls | undefined; httpConnect: boolean } | undefined {
  return withExtension(typedConfig, validation, (extension) => {
    if (extension.type === Http11ProxyUpstreamTransport.typeName && validation.context.switches.httpConnect) {
      return { tls: readProxied(extension, validation), httpConnect: true };
    }
    return { tls: readUpstreamTls(extension, validation), httpConnect: false };
  });
}

/** Reads the TLS configuration inside the tunnel of an HTTP proxy (A86). */
function readProxied(extension: Extension, validation: Validation): UpstreamTls | undefined {
  const message = decodeConfig(
    Http11ProxyUpstreamTransport,
    extension,
    "can't decode Http11ProxyUpstreamTransport",
    validation,
  );
  const socket = message?.transportSocket;
  if (socket === undefined) return undefined;
  return validation.segment('.transport_socket.typed_config', ['transport_socket', 'typed_config'], () =>
    withExtension(socket.configType?.value, validation, (inner) => readUpstreamTls(inner, validation)),
  );
}

function readUpstreamTls(extension: Extension, validation: Validation): UpstreamTls | undefined {
  if (extension.type !== UpstreamTlsContext.typeName) {
    return validation.addFieldError('type_url', 'unsupported transport socket type');
  }
  const message = decodeConfig(UpstreamTlsContext, extension, "can't decode UpstreamTlsContext", validation);
  if (message === undefined) return undefined;
  const readsSni = validation.context.switches.sni;
  // A UTF-16 code unit has up to three bytes in UTF-8, so short names need no counting.
  if (readsSni && message.sni.length * 3 > MAX_SNI && utf8Length(message.sni) > MAX_SNI) {
    validation.addFieldError('sni', `must be shorter than ${MAX_SNI} characters`);
  }
  const { commonTlsContext } = message;
  const context = validation.field('common_tls_context', () => {
    const read = commonTlsContext === undefined ? NO_TLS : readTlsContext(commonTlsContext, validation);
    if (read.ca === undefined) validation.addError('no CA certs configured');
    return read;
  });
  const { ca, subjectAltNames, identity } = context;
  return {
    ca,
    subjectAltNames,
    identity,
    sni: readsSni ? message.sni : '',
    autoHostSni: readsSni && message.autoHostSni,
    autoSniSanValidation: readsSni && message.autoSniSanValidation,
  };
}
