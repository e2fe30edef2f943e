import { firstFew, thousands } from '../../base/count-text.js';
import { apiTypeName } from '../../proto/api-types.js';
import type { ComparedResource, ResourceSet } from '../diff/resource-set.js';
import { hasContents } from './side-resource.js';

const MAX_NAMES = 3;

/**
 * Adds a note on the resources that a client requested and does not have, if the other side does not list them: they are
 * not differences, but may explain why one side has fewer resources.
 */
export function withLackingNote(set: ResourceSet, other: ResourceSet): ResourceSet {
  const listed = new Set(other.resources.map(keyOf));
  const lacking = set.resources.filter((one) => isLacking(one) && !listed.has(keyOf(one)));
  if (lacking.length === 0) return set;
  const names = firstFew(
    lacking,
    MAX_NAMES,
    ({ typeUrl, name, status }) => `${apiTypeName(typeUrl)} ${name} (${status})`,
    (more) => ` and ${thousands(more)} more`,
  );
  return { ...set, notes: [...set.notes, `lacks ${names}`] };
}

/** Only the status of a client says that it lacks a resource. Other documents may just not show the contents. */
function isLacking(one: ComparedResource): boolean {
  const { status, version } = one;
  return status !== undefined && status !== 'ACKED' && version === undefined && !hasContents(one);
}

function keyOf({ typeUrl, name }: ComparedResource): string {
  return `${typeUrl} ${name}`;
}
