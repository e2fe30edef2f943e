import { didYouMean } from '../../base/nearest.js';
import type { Problems } from '../../base/problem.js';
import { isMapping, mapOf, oneOf, record, type ShapeValue } from '../../base/shape.js';
import { STATUS_CODES } from '../../base/status.js';
import { CACHE_STATUSES, type CacheStatus } from '../../core/cache-status.js';
import { RESOURCE_TYPES } from '../../proto/resource-types.js';
import { countRule } from './count-rule.js';
import type { EndpointHealth, ExpectedFact, Match, ResourceKey } from './expectations.js';
import { parseFieldPath } from './field-path.js';
import { impossiblePath } from './field-type.js';
import { match, textMatch } from './read-match.js';

const TYPES = Object.keys(RESOURCE_TYPES);

const state = oneOf(CACHE_STATUSES);
const errorShape = record({ code: oneOf(STATUS_CODES), message: textMatch });
const error: typeof errorShape = (value, problems) =>
  errorShape(typeof value === 'string' ? { code: value } : value, problems);
const resourceShape = record({
  status: state,
  version: textMatch,
  error,
  fields: mapOf(match),
  endpoints: record({ healthy: countRule, draining: countRule, unhealthy: countRule, total: countRule }),
});

/** Reads `CDS/blue: ACKED`, or a mapping. */
const resource: typeof resourceShape = (value, problems) => {
  if (isMapping(value) && Object.keys(value).length === 0) problems.add('expected at least one key, such as status');
  if (typeof value !== 'string') return resourceShape(value, problems);
  const status = state(value, problems);
  return status === undefined ? undefined : { status };
};

export const resources = mapOf(resource);

/** Adds an expectation; `path` is relative to the key of the resource. */
type AddExpectation = (what: ExpectedFact, path: readonly string[]) => void;

/** Adds all expectations of one resource. */
export function resourceExpectations(
  key: string,
  wanted: ShapeValue<typeof resource>,
  problems: Problems,
  add: AddExpectation,
): void {
  const resource = readKey(key, problems);
  if (resource === undefined) return;
  const { status, version, error, fields = new Map<string, Match>(), endpoints } = wanted;
  if (status !== undefined) add({ kind: 'status', resource, status, isNot: false }, ['status']);
  if (version !== undefined) add({ kind: 'version', resource, match: version, isNot: false }, ['version']);
  if (error !== undefined) errorExpectation(resource, status, error, problems, add);
  for (const [text, wantedValue] of fields) {
    const path = problems.at('fields', () => problems.at(text, () => readPath(text, resource, problems)));
    if (path !== undefined) add({ kind: 'field', resource, path, match: wantedValue }, ['fields', text]);
  }
  if (endpoints !== undefined && resource.type !== 'EDS')
    problems.at('endpoints', () => problems.add('only an EDS resource has endpoints'));
  for (const [health, count] of Object.entries(endpoints ?? {}))
    add({ kind: 'endpoints', resource, health: health as EndpointHealth, count }, ['endpoints', health]);
}

function errorExpectation(
  resource: ResourceKey,
  status: CacheStatus | undefined,
  wanted: ShapeValue<typeof error>,
  problems: Problems,
  add: AddExpectation,
): void {
  if (status === 'ACKED' || status === 'REQUESTED') {
    problems.at('error', () => problems.add(`a resource that is ${status} has no error`));
    return;
  }
  if (Object.keys(wanted).length === 0)
    problems.at('error', () => problems.add('expected a code, or a mapping with code and message'));
  const { code, message } = wanted;
  add({ kind: 'error', resource, status: status ?? 'RECEIVED_ERROR', code, message }, ['error']);
}

function readKey(key: string, problems: Problems): ResourceKey | undefined {
  const slash = key.indexOf('/');
  const type = slash < 0 ? key : key.slice(0, slash);
  const name = slash < 0 ? '' : key.slice(slash + 1);
  if (TYPES.includes(type) && name !== '') return { type: type as ResourceKey['type'], name };
  const hint = TYPES.includes(type) ? '' : didYouMean(type, TYPES);
  problems.add(`expected a type and a name, as in CDS/blue; types are ${TYPES.join(', ')}${hint}`);
  return undefined;
}

function readPath(text: string, { type }: ResourceKey, problems: Problems): ReturnType<typeof parseFieldPath> {
  const path = parseFieldPath(text);
  if (path === undefined) {
    problems.add('expected a path to a field, such as virtual_hosts[0].routes[0].route.cluster');
    return undefined;
  }
  const problem = impossiblePath(RESOURCE_TYPES[type], path);
  if (problem !== undefined) problems.add(problem);
  return problem === undefined ? path : undefined;
}
