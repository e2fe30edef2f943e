import { quotedStatus, statusName } from '../../base/status.js';
import type { XdsServer } from '../../bootstrap/bootstrap.js';
import type { CacheEntry } from '../../core/resource-cache.js';
import type { ResourceContext } from '../../resources/context.js';
import { responseValidator } from '../../resources/validate-response.js';
import type { ResourceCell } from './comparison.js';
import type { ObservedRun } from './implementation-run.js';

/** A resource that an implementation does not request. */
export const NOT_REQUESTED: ResourceCell = cellOf('not-requested');

/** What an implementation did with a resource. */
export function resourceCell(scope: string, entry: CacheEntry, run: ObservedRun): ResourceCell {
  const unknown = run.evidence.missingFor(scope, entry);
  if (unknown !== undefined) return cellOf('not-measured', { reason: unknown });
  const { status, error, rejected, bytes, version } = entry;
  if (rejected !== undefined) {
    const nack = error?.status.message ?? '';
    const reason = problemsOf(entry, rejected, run)[0] ?? nack;
    return cellOf('rejected', { status, reason, nack, version: error?.version ?? null });
  }
  if (bytes !== undefined && entry.resource !== undefined)
    return cellOf('accepted', { status, version, ignored: ignoredParts(entry, bytes, run) });
  if (status === 'REQUESTED') return cellOf('waiting', { status });
  return cellOf('missing', { status, reason: error === undefined ? null : errorText(error.status) });
}

function cellOf(verdict: ResourceCell['verdict'], facts: Partial<ResourceCell> = {}): ResourceCell {
  return { verdict, status: null, version: null, reason: null, nack: null, ignored: [], ...facts };
}

function errorText({ code, message }: { code: number; message: string }): string {
  return quotedStatus(statusName(code), message);
}

/** The problems of a rejected version, as `validate` prints them. Empty if it cannot be decoded. */
function problemsOf(entry: CacheEntry, bytes: Uint8Array, run: ObservedRun): string[] {
  const result = validated(entry, bytes, run)?.result;
  if (result === undefined || result.ok) return [];
  const texts = result.problems.map(({ path, reason }) => (path === '' ? reason : `${path}: ${reason}`));
  return texts.length > 1 ? [`${texts[0]} (and ${texts.length - 1} more)`] : texts;
}

function ignoredParts(entry: CacheEntry, bytes: Uint8Array, run: ObservedRun): ResourceCell['ignored'] {
  const ignored = validated(entry, bytes, run)?.result?.ignored ?? [];
  return ignored.map(({ path, reason }) => ({ path, reason }));
}

/** The cache keeps what gRPC uses of a resource. Validating it again shows the rest. */
function validated({ typeUrl, server, error }: CacheEntry, value: Uint8Array, run: ObservedRun) {
  const { context } = run.result;
  const trustedServer = isTrusted(error?.server ?? server, run);
  const whole: ResourceContext = { ...context, trustedServer };
  return responseValidator(typeUrl, whole).validate({ typeUrl, value }, 0);
}

function isTrusted(uri: string | undefined, { bootstrap }: ObservedRun): boolean {
  const all: readonly XdsServer[] = [
    ...bootstrap.servers,
    ...[...bootstrap.authorities.values()].flatMap(({ servers }) => servers),
  ];
  return all.some((server) => server.uri === uri && server.features.has('trusted_xds_server'));
}
