import { sameBytes } from '../../base/bytes.js';
import { countText, firstFew } from '../../base/count-text.js';
import { apiTypeName } from '../../proto/api-types.js';
import { diffResources } from '../diff/diff.js';
import type { ComparedResource } from '../diff/resource-set.js';
import { hasContents } from './side-resource.js';

/** The resources of one file, client_scope or client of a side. */
export interface SidePart {
  /** In messages: `clusters/blue.yaml`, `client_scope xds:///orders`. */
  name: string;
  resources: readonly ComparedResource[];
}

/** A resource that several parts have, with different contents. */
interface Conflict {
  resource: ComparedResource;
  /** The first part is the one whose resource is compared. */
  parts: string[];
}

const MAX_CONFLICTS = 5;

/** Merges the parts of a side: one resource per type and name, the first one that has contents. */
export function mergeParts(parts: readonly SidePart[]): { resources: ComparedResource[]; notes: string[] } {
  const merged = new Map<string, { resource: ComparedResource; part: string }>();
  const conflicts = new Map<string, Conflict>();
  for (const { name: part, resources } of parts) {
    for (const resource of resources) {
      const key = `${resource.typeUrl} ${resource.name}`;
      const first = merged.get(key);
      if (first === undefined || (!hasContents(first.resource) && hasContents(resource))) {
        merged.set(key, { resource, part });
      } else if (hasContents(resource) && !isSame(first.resource, resource)) {
        const conflict = conflicts.get(key) ?? { resource: first.resource, parts: [first.part] };
        if (!conflict.parts.includes(part)) conflict.parts.push(part);
        conflicts.set(key, conflict);
      }
    }
  }
  return { resources: [...merged.values()].map(({ resource }) => resource), notes: notesOn([...conflicts.values()]) };
}

/** Whether two resources of one type and name are equal, whatever the order of their parts. */
function isSame(a: ComparedResource, b: ComparedResource): boolean {
  if (a.bytes !== undefined && b.bytes !== undefined && sameBytes(a.bytes, b.bytes)) return true;
  return diffResources(a.contents(), b.contents(), a.typeUrl).changes.length === 0;
}

function notesOn(conflicts: readonly Conflict[]): string[] {
  const notes = conflicts.slice(0, MAX_CONFLICTS).map(({ resource, parts }) => {
    const what = `${apiTypeName(resource.typeUrl)} ${resource.name}`;
    const [first = '', ...others] = parts;
    if (others.length === 0)
      return `${what} occurs more than once in ${first}, with different contents: the first one is compared`;
    return `${what} differs between ${firstFew([first, ...others], 3, (one) => one)}: the one of ${first} is compared`;
  });
  const more = conflicts.length - MAX_CONFLICTS;
  return more > 0 ? [...notes, `${countText(more, 'more resource')} with different contents in several places`] : notes;
}
