import { xdsCatalogue } from '../../proto/json/catalogue.js';
import { printAny } from '../../proto/json/print.js';
import type { Json } from '../../proto/json/well-known.js';
import { RESOURCE_VALIDATORS } from '../../resources/registry.js';
import { fieldOf, itemsOf, typeNameOf, valueAtSteps } from '../located-value.js';
import { problems, type Rule } from '../rule.js';
import { type Subject, UNDECODABLE, UNREADABLE_NAME } from '../subject.js';

/** Whether the only problem is nesting depth: the JSON printer decodes deeper levels than C-core. */
function isOnlyTooDeep(printed: Json | undefined): boolean {
  const error = fieldOf(printed, '@error');
  return printed !== undefined && (error === undefined || /^nested too deeply/.test(String(error)));
}

/** C-core does not validate the filters of a message that it cannot decode, so only simple filters are certain. */
function hasPlainFilters(manager: Json | undefined): boolean {
  const filters = itemsOf(fieldOf(manager, 'httpFilters'));
  return (
    filters.length > 0 &&
    filters.every((filter) => /\.(Router|HTTPFault)$/.test(typeNameOf(fieldOf(filter, 'typedConfig'))))
  );
}

function nameOf({ result }: Subject): string {
  return result?.name ?? '';
}

/** Whether grpc-java accepts the name: it requires an id after the type and a URI that Java can parse. */
function isJavaName(name: string): boolean {
  if (!name.startsWith('xdstp:')) return true;
  return /^xdstp:\/\/[^/]*\/[^/]+\/./.test(name) && !/[\s"<>\\^`{|}]|%(?![0-9a-fA-F]{2})/.test(name);
}

/** Rules for the whole resource, its wrapper and its name. */
export const WIRE_RULES: readonly Rule[] = [
  {
    code: 'DW01',
    who: { 'grpc-go': 'rejects' },
    when: (subject) => (subject.result !== undefined && nameOf(subject) === '' ? [{ path: '' }] : []),
  },
  {
    code: 'DW02',
    who: { 'grpc-js-xds': 'rejects' },
    when: ({ envelope }) => (envelope !== undefined && envelope.typeUrls.length > 1 ? [{ path: '' }] : []),
  },
  {
    code: 'DW03',
    who: { 'grpc-go': 'rejects', 'grpc-java': 'rejects', 'grpc-js-xds': 'rejects', envoy: 'rejects' },
    when: ({ envelope }) => (envelope?.typeUrls.some((url) => !url.includes('/')) ? [{ path: '' }] : []),
  },
  {
    code: 'DW04',
    who: { 'grpc-java': 'rejects' },
    when: (subject) => (isJavaName(nameOf(subject)) ? [] : [{ path: '' }]),
  },
  {
    code: 'DW50',
    who: { 'grpc-go': 'accepts' },
    when: problems(
      /^$/,
      new RegExp(`^${UNDECODABLE}$`),
      (_, { typeName, bytes, context }) =>
        RESOURCE_VALIDATORS.get(typeName)?.(bytes, context).kind === 'undecodable' &&
        isOnlyTooDeep(printAny(xdsCatalogue, typeName, bytes)),
    ),
  },
  {
    code: 'DW51',
    who: { 'grpc-go': 'accepts' },
    when: problems(/^hcm$/, /^could not parse HttpConnectionManager config$/, ({ steps }, { json }) => {
      const manager = valueAtSteps(json, steps);
      return isOnlyTooDeep(manager) && hasPlainFilters(manager);
    }),
  },
  {
    code: 'DW52',
    who: { 'grpc-go': 'accepts' },
    when: problems(/^$/, new RegExp(`^${UNREADABLE_NAME}$`)),
  },
  {
    code: 'DW53',
    who: { envoy: 'accepts' },
    when: problems(/^$/, new RegExp(`^${UNREADABLE_NAME}$`), (_, subject) =>
      /^xdstp:\/\/[^/]*\/[^/]+\/./.test(nameOf(subject)),
    ),
  },
];
