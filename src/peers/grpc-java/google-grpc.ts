import { isType, unpackAny } from './decode-message.js';
import { catching, invalid, within } from './java-error.js';
import { hasOnlyUriCharacters } from './java-uri.js';
import type { ProtoMessage } from './proto-message.js';
import type { Settings } from './settings.js';

const CREDENTIALS = 'type.googleapis.com/envoy.extensions.grpc_service.channel_credentials.';
const XDS_CREDENTIALS = 'envoy.extensions.grpc_service.channel_credentials.xds.v3.XdsCredentials';
const ACCESS_TOKEN = 'envoy.extensions.grpc_service.call_credentials.access_token.v3.AccessTokenCredentials';

/** The schemes of the name resolvers of a program with grpc-xds and grpc-netty-shaded. */
const SCHEMES = new Set(['dns', 'xds', 'unix', 'google-c2p']);

/** Checks a gRPC service and its credentials. The bootstrap or the server must allow the service. */
export function checkGoogleGrpc(service: ProtoMessage, { trustedServer, allowedGrpcServices }: Settings): void {
  const target = service.string('target_uri');
  const scheme = isJavaUri(target) ? (/^([a-zA-Z][a-zA-Z0-9+.-]*):/.exec(target)?.[1] ?? 'dns') : '';
  if (!SCHEMES.has(scheme.toLowerCase())) invalid(`Target URI scheme is not resolvable: ${target}`);
  if (!trustedServer) {
    if (!allowedGrpcServices.has(target))
      invalid(`Untrusted xDS server & URI not found in allowed_grpc_services: ${target}`);
    return;
  }
  within(['channel_credentials_plugin'], () => {
    const plugins = service.messages('channel_credentials_plugin');
    if (!plugins.some(checkChannelCredentials)) invalid('No valid supported channel_credentials found');
  });
  for (const plugin of service.messages('call_credentials_plugin')) checkCallCredentials(plugin);
}

/** Whether Java's URI class accepts the text, except for rules of hosts. */
function isJavaUri(text: string): boolean {
  return hasOnlyUriCharacters(text) && !/^[a-zA-Z][a-zA-Z0-9+.-]*:$/.test(text) && !text.startsWith(':');
}

/** Returns false for credentials of an unknown type. */
function checkChannelCredentials(any: ProtoMessage): boolean {
  switch (any.string('type_url').replace(CREDENTIALS, '')) {
    case 'google_default.v3.GoogleDefaultCredentials':
    case 'insecure.v3.InsecureCredentials':
      return true;
    case 'xds.v3.XdsCredentials': {
      const config = catching(
        ['proto'],
        () => unpackAny(any, XDS_CREDENTIALS),
        (error) => `Failed to parse channel credentials: ${error.detail}`,
      );
      if (!checkChannelCredentials(config.message('fallback_credentials')))
        invalid('Unsupported fallback credentials type for XdsCredentials');
      return true;
    }
    case 'local.v3.LocalCredentials':
      return invalid(
        'LocalCredentials are not supported in grpc-java. See https://github.com/grpc/grpc-java/issues/8928',
      );
    case 'tls.v3.TlsCredentials':
      return invalid('TlsCredentials input stream construction pending.');
    default:
      return false;
  }
}

function checkCallCredentials(any: ProtoMessage): void {
  if (!isType(any.string('type_url'), ACCESS_TOKEN)) return;
  const credentials = catching(
    ['proto'],
    () => unpackAny(any, ACCESS_TOKEN),
    (error) => `Failed to parse access token credentials: ${error.detail}`,
  );
  if (credentials.string('token') === '') invalid('Missing or empty access token in call credentials.');
}
