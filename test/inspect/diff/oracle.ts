import { readdirSync, readFileSync } from 'node:fs';
import type { Change, ResourceDiff } from '../../../src/inspect/diff/diff.js';
import type { Step } from '../../../src/inspect/diff/path.js';
import { xdsCatalogue } from '../../../src/proto/json/catalogue.js';
import { printAny } from '../../../src/proto/json/print.js';
import { TYPE_URLS } from '../../../src/proto/resource-types.js';

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** Lists whose order does not matter, by the last fields of their path. Written independently of the code under test. */
const UNORDERED = /(^|\.)(virtualHosts|domains|endpoints|lbEndpoints|filterChains|weightedClusters\.clusters)$/;

/** Rebuilds a value; `onList` may reorder an unordered list, `onKeys` the keys of an object. */
export function rebuilt(
  value: Json,
  onList: (list: Json[]) => Json[],
  onKeys: (keys: string[]) => string[],
  path = '',
): Json {
  if (Array.isArray(value)) {
    const list = value.map((one) => rebuilt(one, onList, onKeys, path));
    return UNORDERED.test(path) ? onList(list) : list;
  }
  if (typeof value !== 'object' || value === null) return value;
  const entries = onKeys(Object.keys(value)).map((key) => [
    key,
    rebuilt(value[key] as Json, onList, onKeys, `${path}.${key}`),
  ]);
  return Object.fromEntries(entries);
}

/** The same text for equal resources. */
export function canonical(value: Json): string {
  const sortedByText = (list: Json[]): Json[] =>
    list
      .map((one) => ({ one, text: JSON.stringify(one) }))
      .sort((a, b) => (a.text < b.text ? -1 : 1))
      .map(({ one }) => one);
  return JSON.stringify(rebuilt(value, sortedByText, (keys) => keys.sort()));
}

/** The changes without texts, in an order of their own; `isMirrored` exchanges before and after. */
export function comparable({ changes }: ResourceDiff, isMirrored: boolean): string[] {
  const kinds = { added: 'removed', removed: 'added', changed: 'changed', moved: 'moved' } as const;
  const step = (one: Step): unknown =>
    'before' in one ? (isMirrored ? [one.after, one.before] : [one.before, one.after]) : one;
  const text = ({ steps, kind, before, after }: Change): string =>
    JSON.stringify([
      steps.map(step),
      isMirrored ? kinds[kind] : kind,
      ...(isMirrored ? [after, before] : [before, after]).map((value) => value ?? 'none'),
    ]);
  return changes.map(text).sort();
}

/** The resources of the conformance fixtures, as `get -o json` prints them. */
export function fixtureResources(): { [key: string]: Json }[] {
  const folder = new URL('../../../fixtures/resources/', import.meta.url);
  const files = readdirSync(folder).filter((file) => file.startsWith('c-core'));
  const cases = files.flatMap((file) => JSON.parse(readFileSync(new URL(file, folder), 'utf8')).cases as Case[]);
  return cases.flatMap(({ response }) =>
    response
      .filter(({ type_url }) => TYPE_URLS.includes(type_url))
      .map(
        ({ type_url, bytes }) =>
          printAny(xdsCatalogue, type_url, Buffer.from(bytes, 'base64')) as { [key: string]: Json },
      ),
  );
}

interface Case {
  response: { type_url: string; bytes: string }[];
}
