import { sameBytes } from '../../base/bytes.js';
import { countText, firstFew } from '../../base/count-text.js';
import { getOrAdd } from '../../base/get-or-add.js';
import { apiTypeName } from '../../proto/api-types.js';
import { TYPE_URLS } from '../../proto/resource-types.js';
import { contentChanges } from './content-changes.js';
import type { ComparedResource, ResourceSet } from './resource-set.js';
import type { DifferentFact, ResourceDifference, SetDiff } from './set-diff.js';

export interface SetComparisonOptions {
  /** A different version is a difference. */
  versions: boolean;
}

/** A client has no contents in these states, unless it keeps an older version. */
const WITHOUT_CONTENTS: ReadonlySet<string> = new Set([
  'REQUESTED',
  'DOES_NOT_EXIST',
  'TIMEOUT',
  'NACKED',
  'RECEIVED_ERROR',
]);

/** Further names are counted. */
const MAX_NAMES = 3;

/**
 * Compares two sets of resources, matched by type and name. Takes time in proportion to their size, and decodes only
 * resources whose bytes differ, one pair at a time.
 */
export function compareSets(a: ResourceSet, b: ResourceSet, options: SetComparisonOptions): SetDiff {
  return new SetComparison(a, b, options).diff();
}

class SetComparison {
  readonly #options: SetComparisonOptions;
  readonly #before: ResourceSet;
  readonly #after: ResourceSet;
  readonly #diff: SetDiff;
  #unknownSecrets = 0;

  constructor(before: ResourceSet, after: ResourceSet, options: SetComparisonOptions) {
    this.#options = options;
    this.#before = before;
    this.#after = after;
    const side = ({ label, notes }: ResourceSet) => ({ label, notes, resources: 0 });
    this.#diff = {
      before: side(before),
      after: side(after),
      equal: 0,
      equalByVersion: 0,
      notCompared: [],
      differences: [],
      notes: [],
    };
  }

  diff(): SetDiff {
    const [before, after] = [this.#indexed(this.#before), this.#indexed(this.#after)];
    this.#diff.before.resources = sizeOf(before);
    this.#diff.after.resources = sizeOf(after);
    for (const [typeUrl, resources] of before)
      for (const [name, was] of resources) this.#compare(was, after.get(typeUrl)?.get(name));
    for (const [typeUrl, resources] of after)
      for (const [name, is] of resources) if (before.get(typeUrl)?.has(name) !== true) this.#compare(undefined, is);
    this.#diff.differences.sort(byTypeAndName);
    this.#diff.notCompared.sort(byTypeAndName);
    if (this.#unknownSecrets > 0)
      this.#note(`${countText(this.#unknownSecrets, 'secret')} not compared: a side only has a redacted form.`);
    return this.#diff;
  }

  /** The resources by type URL and name. Of several with the same name, the last one counts, as for a client. */
  #indexed({ resources, label }: ResourceSet): Index {
    const index: Index = new Map();
    const repeated = new Set<string>();
    for (const resource of resources) {
      const { typeUrl, name } = resource;
      const named = getOrAdd(index, typeUrl, () => new Map<string, ComparedResource>());
      if (named.has(name)) repeated.add(`${apiTypeName(typeUrl)} ${name}`);
      named.set(name, resource);
    }
    if (repeated.size > 0) {
      const names = firstFew([...repeated], MAX_NAMES, (one) => one);
      this.#note(`${label} has several resources of the same name, of which the last is compared: ${names}.`);
    }
    return index;
  }

  #note(sentence: string): void {
    this.#diff.notes.push(sentence);
  }

  #compare(before: ComparedResource | undefined, after: ComparedResource | undefined): void {
    const [hasBefore, hasAfter] = [isThere(before), isThere(after)];
    if (before === undefined || after === undefined) {
      // A side that lists a resource which it does not have agrees with a side that does not list it.
      if (hasBefore || hasAfter) this.#add(hasAfter ? 'added' : 'removed', before, after);
      return;
    }
    const status = isKnownDifference(before.status, after.status) ? (['status'] as const) : [];
    if (hasBefore && hasAfter) this.#compareContents(before, after, status);
    else if (hasBefore !== hasAfter) this.#add(hasAfter ? 'added' : 'removed', before, after, status);
    else if (status.length > 0) this.#add('changed', before, after, status);
    else this.#diff.equal++;
  }

  #compareContents(before: ComparedResource, after: ComparedResource, status: readonly DifferentFact[]): void {
    const changes = this.#changesOf(before, after);
    const isUnknown = changes === undefined;
    const hasVersions = before.version !== undefined && after.version !== undefined;
    const version = (this.#options.versions || isUnknown) && hasVersions && before.version !== after.version;
    const facts = [
      ...((changes ?? 0) > 0 ? (['contents'] as const) : []),
      ...(version ? (['version'] as const) : []),
      ...status,
    ];
    if (facts.length > 0) this.#add('changed', before, after, facts, changes);
    else if (isUnknown && !hasVersions) this.#diff.notCompared.push({ typeUrl: before.typeUrl, name: before.name });
    else {
      this.#diff.equal++;
      if (isUnknown) this.#diff.equalByVersion++;
    }
  }

  /** The number of different fields; `undefined` if the contents cannot be compared. */
  #changesOf(before: ComparedResource, after: ComparedResource): number | undefined {
    if (before.bytes !== undefined && after.bytes !== undefined && sameBytes(before.bytes, after.bytes)) return 0;
    const found = contentChanges(before, after);
    if (found === undefined) return undefined;
    this.#unknownSecrets += found.unknownSecrets;
    if (found.changes.length > 0 || found.notes.length === 0) return found.changes.length;
    for (const note of found.notes) this.#note(`${apiTypeName(before.typeUrl)} ${before.name}: ${note}`);
    return undefined;
  }

  #add(
    change: ResourceDifference['change'],
    before: ComparedResource | undefined,
    after: ComparedResource | undefined,
    facts: readonly DifferentFact[] = [],
    changes = 0,
  ): void {
    const { typeUrl, name } = (before ?? after) as ComparedResource;
    this.#diff.differences.push({ typeUrl, name, change, before, after, facts, changes });
  }
}

type Index = Map<string, Map<string, ComparedResource>>;

function sizeOf(index: Index): number {
  return [...index.values()].reduce((sum, { size }) => sum + size, 0);
}

function isThere(resource: ComparedResource | undefined): boolean {
  if (resource === undefined) return false;
  const { status, bytes } = resource;
  if (status === undefined || !WITHOUT_CONTENTS.has(status) || bytes !== undefined) return true;
  return (resource.version ?? '') !== '' || resource.contents() !== undefined;
}

function isKnownDifference(before: string | undefined, after: string | undefined): boolean {
  return before !== undefined && after !== undefined && before !== after;
}

function byTypeAndName(a: { typeUrl: string; name: string }, b: { typeUrl: string; name: string }): number {
  return placeOf(a.typeUrl) - placeOf(b.typeUrl) || compareTexts(a.typeUrl, b.typeUrl) || compareTexts(a.name, b.name);
}

/** Types that gRPC does not subscribe to come last. */
function placeOf(typeUrl: string): number {
  const place = TYPE_URLS.indexOf(typeUrl);
  return place < 0 ? TYPE_URLS.length : place;
}

function compareTexts(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
