import { xdsCatalogue } from '../../proto/json/catalogue.js';
import { printAny } from '../../proto/json/print.js';
import type { Json } from '../../proto/json/well-known.js';
import { RESOURCE_VALIDATORS } from '../../resources/registry.js';
import { fieldOf, itemsOf, typeNameOf, valueAtSteps } from '../located-value.js';
import { problems, type Rule } from '../rule.js';
import { type Subject, UNDECODABLE, UNREADABLE_NAME } from '../subject.js';

/** The reader for people goes deeper than C-core, so what it can show was only nested too deeply. */
function isOnlyTooDeep(printed: Json | undefined): boolean {
  const error = fieldOf(printed, '@error');
  return printed !== undefined && (error === undefined || /^nested too deeply/.test(String(error)));
}

/** C-core says nothing about the filters of what it cannot read. */
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

/** grpc-java wants an id behind the type, and a URI that Java can read. */
function isJavaName(name: string): boolean {
  if (!name.startsWith('xdstp:')) return true;
  return /^xdstp:\/\/[^/]*\/[^/]+\/./.test(name) && !/[\s"<>\\^`{|}]|%(?![0-9a-fA-F]{2})/.test(name);
}

/** The whole resource, how it is wrapped, and its name. */
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
