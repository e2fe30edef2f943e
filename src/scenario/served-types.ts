import { sameBytes } from '../base/bytes.js';
import type { ServedResource, ServedType } from './scenario.js';

/** Groups resources by type. A type with changed resources gets the next version; other types keep their version. */
export function servedTypes(resources: readonly ServedResource[], before: readonly ServedType[]): ServedType[] {
  const types = new Set([...resources.map((r) => r.typeUrl), ...before.map((h) => h.typeUrl)]);
  return [...types].map((typeUrl) => {
    const old = before.find((h) => h.typeUrl === typeUrl);
    const mine = resources.filter((r) => r.typeUrl === typeUrl);
    if (old !== undefined && isSameSet(old, mine)) return old;
    const version = String(Number(old?.version ?? 0) + 1);
    return { typeUrl, version, errors: [], resources: mine.map((resource) => ({ resource, wrapper: undefined })) };
  });
}

function isSameSet(old: ServedType, resources: readonly ServedResource[]): boolean {
  const before = new Map(old.resources.map(({ resource }) => [resource?.name, resource]));
  return (
    before.size === resources.length &&
    resources.every((r) => before.has(r.name) && sameBytes(before.get(r.name)?.value ?? NOTHING, r.value))
  );
}

const NOTHING = new Uint8Array(0);
