import {
  byHand,
  type Load,
  loadArray,
  loadBoolean,
  loadDuration,
  loadInt64,
  loadList,
  loadMap,
  loadString,
  objectOf,
  optional,
  required,
} from '../../base/json/fields.js';
import type { JsonNode, ObjectNode } from '../../base/json/node.js';
import type { ValidationErrors } from '../../base/validation-errors.js';
import { isValidTarget } from '../common/target-uri.js';

/** The target that C-core uses to validate child policies if there is no default target. */
const PLACEHOLDER = 'fake_target_field_value';

interface KeyBuilder {
  paths: string[];
}

/** Validates the config of the RLS policy. `parseList` validates its child policies. */
export function loadRls(
  config: ObjectNode,
  errors: ValidationErrors,
  interfaces: ReadonlyMap<string, number>,
  parseList: (list: JsonNode, interfaces: ReadonlyMap<string, number>) => string | undefined,
): void {
  const lookup = required(config, 'routeLookupConfig', loadLookupConfig(interfaces), errors);
  const serviceConfig = config.fields.get('routeLookupChannelServiceConfig')?.node;
  if (serviceConfig !== undefined && serviceConfig.kind !== 'object') {
    errors.field('routeLookupChannelServiceConfig', () => errors.add('is not an object'));
  }
  const field = required(config, 'childPolicyConfigTargetFieldName', loadString, errors);
  if (field === '') errors.field('childPolicyConfigTargetFieldName', () => errors.add('must be non-empty'));
  errors.field('childPolicy', () => {
    const child = config.fields.get('childPolicy')?.node;
    if (child === undefined) return errors.add('field not present');
    const withTarget = insertTarget(child, field ?? '', lookup?.defaultTarget || PLACEHOLDER, errors);
    const problem = withTarget && parseList(withTarget, interfaces);
    return problem === undefined ? undefined : errors.add(problem);
  });
}

/** Sets the target in every policy of the list, as C-core does for each new target. */
function insertTarget(list: JsonNode, field: string, target: string, errors: ValidationErrors): JsonNode | undefined {
  if (list.kind !== 'array') return errors.add('is not an array');
  const before = errors.size;
  const elements = list.elements.map((entry, i) =>
    errors.element(i, (): JsonNode => {
      if (entry.kind !== 'object') {
        errors.add('is not an object');
        return entry;
      }
      const [policy] = entry.fields;
      if (policy === undefined || entry.fields.size !== 1) {
        errors.add('child policy object contains more than one field');
        return entry;
      }
      const [name, { node: config }] = policy;
      if (config.kind !== 'object') {
        errors.entry(name, () => errors.add('child policy config is not an object'));
        return entry;
      }
      const value: JsonNode = { kind: 'string', value: target, start: 0, end: 0 };
      const fields = new Map(config.fields).set(field, { start: 0, node: value });
      return { ...entry, fields: new Map([[name, { start: 0, node: { ...config, fields } }]]) };
    }),
  );
  return errors.size > before ? undefined : { ...list, elements };
}

function loadLookupConfig(interfaces: ReadonlyMap<string, number>): Load<{ defaultTarget: string }> {
  return objectOf((config, errors) => {
    const lookupService = required(config, 'lookupService', loadString, errors);
    optional(config, 'lookupServiceTimeout', loadDuration, errors);
    optional(config, 'maxAge', loadDuration, errors);
    optional(config, 'staleAge', loadDuration, errors);
    const cacheSize = required(config, 'cacheSizeBytes', loadInt64, errors);
    const defaultTarget = optional(config, 'defaultTarget', loadString, errors);
    const builders = byHand(config, 'grpcKeybuilders', loadArray(loadKeyBuilder), errors, true) ?? [];
    checkPaths(builders, errors);
    if (lookupService !== undefined && !isValidTarget(lookupService, interfaces)) {
      errors.field('lookupService', () => errors.add('must be valid gRPC target URI'));
    }
    if (config.fields.has('staleAge') && !config.fields.has('maxAge')) {
      errors.field('maxAge', () => errors.add('must be set if staleAge is set'));
    }
    if (cacheSize !== undefined && cacheSize <= 0n) {
      errors.field('cacheSizeBytes', () => errors.add('must be greater than 0'));
    }
    if (config.fields.has('defaultTarget') && (defaultTarget ?? '') === '') {
      errors.field('defaultTarget', () => errors.fieldHasErrors || errors.add('must be non-empty if set'));
    }
    return { defaultTarget: defaultTarget ?? '' };
  });
}

