import type { Millis } from '../base/duration.js';
import { didYouMean } from '../base/nearest.js';
import type { Problems } from '../base/problem.js';
import { duration, isMapping, listOf, oneOf, record, type Shape, text } from '../base/shape.js';
import { STATUS_CODES, type StatusName, statusCode } from '../base/status.js';
import { resourceType } from './read-type.js';
import type { ResourceErrorSpec, ResponseSpec, SentResource, ServedResource, ServedType } from './scenario.js';

/** Resources of a scenario by their keys. */
export type ResourcesByName = ReadonlyMap<string, ServedResource>;

interface WrappedText {
  wrap?: string;
  name?: string;
  version?: string;
  ttl?: Millis;
}

interface ErrorText {
  name?: string;
  code?: StatusName;
  message?: string;
}

export interface ServedTypeText {
  type?: string;
  version?: string;
  resources?: (string | WrappedText)[];
  errors?: ErrorText[];
}

export interface ResponseText extends ServedTypeText {
  nonce?: string;
  padding?: number;
}

const wrapped = record<WrappedText>({ wrap: text, name: text, version: text, ttl: duration });

const resourceKey: Shape<string | WrappedText> = (value, problems) => {
  if (isMapping(value)) return wrapped(value, problems);
  if (typeof value === 'string') return value;
  return problems.add('expected the key of a resource, or {wrap: key} to send it in a Resource wrapper');
};

export const responseFields = {
  type: resourceType,
  version: text,
  resources: listOf(resourceKey),
  errors: listOf(record<ErrorText>({ name: text, code: oneOf(STATUS_CODES), message: text })),
};

/** Large enough to exceed the message size limit of any client. */
const MAX_PADDING = 256 * 1024 * 1024;

const byteCount: Shape<number> = (value, problems) => {
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= MAX_PADDING) return value;
  return problems.add(`expected a whole number of bytes, at most ${MAX_PADDING}`);
};

export const sendFields = { ...responseFields, nonce: text, padding: byteCount };

export function responseFrom(response: ResponseText, lookup: ResourcesByName, problems: Problems): ResponseSpec {
  return { ...servedTypeFrom(response, lookup, problems), nonce: response.nonce, padding: response.padding ?? 0 };
}

export function servedTypeFrom(servedType: ServedTypeText, lookup: ResourcesByName, problems: Problems): ServedType {
  const resources = problems.at('resources', () =>
    (servedType.resources ?? []).map((one, i) => problems.at(i, () => sentResource(one, lookup, problems))),
  );
  return {
    typeUrl: servedType.type ?? '',
    version: servedType.version ?? '1',
    resources: resources.filter((r) => r !== undefined),
    errors: (servedType.errors ?? []).map(errorFrom),
  };
}

function sentResource(
  one: string | WrappedText,
  lookup: ResourcesByName,
  problems: Problems,
): SentResource | undefined {
  const key = typeof one === 'string' ? one : one.wrap;
  const resource = key === undefined ? undefined : lookup.get(key);
  if (key !== undefined && resource === undefined)
    return problems.add(`no resource "${key}"${didYouMean(key, lookup.keys())}`);
  if (typeof one === 'string') return { resource, wrapper: undefined };
  return { resource, wrapper: { name: one.name ?? resource?.name ?? '', version: one.version ?? '', ttl: one.ttl } };
}

function errorFrom(error: ErrorText): ResourceErrorSpec {
  return {
    name: error.name,
    status: error.code === undefined ? undefined : { code: statusCode(error.code), message: error.message ?? '' },
  };
}
