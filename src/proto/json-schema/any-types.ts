import { API_TYPES } from '../api-types.js';
import type { Catalogue } from '../json/catalogue.js';
import { typeNameOf } from '../json/type-name.js';
import { hasCustomJson } from '../json/well-known.js';

/** Packages of resources, of extensions and of their configs. */
const PACKAGES = /^(envoy\.(config|extensions|type|watchdog)|xds\.(core|type)|udpa\.type|grpc\.lookup)\./;

const EXTENSIONS = 'envoy.extensions.';

/** Messages that an Any contains although fields contain them too: of ADS, and of the metadata that gRPC reads. */
const ALSO_IN_FIELDS = ['envoy.service.discovery.v3.Resource', 'envoy.config.core.v3.Address'];

/**
 * The messages that an Any may contain: resources, extensions, messages that no field contains, and the well-known types
 * with their own JSON. Other messages are valid in an Any too, but no API uses them so.
 */
export function anyTypes(catalogue: Catalogue): string[] {
  const names = [...catalogue.messageNames()].filter((name) => !isNested(name));
  const inFields = fieldTypes(catalogue);
  const resources = new Set([...Object.values(API_TYPES).map(typeNameOf), ...ALSO_IN_FIELDS]);
  return names.filter((name) => {
    if (resources.has(name) || hasCustomJson(name)) return true;
    return PACKAGES.test(name) && (name.startsWith(EXTENSIONS) || !inFields.has(name));
  });
}

/** Packages are in lower case; the message in a message follows a name that is not. */
export function isNested(name: string): boolean {
  return /\.[A-Z]\w*\./.test(name);
}

function fieldTypes(catalogue: Catalogue): Set<string> {
  const found = new Set<string>();
  for (const name of catalogue.messageNames()) {
    for (const { type } of catalogue.message(name)?.byNumber.values() ?? [])
      if (type.kind === 'message') found.add(type.name);
  }
  return found;
}
