import type { GrpcService, GrpcServiceGoogleGrpc, HeaderValue } from '../../proto/generated/envoy.config.core.v3.js';
import { AccessTokenCredentials } from '../../proto/generated/envoy.extensions.grpc_service.call_credentials.access_token.v3.js';
import { TlsCredentials } from '../../proto/generated/envoy.extensions.grpc_service.channel_credentials.tls.v3.js';
import { XdsCredentials } from '../../proto/generated/envoy.extensions.grpc_service.channel_credentials.xds.v3.js';
import type { Any } from '../../proto/generated/google.protobuf.js';
import { decode, type MessageType } from '../../proto/message-type.js';
import type { Repeated } from '../../proto/wire/message-list.js';
import { readProviderInstance } from '../common/certificate-provider.js';
import { readDuration } from '../common/duration.js';
import { withExtension } from '../common/extension.js';
import { isValidTarget } from '../common/target-uri.js';
import type { Validation } from '../validation.js';

/** A gRPC service that a filter calls (A102). */
export interface SideService {
  target: string;
  timeoutMs: number;
}

const CHANNEL_CREDENTIALS = 'envoy.extensions.grpc_service.channel_credentials';
const GOOGLE_DEFAULT = `${CHANNEL_CREDENTIALS}.google_default.v3.GoogleDefaultCredentials`;
const INSECURE = `${CHANNEL_CREDENTIALS}.insecure.v3.InsecureCredentials`;
const MAX_HEADER = 16_384;

export function readGrpcService(message: GrpcService | undefined, validation: Validation): SideService | undefined {
  if (message === undefined) return validation.addError('field not set');
  const { timeout, targetSpecifier } = message;
  const timeoutMs = timeout === undefined ? 0 : validation.field('timeout', () => readPositive(timeout, validation));
  // gRPC uses, and therefore checks, this metadata only if the xDS server is trusted.
  if (validation.context.trustedServer) {
    for (const [i, header] of message.initialMetadata.entries()) {
      validation.item('initial_metadata', i, () => checkHeader(header, validation));
    }
  }
  return validation.field('google_grpc', () => {
    if (targetSpecifier?.kind !== 'googleGrpc') return validation.addError('field not set');
    return readTarget(targetSpecifier.value, timeoutMs, validation);
  });
}

/** Reads a duration that must be greater than 0. */
export function readPositive(duration: Parameters<typeof readDuration>[0], validation: Validation): number {
  const ms = readDuration(duration, validation);
  if (ms <= 0) validation.addError('duration must be positive');
  return ms;
}

function readTarget(message: GrpcServiceGoogleGrpc, timeoutMs: number, validation: Validation): SideService {
  const { targetUri: target } = message;
  if (!isValidTarget(target, validation.context.interfaces))
    validation.addFieldError('target_uri', 'invalid target URI');
  if (validation.context.trustedServer) {
    validation.field('channel_credentials_plugin', () =>
      checkChannelCredentials(message.channelCredentialsPlugin, validation),
    );
    validation.field('call_credentials_plugin', () => {
      for (const [i, any] of message.callCredentialsPlugin.entries()) {
        validation.errors.element(i, () => checkCallCredentials(any, validation));
      }
    });
  } else if (!validation.context.allowedGrpcServices.has(target)) {
    validation.addFieldError('target_uri', 'service not present in "allowed_grpc_services" in bootstrap config');
  }
  return { target, timeoutMs };
}

/**
 * Validates channel credentials. C-core uses the first entry of a known type and only unpacks the entries before it.
 */
function checkChannelCredentials(plugins: Repeated<Any>, validation: Validation): void {
  if (plugins.length === 0) {
    validation.addError('field not set');
    return;
  }
  for (const [i, any] of plugins.entries()) {
    const outcome = validation.errors.element(i, () =>
      withExtension(any, validation, ({ type, value }) => {
        if (!KNOWN_CHANNEL_CREDENTIALS.has(type)) return undefined;
        if (value.kind === 'json') return validation.addError("can't decode config");
        return readCredentials(type, value.bytes, validation) ? 'usable' : 'broken';
      }),
    );
    if (outcome === 'usable') return;
    if (outcome === 'broken') break;
  }
  validation.addError('no supported channel credentials type found');
}

