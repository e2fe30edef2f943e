import {
  byHand,
  type Load,
  loadArray,
  loadDuration,
  loadObject,
  loadString,
  objectOf,
  optional,
  required,
} from '../base/json/fields.js';
import type { JsonNode } from '../base/json/node.js';
import type { ValidationErrors } from '../base/validation-errors.js';
import type { CallCreds, ChannelCreds, TlsFiles } from './bootstrap.js';
import type { Switches } from './switches.js';

type ObjectNode = Extract<JsonNode, { kind: 'object' }>;

const DEFAULT_REFRESH_MS = 600_000;

/** Channel credentials that C-core supports. */
export const KNOWN_CREDS = ['insecure', 'google_default', 'tls', 'fake'] as const;

interface CredsEntry {
  type: string;
  config: ObjectNode | undefined;
}

const loadEntry: Load<CredsEntry> = objectOf((object, errors) => {
  const type = required(object, 'type', loadString, errors) ?? '';
  return { type, config: optional(object, 'config', loadObject, errors) };
});

/** Returns the first entry of a known type. Validates the config of every entry of a known type. */
export function readChannelCreds(object: ObjectNode, errors: ValidationErrors): ChannelCreds | undefined {
  const list = byHand(object, 'channel_creds', loadArray(loadEntry), errors, true);
  if (list === undefined) return undefined;
  return errors.field('channel_creds', () => {
    let chosen: ChannelCreds | undefined;
    list.forEach((entry, i) => {
      const creds = errors.element(i, () => errors.field('config', () => channelCreds(entry, errors)));
      chosen ??= creds;
    });
    if (chosen === undefined) errors.add('no known creds type found');
    return chosen;
  });
}

function channelCreds({ type, config }: CredsEntry, errors: ValidationErrors): ChannelCreds | undefined {
  if (type === 'tls') {
    const files = readTlsFiles(config, errors, []);
    return files && { type, files };
  }
  const known = KNOWN_CREDS.find((name) => name === type);
  return known === undefined || known === 'tls' ? undefined : { type: known };
}

/** Returns all entries of a known type. */
export function readCallCreds(object: ObjectNode, errors: ValidationErrors): CallCreds[] {
  const list = byHand(object, 'call_creds', loadArray(loadEntry), errors, false) ?? [];
  return errors.field('call_creds', () =>
    list.flatMap((entry, i) => {
      if (entry.type !== 'jwt_token_file') return [];
      const { config } = entry;
      const path = errors.element(i, () =>
        errors.field('config', () => required(config ?? NO_CONFIG, 'jwt_token_file', loadString, errors)),
      );
      return path === undefined ? [] : [{ type: 'jwt_token_file', path }];
    }),
  );
}

const NO_CONFIG: ObjectNode = { kind: 'object', fields: new Map(), start: 0, end: 0 };

/** Reads the files of `tls` credentials and of the file_watcher provider. At least one key of `needed` is required. */
export function readTlsFiles(
  config: ObjectNode | undefined,
  errors: ValidationErrors,
  needed: readonly string[],
): TlsFiles | undefined {
  const object = config ?? NO_CONFIG;
  const before = errors.size;
  const files = {
    certificate: optional(object, 'certificate_file', loadString, errors),
    privateKey: optional(object, 'private_key_file', loadString, errors),
    caCertificate: optional(object, 'ca_certificate_file', loadString, errors),
    spiffeBundleMap: needed.length > 0 ? optional(object, 'spiffe_bundle_map_file', loadString, errors) : undefined,
    refreshIntervalMs: optional(object, 'refresh_interval', loadDuration, errors) ?? DEFAULT_REFRESH_MS,
  };
  // A key with null or an empty string counts as set.
  if (object.fields.has('certificate_file') !== object.fields.has('private_key_file')) {
    errors.add('fields "certificate_file" and "private_key_file" must be both set or both unset');
  }
  if (needed.length > 0 && !needed.some((key) => object.fields.has(key)))
    errors.add(`at least one of ${listed(needed)} must be specified`);
  return errors.size > before ? undefined : files;
}

/** `"a" and "b"`, or `"a", "b", and "c"`. */
function listed(names: readonly string[]): string {
  const quoted = names.map((name) => `"${name}"`);
  return quoted.length === 2 ? quoted.join(' and ') : `${quoted.slice(0, -1).join(', ')}, and ${quoted.at(-1)}`;
}

/** Returns the keys of which a file_watcher requires at least one. */
export function neededFiles(switches: Switches): string[] {
  return switches.mtlsSpiffe
    ? ['certificate_file', 'ca_certificate_file', 'spiffe_bundle_map_file']
    : ['certificate_file', 'ca_certificate_file'];
}