/** Reports an error for two key builders with the same path. */
function checkPaths(builders: KeyBuilder[], errors: ValidationErrors): void {
  const seen = new Set<string>();
  for (const [i, { paths }] of builders.entries()) {
    for (const path of paths) {
      if (seen.has(path)) {
        errors.field('grpcKeybuilders', () => errors.element(i, () => errors.add(`duplicate entry for "${path}"`)));
      }
      seen.add(path);
    }
  }
}

const loadName: Load<string> = objectOf((name, errors) => {
  const service = required(name, 'service', loadString, errors) ?? '';
  return `/${service}/${optional(name, 'method', loadString, errors) ?? ''}`;
});

const loadHeader: Load<string> = objectOf((header, errors) => {
  const key = required(header, 'key', loadString, errors);
  const names = required(header, 'names', loadList(loadString, ''), errors);
  if (key === '') errors.field('key', () => errors.add('must be non-empty'));
  errors.field('names', () => {
    if (names?.length === 0 && !errors.fieldHasErrors) errors.add('must be non-empty');
    for (const [i, name] of (names ?? []).entries()) {
      if (name === '') errors.element(i, () => errors.fieldHasErrors || errors.add('must be non-empty'));
    }
  });
  if (optional(header, 'requiredMatch', loadBoolean, errors) !== undefined) {
    errors.field('requiredMatch', () => errors.add('must not be present'));
  }
  return key ?? '';
});

const EXTRA_KEYS = ['host', 'service', 'method'] as const;

const loadExtraKeys: Load<Map<string, string>> = objectOf((object, errors) => {
  const keys = new Map<string, string>();
  for (const name of EXTRA_KEYS) {
    const key = optional(object, name, loadString, errors);
    if (key === '') errors.field(name, () => errors.add('must be non-empty if set'));
    if (key !== undefined) keys.set(name, key);
  }
  return keys;
});

const loadKeyBuilder: Load<KeyBuilder> = objectOf((builder, errors) => {
  const names = required(builder, 'names', loadList(loadName, '//'), errors);
  const headers = optional(builder, 'headers', loadArray(loadHeader), errors) ?? [];
  const extraKeys = optional(builder, 'extraKeys', loadExtraKeys, errors) ?? new Map<string, string>();
  optional(builder, 'constantKeys', loadMap(loadString), errors);
  const constants = keysOf(builder.fields.get('constantKeys')?.node);
  if (names?.length === 0) errors.field('names', () => errors.fieldHasErrors || errors.add('must be non-empty'));
  if (constants.includes('')) {
    errors.field('constantKeys', () => errors.entry('', () => errors.add('key must be non-empty')));
  }
  checkKeys(headers, constants, extraKeys, errors);
  return { paths: names ?? [] };
});

/** C-core checks keys for duplicates even if their values are invalid. */
function keysOf(node: JsonNode | undefined): string[] {
  return node?.kind === 'object' ? [...node.fields.keys()] : [];
}

/** Reports an error for a key that is built more than once. */
function checkKeys(
  headers: string[],
  constants: string[],
  extraKeys: ReadonlyMap<string, string>,
  errors: ValidationErrors,
): void {
  const seen = new Set<string>();
  const check = (key: string): void => {
    if (key !== '' && seen.has(key)) errors.add(`duplicate key "${key}"`);
    seen.add(key);
  };
  for (const [i, key] of headers.entries()) {
    errors.segment(`.headers[${i}].key`, ['headers', i, 'key'], () => check(key));
  }
  for (const key of constants) errors.segment(`.constantKeys["${key}"]`, ['constantKeys', key], () => check(key));
  for (const [name, key] of extraKeys) errors.segment(`.extraKeys.${name}`, ['extraKeys', name], () => check(key));
}
