import type { CacheEntry } from '../../core/resource-cache.js';
import { isGoodState } from '../worst-first.js';
import type { GraphNode, NodeState } from './graph.js';

type Given = Pick<GraphNode, 'id' | 'kind' | 'column' | 'title'> & Partial<GraphNode>;

/** A node; fields that are not given have no content. */
export function node(given: Given): GraphNode {
  return {
    resource: null,
    subtitle: '',
    note: '',
    state: 'ok',
    isMissing: false,
    group: given.id,
    depth: 0,
    ...given,
  };
}

/** `9`, `NACKED 10 · 9 kept`, `DOES_NOT_EXIST · no version`, `not requested` */
export function versionText(entry: CacheEntry | undefined): string {
  if (entry === undefined) return 'not requested';
  const { status, version, resource, error } = entry;
  if (isGoodState(status)) return version;
  const rejected = error?.version === undefined || error.version === '' ? '' : ` ${error.version}`;
  if (resource !== undefined) return `${status}${rejected}${version === '' ? '' : ` · ${version} kept`}`;
  return status === 'REQUESTED' ? status : `${status} · no version`;
}

/** The state of a resource that RPCs need, from its cache entry alone. */
export function entryState(entry: CacheEntry | undefined): NodeState {
  if (entry?.resource !== undefined) return isGoodState(entry.status) || entry.status === 'UNKNOWN' ? 'ok' : 'kept-old';
  return entry === undefined || entry.status === 'REQUESTED' ? 'waiting' : 'fails';
}

/** Joins the parts that have content. */
export function joined(...parts: string[]): string {
  return parts.filter((part) => part !== '').join(' · ');
}
