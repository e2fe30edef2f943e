import type { GrpcService, GrpcServiceGoogleGrpc, HeaderValue } from '../../proto/generated/envoy.config.core.v3.js';
import { AccessTokenCredentials } from '../../proto/generated/envoy.extensions.grpc_service.call_credentials.access_token.v3.js';
import { TlsCredentials } from '../../proto/generated/envoy.extensions.grpc_service.channel_credentials.tls.v3.js';
import { XdsCredentials } from '../../proto/generated/envoy.extensions.grpc_service.channel_credentials.xds.v3.js';
import type { Any } from '../../proto/generated/google.protobuf.js';
import { decode, type MessageType } from '../../proto/message-type.js';
import { readProviderInstance } from '../common/certificate-provider.js';
import { readDuration } from '../common/duration.js';
import { withExtension } from '../common/extension.js';
import { isValidTarget } from '../common/target-uri.js';
import type { Judgement } from '../judgement.js';

/** A gRPC service that a filter calls (A102). */
export interface SideService {
  target: string;
  timeoutMs: number;
}

const CHANNEL_CREDENTIALS = 'envoy.extensions.grpc_service.channel_credentials';
const GOOGLE_DEFAULT = `${CHANNEL_CREDENTIALS}.google_default.v3.GoogleDefaultCredentials`;
const INSECURE = `${CHANNEL_CREDENTIALS}.insecure.v3.InsecureCredentials`;
const MAX_HEADER = 16_384;

export function readGrpcService(message: GrpcService | undefined, j: Judgement): SideService | undefined {
  if (message === undefined) return j.refuse('field not set');
  const { timeout, targetSpecifier } = message;
  const timeoutMs = timeout === undefined ? 0 : j.field('timeout', () => readPositive(timeout, j));
  // Only a trusted server's metadata is used, so nobody else's is looked at.
  if (j.context.trustedServer) {
    for (const [i, header] of message.initialMetadata.entries()) {
      j.item('initial_metadata', i, () => checkHeader(header, j));
    }
  }
  return j.field('google_grpc', () => {
    if (targetSpecifier?.kind !== 'googleGrpc') return j.refuse('field not set');
    return readTarget(targetSpecifier.value, timeoutMs, j);
  });
}

/** A duration that has to be more than nothing. */
export function readPositive(duration: Parameters<typeof readDuration>[0], j: Judgement): number {
  const ms = readDuration(duration, j);
  if (ms <= 0) j.refuse('duration must be positive');
  return ms;
}

function readTarget(message: GrpcServiceGoogleGrpc, timeoutMs: number, j: Judgement): SideService {
  const { targetUri: target } = message;
  if (!isValidTarget(target, j.context.interfaces)) j.refuseField('target_uri', 'invalid target URI');
  if (j.context.trustedServer) {
    j.field('channel_credentials_plugin', () => checkChannelCredentials(message.channelCredentialsPlugin, j));
    j.field('call_credentials_plugin', () => {
      for (const [i, any] of message.callCredentialsPlugin.entries()) {
        j.errors.element(i, () => checkCallCredentials(any, j));
      }
    });
  } else if (!j.context.allowedGrpcServices.has(target)) {
    j.refuseField('target_uri', 'service not present in "allowed_grpc_services" in bootstrap config');
  }
  return { target, timeoutMs };
}

/** The first of a known type is used; those before it are only unpacked. */
function checkChannelCredentials(plugins: readonly Any[], j: Judgement): void {
  if (plugins.length === 0) {
    j.refuse('field not set');
    return;
  }
  for (const [i, any] of plugins.entries()) {
    const outcome = j.errors.element(i, () =>
      withExtension(any, j, ({ type, value }) => {
        if (!KNOWN_CHANNEL_CREDENTIALS.has(type)) return undefined;
        if (value.kind === 'json') return j.refuse("can't decode config");
        return readCredentials(type, value.bytes, j) ? 'usable' : 'broken';
      }),
    );
    if (outcome === 'usable') return;
    if (outcome === 'broken') break;
  }
  j.refuse('no supported channel credentials type found');
}

