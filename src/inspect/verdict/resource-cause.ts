import { quotedStatus, statusName } from '../../base/status.js';
import type { ErrorRecord } from '../../core/error-record.js';
import type { CacheEntry } from '../../core/resource-cache.js';
import { isShortType, RESOURCE_TYPES, type ShortType, shortType } from '../../proto/resource-types.js';
import { deleted, missingAdvice, missingCause, missingCode, type RequiredResource } from './missing-resource.js';
import { NOUNS, nodeText, versionText } from './phrases.js';
import { rejectionOf } from './rejection.js';
import { failureCause, lostCause } from './server-cause.js';
import type { Cause, CauseCode, TargetCase } from './verdict.js';

/** The parts of a configuration that need a resource of each type; an aggregate cluster needs clusters, too. */
const NEEDED_BY: Record<ShortType, string> = {
  LDS: 'the target',
  RDS: 'the listener',
  CDS: 'the routes',
  EDS: 'the cluster',
};

/**
 * Returns why a needed resource cannot be used: its servers fail, their response omits it, or the client rejected it.
 * `nameError` is C-core's message for a name that cannot be requested.
 */
export function resourceCause(
  one: TargetCase,
  type: ShortType,
  name: string,
  nameError: string,
  by: string = NEEDED_BY[type],
): Cause {
  const { scope, nodeId } = one;
  const resource = { type, name };
  const needed = { type, name, by };
  const entry = scope.entry(RESOURCE_TYPES[type], name);
  // A name that cannot be requested: it cannot be parsed, or the bootstrap lacks its authority (R3.14).
  if (entry === undefined) {
    const advice = `Correct the name in ${by}, or add its authority to the bootstrap.`;
    // C-core's message without the resource name, which is printed before it, and without the node.
    const why = nameError.replace(`${type} resource ${name}: `, '').replace(/ \(node ID:[^)]*\)$/, '');
    return {
      code: missingCode(type),
      message: `${NOUNS[type]} ${name}: ${why || 'gRPC cannot request it'}`,
      resource,
      server: null,
      advice,
    };
  }
  const authority = scope.authorities.find((found) => found.name === entry.authority);
  const lost = authority && lostCause(authority, nodeId);
  if (lost !== undefined) return { ...lost, resource };
  const { error } = entry;
  if (error === undefined || error.cause === 'timer' || error.cause === 'absence') {
    const active = authority?.servers.find(({ isActive }) => isActive);
    const failed = active && failureCause(active, nodeId);
    if (failed !== undefined) return { ...failed, resource };
    return missingCause(one, entry, needed, (error?.server || active?.uri) ?? '');
  }
  return {
    code: ERROR_CODES[error.cause],
    ...errorText(one, entry, needed, error),
    resource,
    server: error.server || null,
  };
}

const ERROR_CODES: Record<Exclude<ErrorRecord['cause'], 'timer' | 'absence'>, CauseCode> = {
  nack: 'rejected',
  'server-error': 'data-error',
  deletion: 'deleted',
  channel: 'unreachable',
  stream: 'unreachable',
  'bad-name': 'not-in-response',
};

/** Describes the error of a resource and gives advice. `isKept`: an old version stays in use. */
function errorText(
  one: TargetCase,
  entry: CacheEntry,
  needed: RequiredResource,
  error: ErrorRecord,
  isKept = false,
): Pick<Cause, 'message' | 'advice'> {
  const { type, name } = needed;
  const noun = `${NOUNS[type]} ${name}`;
  if (error.cause === 'deletion') return deleted(one, needed, error.server, error.version);
  if (error.cause === 'nack') {
    const { text, advice } = rejectionOf(entry, error);
    const subject = `${type} ${name}${versionText(error.version)} was rejected`;
    return { message: isKept ? `${subject} (${text})` : `${subject}: ${text}`, advice };
  }
  const code = statusName(error.status.code);
  const message = `${noun}: ${quotedStatus(code, error.status.message)}`;
  if (code === 'NOT_FOUND') return { message, advice: missingAdvice(one, needed) };
  const node = nodeText(one.nodeId);
  const isDenied = code === 'PERMISSION_DENIED' || code === 'UNAUTHENTICATED';
  const log = `Read the log of the control plane for ${noun}: it reports ${code} to ${node}.`;
  return { message, advice: isDenied ? `Allow ${node} to read ${noun} in the control plane.` : log };
}

/** `CDS blue version 7 was rejected (…); version 6 stays in use` */
export function keptCause(one: TargetCase, entry: CacheEntry): Cause | undefined {
  const { error, resource, version, typeUrl, name } = entry;
  const type = shortType(typeUrl);
  if (error?.effect !== 'kept' || resource === undefined || !isShortType(type)) return undefined;
  const { message, advice } = errorText(one, entry, { type, name, by: NEEDED_BY[type] }, error, true);
  return {
    code: 'kept-old-version',
    message: `${message}; ${versionText(version).trim() || 'the old version'} stays in use`,
    resource: { type, name },
    server: error.server || null,
    advice,
  };
}
