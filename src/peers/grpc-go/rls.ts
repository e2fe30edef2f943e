import type { MessageView } from '../message-view.js';
import { jsonDurationError, nanosOf } from './durations.js';
import { quoted } from './go-text.js';
import { reject, within } from './rejection.js';
import { DEFAULT_SCHEME, SCHEMES, urlScheme } from './target.js';
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
    reject(config, `rls: empty lookup_service in route lookup config ${printed(config)}`, 'lookup_service');
  validateTarget(config, service);
  const [maxAge, staleAge] = ['max_age', 'stale_age'].map((field) => nanosOf(config.message(field)));
  if (staleAge !== 0n && maxAge === 0n) {
    const message = `rls: stale_age is set, but max_age is not in route lookup config ${printed(config)}`;
    reject(config, message, 'stale_age');
  }
  if (config.big('cache_size_bytes') <= 0n) {
    const message = `rls: cache_size_bytes must be set to a non-zero value: ${printed(config)}`;
    reject(config, message, 'cache_size_bytes');
  }
}

function validateTarget(config: MessageView, service: string): void {
  const scheme = urlScheme(service) ?? urlScheme(`${DEFAULT_SCHEME}:///${service}`);
  if (scheme === undefined) reject(config, `rls: invalid target URI in lookup_service ${service}`, 'lookup_service');
  if (!SCHEMES.has(scheme === '' ? DEFAULT_SCHEME : scheme))
    reject(config, `rls: unregistered scheme in lookup_service ${service}`, 'lookup_service');
}

const PREFIX = 'rls: GrpcKeyBuilder in RouteLookupConfig';

function validateKeyBuilders(config: MessageView | undefined, specifier: MessageView): void {
  if (config === undefined || config.count('grpc_keybuilders') === 0)
    reject(config ?? specifier, 'rls: RouteLookupConfig does not contain any GrpcKeyBuilder');
  const all = (): string => `{${printMessages(config.messages('grpc_keybuilders'), 'without unknown')}}`;
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

/** The conversion to JSON has dropped unknown fields. */
function printed(config: MessageView): string {
  return printMessage(config, 'without unknown');
}
