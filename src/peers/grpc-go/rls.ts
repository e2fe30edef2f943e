import type { MessageView } from '../message-view.js';
import { jsonDurationError, nanosOf } from './durations.js';
import { quoted } from './go-text.js';
import { reject, within } from './rejection.js';
import { printMessage, printMessages } from './text-format.js';

/** Validates a cluster specifier, which becomes the config of the RLS policy. */
export function validateRouteLookup(specifier: MessageView): void {
  const config = specifier.message('route_lookup_config');
  requirePrintable(config);
  within(
    (error) => `rls_csp: validation error from rls lb policy parsing: ${error}`,
    () => validateLookupConfig(config, specifier),
  );
}

/** grpc-go converts the config to JSON, which not all durations have. */
function requirePrintable(config: MessageView | undefined): void {
  for (const field of ['lookup_service_timeout', 'max_age', 'stale_age']) {
    const duration = config?.message(field);
    const error = duration && jsonDurationError(duration);
    if (duration !== undefined && error !== undefined)
      reject(duration, `rls_csp: error marshaling route lookup config: ${printMessage(config)}: ${error}`);
  }
}

function validateLookupConfig(config: MessageView | undefined, specifier: MessageView): void {
  validateKeyBuilders(config, specifier);
  if (config === undefined) return;
  const service = config.text('lookup_service');
  if (service === '')
    reject(config, `rls: empty lookup_service in route lookup config ${printMessage(config)}`, 'lookup_service');
  validateTarget(config, service);
  const [maxAge, staleAge] = ['max_age', 'stale_age'].map((field) => nanosOf(config.message(field)));
  if (staleAge !== 0n && maxAge === 0n) {
    const message = `rls: stale_age is set, but max_age is not in route lookup config ${printMessage(config)}`;
    reject(config, message, 'stale_age');
  }
  if (config.big('cache_size_bytes') <= 0n) {
    const message = `rls: cache_size_bytes must be set to a non-zero value: ${printMessage(config)}`;
    reject(config, message, 'cache_size_bytes');
  }
}

/** The schemes of grpc-go's resolvers in a program with xDS. */
const SCHEMES = new Set(['dns', 'passthrough', 'unix', 'unix-abstract', 'xds']);
/** The scheme that grpc-go adds to a target without one here. */
const DEFAULT_SCHEME = 'passthrough';

function validateTarget(config: MessageView, service: string): void {
  const scheme = schemeOf(service) ?? schemeOf(`${DEFAULT_SCHEME}:///${service}`);
  if (scheme === undefined) reject(config, `rls: invalid target URI in lookup_service ${service}`, 'lookup_service');
  if (!SCHEMES.has(scheme === '' ? DEFAULT_SCHEME : scheme))
    reject(config, `rls: unregistered scheme in lookup_service ${service}`, 'lookup_service');
}

/** Returns the scheme that Go's URL parser finds, '' if there is none; `undefined` if the URL is invalid. */
function schemeOf(url: string): string | undefined {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: Go's parser rejects them.
  if (/[\x00-\x1f\x7f]/.test(url)) return undefined;
  const [withoutFragment = ''] = url.split('#');
  if (hasBadEscape(url.slice(withoutFragment.length))) return undefined;
  const scheme = /^([a-zA-Z][a-zA-Z0-9+.-]*):/.exec(withoutFragment)?.[1];
  if (scheme === undefined && /^:/.test(withoutFragment)) return undefined;
  const rest = withoutFragment.slice(scheme === undefined ? 0 : scheme.length + 1).replace(/\?.*$/s, '');
  if (scheme !== undefined && !rest.startsWith('/')) return scheme.toLowerCase();
  // Without a scheme, the first segment of a path must not contain a colon.
  if (scheme === undefined && /^[^/]*:/.test(rest)) return undefined;
  const authority = /^\/\/([^/]*)/.exec(rest)?.[1];
  if (authority !== undefined && !isAuthority(authority)) return undefined;
  const path = authority === undefined ? rest : rest.slice(authority.length + 2);
  return hasBadEscape(path) ? undefined : (scheme?.toLowerCase() ?? '');
}

function hasBadEscape(text: string): boolean {
  return /%(?![0-9a-fA-F]{2})/.test(text);
}

function isAuthority(authority: string): boolean {
  const host = authority.slice(authority.lastIndexOf('@') + 1);
  const port = host.startsWith('[') ? /^\[[^\]]*\](.*)$/.exec(host)?.[1] : /:[^:]*$/.exec(host)?.[0];
  if (host.startsWith('[') && port === undefined) return false;
  return /^(:\d*)?$/.test(port ?? '') && !/[\s<>"\\^`{|}]/.test(host) && !/%(?!25)/.test(host);
}

const PREFIX = 'rls: GrpcKeyBuilder in RouteLookupConfig';

function validateKeyBuilders(config: MessageView | undefined, specifier: MessageView): void {
  if (config === undefined || config.count('grpc_keybuilders') === 0)
    reject(config ?? specifier, 'rls: RouteLookupConfig does not contain any GrpcKeyBuilder');
  const all = (): string => `{${printMessages(config.messages('grpc_keybuilders'))}}`;
  const paths = new Set<string>();
  for (const builder of config.messages('grpc_keybuilders')) {
    validateKeys(builder, all);
    validateNames(builder, paths, all);
  }
}

function validateKeys(builder: MessageView, all: () => string): void {
  const seen = new Set<unknown>(builder.entries('constant_keys').keys());
  for (const header of builder.messages('headers')) {
    if (header.flag('required_match'))
      reject(header, `${PREFIX} has required_match field set ${all()}`, 'required_match');
    const key = header.text('key');
    const where = 'across headers, constant_keys and extra_keys';
    if (seen.has(key)) reject(header, `${PREFIX} contains repeated key ${quoted(key)} ${where} ${all()}`, 'key');
    seen.add(key);
  }
  const extra = builder.message('extra_keys');
  for (const field of ['host', 'service', 'method']) {
    const key = extra?.text(field) ?? '';
    if (!seen.has(key)) continue;
    const what = `repeated key ${quoted(key)} in extra_keys from constant_keys or headers`;
    reject(builder, `${PREFIX} contains ${what} ${all()}`, 'extra_keys');
  }
}

function validateNames(builder: MessageView, paths: Set<string>, all: () => string): void {
  if (builder.count('names') === 0) reject(builder, `${PREFIX} does not contain any Name ${all()}`, 'names');
  for (const name of builder.messages('names')) {
    const service = name.text('service');
    const method = name.text('method');
    if (service === '') reject(name, `${PREFIX} contains a Name field with no Service ${all()}`, 'service');
    if (method.includes('/')) reject(name, `${PREFIX} contains a method with a slash ${all()}`, 'method');
    const path = `/${service}/${method}`;
    if (paths.has(path)) reject(name, `${PREFIX} contains repeated Name field ${all()}`);
    paths.add(path);
  }
}