const KNOWN_CHANNEL_CREDENTIALS: ReadonlySet<string> = new Set([
  GOOGLE_DEFAULT,
  INSECURE,
  TlsCredentials.typeName,
  XdsCredentials.typeName,
]);

/** Validates credentials of a known type and returns whether their config can be decoded. */
function readCredentials(type: string, bytes: Uint8Array, validation: Validation): boolean {
  if (type === TlsCredentials.typeName) return readEach(TlsCredentials, bytes, checkTls, validation);
  if (type === XdsCredentials.typeName) return readEach(XdsCredentials, bytes, checkXds, validation);
  return type === INSECURE || type === GOOGLE_DEFAULT;
}

function readEach<T>(
  type: MessageType<T>,
  bytes: Uint8Array,
  check: (message: T, validation: Validation) => void,
  validation: Validation,
): boolean {
  const decoded = decode(type, bytes);
  if (decoded.ok) check(decoded.value, validation);
  else validation.addError('could not parse channel credentials config');
  return decoded.ok;
}

function checkTls(message: TlsCredentials, validation: Validation): void {
  const { rootCertificateProvider: root, identityCertificateProvider: identity } = message;
  validation.field('root_certificate_provider', () =>
    root === undefined ? validation.addError('field not set') : readProviderInstance(root, validation),
  );
  if (identity !== undefined)
    validation.field('identity_certificate_provider', () => readProviderInstance(identity, validation));
}

function checkXds({ fallbackCredentials: fallback }: XdsCredentials, validation: Validation): void {
  validation.field('fallback_credentials', () => {
    if (fallback === undefined) return validation.addError('field not set');
    const type = fallback.typeUrl.replace(/^type\.googleapis\.com\//, '');
    return validation.segment('.value', [], () => {
      readCredentials(type, fallback.value, validation);
    });
  });
}

function checkCallCredentials(any: Any, validation: Validation): void {
  withExtension(any, validation, ({ type, value }) => {
    if (type !== AccessTokenCredentials.typeName) return undefined;
    if (value.kind === 'json') return validation.addError("can't decode config");
    const decoded = decode(AccessTokenCredentials, value.bytes);
    if (!decoded.ok) return validation.addError('could not parse call credentials config');
    return decoded.value.token === '' ? validation.addFieldError('token', 'field not present') : undefined;
  });
}

function checkHeader({ key, value, rawValue }: HeaderValue, validation: Validation): void {
  const keyBytes = new TextEncoder().encode(key);
  validation.field('key', () => {
    if (keyBytes.length > MAX_HEADER) validation.addError(`longer than ${MAX_HEADER} bytes`);
    if (key.startsWith(':') || key.startsWith('grpc-') || key === 'host')
      validation.addError(`header "${key}" not allowed`);
    else if (key === '') validation.addError('Metadata keys cannot be zero length');
    else if (!/^[a-z0-9\-_.]*$/.test(key)) validation.addError('Illegal header key');
  });
  const isBinary = key.endsWith('-bin');
  // If raw_value is set, C-core does not check value.
  if (rawValue.length > 0) validation.field('raw_value', () => checkHeaderValue(rawValue, isBinary, validation));
  else if (value !== '')
    validation.field('value', () => checkHeaderValue(new TextEncoder().encode(value), isBinary, validation));
  else validation.addError('either value or raw_value must be set');
}

function checkHeaderValue(bytes: Uint8Array, isBinary: boolean, validation: Validation): void {
  if (bytes.length > MAX_HEADER) validation.addError(`longer than ${MAX_HEADER} bytes`);
  if (isBinary) {
    const text = String.fromCharCode(...bytes.subarray(0, MAX_HEADER));
    if (!isBase64(text)) validation.addError('invalid base64');
  } else if (bytes.some((byte) => byte < 0x20 || byte > 0x7e)) validation.addError('Illegal header value');
}

/** Whether absl can decode the text: it ignores whitespace, and padding may be missing but not wrong. */
function isBase64(text: string): boolean {
  const dense = text.replace(/[ \t\n\v\f\r]/g, '');
  const unpadded = dense.replace(/={1,2}$/, '');
  if (!/^[A-Za-z0-9+/]*$/.test(unpadded) || unpadded.length % 4 === 1) return false;
  return dense.length === unpadded.length || dense.length % 4 === 0;
}
