import { formatMillis } from '../../base/duration.js';
import type { ShortType } from '../../proto/resource-types.js';

export const NOUNS: Record<ShortType, string> = { LDS: 'listener', RDS: 'routes', CDS: 'cluster', EDS: 'endpoints' };

const MAX_NAMES = 3;

/** `"a", "b" (and 3 more)` */
export function namesText(names: readonly string[]): string {
  const shown = names.slice(0, MAX_NAMES).map((name) => `"${name}"`);
  return `${shown.join(', ')}${moreText(names.length - MAX_NAMES)}`;
}

/** ` (and 3 more)` */
export function moreText(count: number): string {
  return count > 0 ? ` (and ${count} more)` : '';
}

/** `node "web-3"` */
export function nodeText(nodeId: string | undefined): string {
  return nodeId === undefined || nodeId === '' ? 'this client (without a node id)' : `node "${nodeId}"`;
}

/** ` version 5`, or nothing if the control plane sends no versions. */
export function versionText(version: string | undefined): string {
  return version === undefined || version === '' ? '' : ` version ${version}`;
}

/** Formats a waiting time; in whole seconds from one second on. */
export function waitedText(ms: number): string {
  return formatMillis(ms).replace(/^(\d+)\.\d s$/, () => `${Math.round(ms / 1000)} s`);
}

/** `10 %`; never `0 %` for a share above 0. */
export function percentText(share: number): string {
  const rounded = Math.round(share * 1000) / 10;
  return rounded === 0 ? 'less than 0.1 %' : `${rounded} %`;
}
