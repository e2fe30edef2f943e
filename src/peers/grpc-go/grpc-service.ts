import type { MessageView } from '../message-view.js';
import { typeUrlOf, unmarshalTo } from './any.js';
import { durationError, durationText, nanosOf } from './durations.js';
import type { GoContext } from './go-context.js';
import { quoted } from './go-text.js';
import { reject, within } from './rejection.js';
import { targetSchemeOf, urlError } from './target.js';

const CHANNEL = 'envoy.extensions.grpc_service.channel_credentials.';
const CALL = 'envoy.extensions.grpc_service.call_credentials.';
const PREFIX = 'type.googleapis.com/';
const MAX_HEADER = 16_384;

type ValidateCredentials = (any: MessageView, context: GoContext) => void;

/** The channel credentials that grpc-go builds. */
const CHANNEL_CREDENTIALS = new Map<string, ValidateCredentials>([
  [`${PREFIX}${CHANNEL}insecure.v3.InsecureCredentials`, () => {}],
  [`${PREFIX}${CHANNEL}google_default.v3.GoogleDefaultCredentials`, () => {}],
  [`${PREFIX}${CHANNEL}xds.v3.XdsCredentials`, validateXdsCredentials],
  [`${PREFIX}${CHANNEL}tls.v3.TlsCredentials`, validateTlsCredentials],
]);

/** Validates the service that a filter calls (A102). */
export function validateGrpcService(service: MessageView, context: GoContext): void {
  const google = service.message('google_grpc');
  if (google === undefined) reject(service, 'grpcservice: only google_grpc GrpcService config is supported');
  const target = google.text('target_uri');
  if (target === '') reject(google, 'grpcservice: target_uri must be non-empty', 'target_uri');
  const targetError = urlError(`passthrough:///${target}`);
  if (targetError !== undefined && targetSchemeOf(target) === undefined)
    reject(google, `grpcservice: target_uri ${quoted(target)} is invalid: ${targetError}`, 'target_uri');
  validateTimeout(service);
  for (const header of service.messages('initial_metadata')) validateHeader(header);
  if (context.trustedServer) validateCredentials(google, context);
  else if (!context.allowedGrpcServices.has(target))
    reject(google, `grpcservice: target_uri ${quoted(target)} is not present in allowed_grpc_services`, 'target_uri');
}

function validateTimeout(service: MessageView): void {
  const timeout = service.message('timeout');
  if (timeout === undefined) return;
  const error = durationError(timeout);
  if (error !== undefined) reject(timeout, `grpcservice: invalid timeout: ${error}`);
  const nanos = nanosOf(timeout);
  if (nanos <= 0n) reject(timeout, `grpcservice: timeout must be strictly positive, got ${durationText(nanos)}`);
}

function validateHeader(header: MessageView): void {
  const key = header.text('key');
  const keyError = headerKeyError(key);
  if (keyError !== undefined) reject(header, `grpcservice: invalid header key ${quoted(key)}: ${keyError}`, 'key');
  const raw = header.blob('raw_value');
  const value = raw.length > 0 ? raw : encoder.encode(header.text('value'));
  const where = `grpcservice: invalid value for header key ${quoted(key)}`;
  if (value.length > MAX_HEADER)
    reject(header, `${where}: header value exceeds maximum allowed length of ${MAX_HEADER}`);
  if (!key.endsWith('-bin') && value.some((byte) => byte < 0x20 || byte > 0x7e))
    reject(header, `${where}: header key ${quoted(key)} contains value with non-printable ASCII characters`);
}

const encoder = new TextEncoder();

function headerKeyError(key: string): string | undefined {
  if (encoder.encode(key).length > MAX_HEADER) return `header key exceeds maximum allowed length of ${MAX_HEADER}`;
  if (key === 'host') return 'header key cannot be "host"';
  for (const start of [':', 'grpc-']) if (key.startsWith(start)) return `header key cannot start with "${start}"`;
  return metadataKeyError(key);
}

/** Returns the error of grpc-go for a key of metadata. */
export function metadataKeyError(key: string): string | undefined {
  if (key === '') return 'there is an empty key in the header';
  if (key.startsWith(':') || /^[a-z0-9._-]*$/.test(key)) return undefined;
  return `header key ${quoted(key)} contains illegal characters not in [0-9a-z-_.]`;
}

function validateCredentials(google: MessageView, context: GoContext): void {
  validateChannelCredentials(google, context);
  for (const plugin of google.messages('call_credentials_plugin')) {
    const url = typeUrlOf(plugin);
    if (url !== `${PREFIX}${CALL}access_token.v3.AccessTokenCredentials`) continue;
    within(
      (error) => `grpcservice: failed to build call credentials ${quoted(url)}: ${error}`,
      () => validateAccessToken(plugin),
    );
  }
}

function validateChannelCredentials(google: MessageView, context: GoContext): void {
  for (const plugin of google.messages('channel_credentials_plugin')) {
    const url = typeUrlOf(plugin);
    const validate = CHANNEL_CREDENTIALS.get(url);
    if (validate === undefined) continue;
    within(
      (error) => `grpcservice: failed to build channel credentials ${quoted(url)}: ${error}`,
      () => validate(plugin, context),
    );
    return;
  }
  reject(google, 'grpcservice: no supported channel credentials found in grpc_service');
}

function validateXdsCredentials(any: MessageView, context: GoContext): void {
  const credentials = unmarshalTo(
    `${CHANNEL}xds.v3.XdsCredentials`,
    any,
    (error) => `credentials: failed to unmarshal XdsCredentials: ${error}`,
  );
  const fallback = credentials.message('fallback_credentials');
  if (fallback === undefined) reject(credentials, 'credentials: xds credentials missing required fallback credentials');
  const url = typeUrlOf(fallback);
  const validate = CHANNEL_CREDENTIALS.get(url);
  if (validate === undefined)
    reject(fallback, `credentials: unsupported fallback credentials type ${quoted(url)} in xds credentials`);
  validate(fallback, context);
}

function validateTlsCredentials(any: MessageView, context: GoContext): void {
  const tls = unmarshalTo(
    `${CHANNEL}tls.v3.TlsCredentials`,
    any,
    (error) => `credentials: failed to unmarshal TlsCredentials: ${error}`,
  );
  const root = tls.message('root_certificate_provider')?.text('instance_name') ?? '';
  if (root === '')
    reject(tls, 'credentials: tls credentials must specify root_certificate_provider with an instance_name');
  requireProvider(tls, root, 'root', context);
  const identity = tls.message('identity_certificate_provider');
  if (identity === undefined) return;
  const name = identity.text('instance_name');
  if (name === '')
    reject(identity, 'credentials: tls credentials identity_certificate_provider must specify an instance_name');
  requireProvider(identity, name, 'identity', context);
}

function requireProvider(part: MessageView, name: string, kind: string, { certificateProviders }: GoContext): void {
  if (certificateProviders?.has(name) ?? true) return;
  const where = `credentials: tls credentials ${kind} certificate provider`;
  reject(part, `${where}: instance name ${quoted(name)} missing in bootstrap configuration`);
}

function validateAccessToken(any: MessageView): void {
  const token = unmarshalTo(
    `${CALL}access_token.v3.AccessTokenCredentials`,
    any,
    (error) => `credentials: failed to unmarshal AccessTokenCredentials: ${error}`,
  );
  if (token.text('token') === '') reject(token, 'credentials: access token must be non-empty', 'token');
}
