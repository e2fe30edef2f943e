import { Problems } from '../base/problem.js';
import { xdsCatalogue } from '../proto/json/catalogue.js';
import { parseAny } from '../proto/json/parse.js';
import type { Json } from '../proto/json/well-known.js';
import { RESOURCE_VALIDATORS } from '../resources/registry.js';
import { fieldOf, isObject, itemsOf, type LocatedValue, valueAt } from './located-value.js';
import { connectionManagers, routes, serverListener } from './resource-parts.js';
import type { Subject } from './subject.js';

const ANY_ADDRESS = { socketAddress: { address: '127.0.0.1', portValue: 1 } };

/**
 * C-core stops validating at some problems where other implementations continue: a listener without an address, a
 * filter without a name, a route that no method matches. Returns the resource without these problems, validated again.
 * Returns the subject itself if it has none of them, and `undefined` if the changed resource cannot be validated.
 */
export function withoutEarlyStops(subject: Subject): Subject | undefined {
  const changes = [...addressEdits(subject), ...filterNameEdits(subject), ...matchEdits(subject)];
  if (changes.length === 0) return subject;
  const copy = { ...subject, json: JSON.parse(JSON.stringify(subject.json)) as Json };
  for (const change of [...addressEdits(copy), ...filterNameEdits(copy), ...matchEdits(copy)]) change();
  const any = parseAny(xdsCatalogue, copy.json, new Problems());
  const validated = any && RESOURCE_VALIDATORS.get(subject.typeName)?.(any.value, subject.context);
  if (any === undefined || validated?.kind !== 'validated') return undefined;
  return { ...copy, bytes: any.value, result: validated.result };
}

type Edit = () => void;

function addressEdits(subject: Subject): Edit[] {
  return serverListener(subject)
    .filter(({ value }) => fieldOf(value, 'address') === undefined)
    .map((listener) => setField(listener, 'address', ANY_ADDRESS));
}

function filterNameEdits(subject: Subject): Edit[] {
  return connectionManagers(subject).flatMap(({ value }) =>
    itemsOf(fieldOf(value, 'httpFilters')).flatMap((filter, index) =>
      fieldOf(filter, 'name') === undefined ? [setField({ path: '', value: filter }, 'name', `filter ${index}`)] : [],
    ),
  );
}

function matchEdits(subject: Subject): Edit[] {
  return routes(subject)
    .filter(({ value }) => itemsOf(valueAt(value, 'match.queryParameters')).length === 0 && isSkipped(value))
    .map(({ value }) => {
      const match = fieldOf(value, 'match') as { [key: string]: Json };
      return () => {
        delete match.path;
        match.prefix = '';
      };
    });
}

function isSkipped(route: Json): boolean {
  const prefix = valueAt(route, 'match.prefix');
  const path = valueAt(route, 'match.path');
  if (typeof prefix === 'string') return prefix !== '' && !/^\/([^/]*|[^/]+\/[^/]*)$/.test(prefix);
  return typeof path === 'string' && !/^\/[^/]+\/[^/]+$/.test(path);
}

function setField({ value }: LocatedValue, name: string, to: Json): Edit {
  return () => {
    if (isObject(value)) value[name] = to;
  };
}