const KNOWN_CHANNEL_CREDENTIALS: ReadonlySet<string> = new Set([
  GOOGLE_DEFAULT,
  INSECURE,
  TlsCredentials.typeName,
  XdsCredentials.typeName,
]);

/** Whether there are credentials at all; their own problems are added. */
function readCredentials(type: string, bytes: Uint8Array, j: Judgement): boolean {
  if (type === TlsCredentials.typeName) return readEach(TlsCredentials, bytes, checkTls, j);
  if (type === XdsCredentials.typeName) return readEach(XdsCredentials, bytes, checkXds, j);
  return type === INSECURE || type === GOOGLE_DEFAULT;
}

function readEach<T>(
  type: MessageType<T>,
  bytes: Uint8Array,
  check: (message: T, j: Judgement) => void,
  j: Judgement,
): boolean {
  const decoded = decode(type, bytes);
  if (decoded.ok) check(decoded.value, j);
  else j.refuse('could not parse channel credentials config');
  return decoded.ok;
}

function checkTls(message: TlsCredentials, j: Judgement): void {
  const { rootCertificateProvider: root, identityCertificateProvider: identity } = message;
  j.field('root_certificate_provider', () =>
    root === undefined ? j.refuse('field not set') : readProviderInstance(root, j),
  );
  if (identity !== undefined) j.field('identity_certificate_provider', () => readProviderInstance(identity, j));
}

function checkXds({ fallbackCredentials: fallback }: XdsCredentials, j: Judgement): void {
  j.field('fallback_credentials', () => {
    if (fallback === undefined) return j.refuse('field not set');
    const type = fallback.typeUrl.replace(/^type\.googleapis\.com\//, '');
    return j.segment('.value', [], () => {
      readCredentials(type, fallback.value, j);
    });
  });
}

function checkCallCredentials(any: Any, j: Judgement): void {
  withExtension(any, j, ({ type, value }) => {
    if (type !== AccessTokenCredentials.typeName) return undefined;
    if (value.kind === 'json') return j.refuse("can't decode config");
    const decoded = decode(AccessTokenCredentials, value.bytes);
    if (!decoded.ok) return j.refuse('could not parse call credentials config');
    return decoded.value.token === '' ? j.refuseField('token', 'field not present') : undefined;
  });
}

function checkHeader({ key, value, rawValue }: HeaderValue, j: Judgement): void {
  const keyBytes = new TextEncoder().encode(key);
  j.field('key', () => {
    if (keyBytes.length > MAX_HEADER) j.refuse(`longer than ${MAX_HEADER} bytes`);
    if (key.startsWith(':') || key.startsWith('grpc-') || key === 'host') j.refuse(`header "${key}" not allowed`);
    else if (key === '') j.refuse('Metadata keys cannot be zero length');
    else if (!/^[a-z0-9\-_.]*$/.test(key)) j.refuse('Illegal header key');
  });
  const isBinary = key.endsWith('-bin');
  // The raw value is looked at first, and alone where it is set.
  if (rawValue.length > 0) j.field('raw_value', () => checkHeaderValue(rawValue, isBinary, j));
  else if (value !== '') j.field('value', () => checkHeaderValue(new TextEncoder().encode(value), isBinary, j));
  else j.refuse('either value or raw_value must be set');
}

function checkHeaderValue(bytes: Uint8Array, isBinary: boolean, j: Judgement): void {
  if (bytes.length > MAX_HEADER) j.refuse(`longer than ${MAX_HEADER} bytes`);
  if (isBinary) {
    const text = String.fromCharCode(...bytes.subarray(0, MAX_HEADER));
    if (!isBase64(text)) j.refuse('invalid base64');
  } else if (bytes.some((byte) => byte < 0x20 || byte > 0x7e)) j.refuse('Illegal header value');
}

/** As absl reads it: spaces are passed over, padding may be left out but not be wrong. */
function isBase64(text: string): boolean {
  const dense = text.replace(/[ \t\n\v\f\r]/g, '');
  const unpadded = dense.replace(/={1,2}$/, '');
  if (!/^[A-Za-z0-9+/]*$/.test(unpadded) || unpadded.length % 4 === 1) return false;
  return dense.length === unpadded.length || dense.length % 4 === 0;
}
