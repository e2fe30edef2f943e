import { statusName } from '../../base/status.js';
import type { CacheEntry } from '../../core/resource-cache.js';
import type { PastEntry } from '../../inspect/history/session-history.js';
import { resourceDetail } from '../../inspect/resource-detail.js';
import { shortType } from '../../proto/resource-types.js';
import { type Bars, BarsBuilder } from './bars.js';
import type { MarkKind, SpanState } from './track.js';

/** A resource over time: a bar for each version, and marks for NACKs and errors. */
export function resourceBars(past: readonly PastEntry[], end: number): Bars {
  const bars = new BarsBuilder();
  let last: CacheEntry | undefined;
  for (const { at, entry } of past) {
    if (entry === undefined) bars.gap(at);
    else {
      // Contents may change under the same version, and an error may happen again.
      if (last !== undefined && (last.resource !== entry.resource || last.error !== entry.error)) bars.gap(at);
      bars.begin(at, stateOf(entry), barText(entry));
      const { error } = entry;
      if (error !== undefined && error !== last?.error)
        bars.mark(Number.isFinite(error.at) ? error.at : at, markOf(error.cause), errorText(entry));
    }
    last = entry;
  }
  return bars.finish(end);
}

function stateOf({ resource, status, error }: CacheEntry): SpanState {
  if (resource === undefined) return status === 'REQUESTED' ? 'pending' : 'missing';
  return error === undefined ? 'cached' : 'kept';
}

function markOf(cause: string): MarkKind {
  return cause === 'nack' ? 'nack' : 'error';
}

function barText(entry: CacheEntry): string {
  const { typeUrl, resource, status, version, error } = entry;
  if (resource === undefined) return status === 'REQUESTED' ? 'requested' : errorText(entry);
  if (error !== undefined) return errorText(entry);
  const shown = version === '' ? 'no version' : version;
  return shortType(typeUrl) === 'EDS' ? `${shown} · ${resourceDetail(resource)}` : shown;
}

/** `NACK 10 · version 9 kept`, `RECEIVED_ERROR · PERMISSION_DENIED: … · no version`. */
function errorText({ resource, status, version, error }: CacheEntry): string {
  const parts: string[] = [];
  if (error?.cause === 'nack') parts.push(`NACK ${error.version ?? ''}`.trim());
  else
    parts.push(status, ...(error === undefined ? [] : [`${statusName(error.status.code)}: ${error.status.message}`]));
  parts.push(resource === undefined ? 'no version' : `version ${version} kept`);
  return parts.join(' · ');
}

/** The version in use, and the rejected one in brackets: `9 (10)`. */
export function versionsText({ resource, version, error, status }: CacheEntry): string {
  const rejected = error?.version === undefined || error.version === version ? '' : `(${error.version})`;
  if (resource !== undefined) return [version === '' ? '–' : version, rejected].filter((part) => part !== '').join(' ');
  return status === 'REQUESTED' ? 'requested' : status === 'NACKED' ? rejected || 'error' : 'error';
}
