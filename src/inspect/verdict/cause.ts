import { nearest } from '../../base/nearest.js';
import { statusName } from '../../base/status.js';
import type { ErrorRecord } from '../../core/error-record.js';
import type { CacheEntry } from '../../core/resource-cache.js';
import { isShortType, RESOURCE_TYPES, type ShortType, shortType } from '../../proto/resource-types.js';
import type { Answer } from './facts.js';
import { statusText } from './failure.js';
import { listsOthersOnly, noListener } from './listener.js';
import { rejectionOf } from './rejection.js';
import { failureCause, lostCause, silentCause } from './server.js';
import type { Case, Cause, CauseCode } from './verdict.js';
import { NOUNS, nodeText } from './words.js';

/** Why a needed resource cannot be used: its servers, what they responded, or what this client made of the response. */
export function resourceCause(one: Case, type: ShortType, name: string, otherwise: string): Cause {
  const { scope, nodeId } = one;
  const resource = { type, name };
  const entry = scope.entry(RESOURCE_TYPES[type], name);
  // A name that cannot be requested: it cannot be parsed, or the bootstrap lacks its authority (R3.14).
  if (entry === undefined) {
    const advice = `Correct the name of ${NOUNS[type]} ${name}, or add its authority to the bootstrap.`;
    return { code: absentCode(type), message: otherwise, resource, server: null, advice };
  }
  const authority = scope.authorities.find((found) => found.name === entry.authority);
  const lost = authority && lostCause(authority, nodeId);
  if (lost !== undefined) return { ...lost, resource };
  const { error } = entry;
  if (error === undefined || error.cause === 'timer' || error.cause === 'absence') {
    const active = authority?.servers.find(({ isActive }) => isActive);
    const failed = active && failureCause(active, nodeId);
    if (failed !== undefined) return { ...failed, resource };
    return absentCause(one, entry, type, (error?.server || active?.uri) ?? '');
  }
  const { text, advice } = errorText(one, entry, error);
  return { code: ERROR_CODES[error.cause], message: text, resource, server: error.server || null, advice };
}

/** A listener is what the target names, so its absence has a code of its own. */
function absentCode(type: ShortType): CauseCode {
  return type === 'LDS' ? 'no-listener' : 'not-in-response';
}

const ERROR_CODES: Record<Exclude<ErrorRecord['cause'], 'timer' | 'absence'>, CauseCode> = {
  nack: 'rejected',
  'server-error': 'data-error',
  deletion: 'deleted',
  channel: 'unreachable',
  stream: 'unreachable',
  'bad-name': 'not-in-response',
};

/** Tells a server that deleted a resource from one that answered without it, and from one that did not answer. */
function absentCause(one: Case, { typeUrl, name, askedAt }: CacheEntry, type: ShortType, server: string): Cause {
  const { scope, facts, now } = one;
  const resource = { type, name };
  const noun = `${NOUNS[type]} ${name}`;
  const absent = { code: absentCode(type), resource, server: server === '' ? null : server };
  // CSDS says that a resource is absent, but not why.
  if (server === '') return { ...absent, message: `${noun} does not exist`, advice: absentAdvice(one, type, name) };
  const deletion = facts.deletion(scope.scope, typeUrl, name);
  if (deletion?.server === server) {
    const { text, advice } = deletedText(one, type, name, server, deletion.version);
    return { ...absent, code: 'deleted', message: text, advice };
  }
  const answer = facts.answer(scope.scope, server, typeUrl, askedAt);
  const listed = type === 'LDS' ? facts.listeners(scope.scope, server) : undefined;
  if (type === 'LDS' && (answer !== undefined || listsOthersOnly(listed, name))) {
    return { ...absent, ...noListener(one, name, server, { answer, listed }) };
  }
  return answer === undefined
    ? { ...silentCause(one, server, { type, noun }, now - askedAt), resource }
    : { ...absent, message: missingText(noun, name, server, answer), advice: absentAdvice(one, type, name) };
}

function deletedText(one: Case, type: ShortType, name: string, server: string, version: string | undefined) {
  const noun = `${NOUNS[type]} ${name}`;
  const sent = version === undefined ? 'a response' : `version ${version}`;
  return {
    text: `${noun} was deleted: ${server} sent ${sent} without it`,
    advice: `Serve ${noun} to ${nodeText(one.nodeId)} again, or remove what refers to it first.`,
  };
}

function absentAdvice({ nodeId }: Case, type: ShortType, name: string): string {
  const user = {
    LDS: 'dial another name',
    RDS: 'name other routes in the listener',
    CDS: 'remove it from the routes',
    EDS: 'correct eds_cluster_config of the cluster',
  };
  return `Serve ${NOUNS[type]} ${name} to ${nodeText(nodeId)}, or ${user[type]}.`;
}

function missingText(noun: string, name: string, server: string, { version, names }: Answer): string {
  const near = nearest(name, names);
  const instead = near === undefined ? '' : ` (it serves "${near}")`;
  return `${noun}: ${server} answered version ${version} without it${instead}`;
}

/** What happened to a resource, whether or not an old version is still there, and what to do. */
function errorText(one: Case, entry: CacheEntry, error: ErrorRecord, isKept = false): { text: string; advice: string } {
  const type = shortType(entry.typeUrl);
  const node = nodeText(one.nodeId);
  if (error.cause === 'nack') {
    const version = error.version === undefined ? '' : ` version ${error.version}`;
    const { text, advice } = rejectionOf(entry, error);
    const subject = `${type} ${entry.name}${version} was rejected`;
    return { text: isKept ? `${subject} (${text})` : `${subject}: ${text}`, advice };
  }
  const noun = `${isShortType(type) ? NOUNS[type] : type} ${entry.name}`;
  if (error.cause === 'deletion' && isShortType(type)) {
    return deletedText(one, type, entry.name, error.server, error.version);
  }
  const code = statusName(error.status.code);
  const allow = code === 'PERMISSION_DENIED' || code === 'UNAUTHENTICATED' ? `Allow ${node} to read` : 'Correct';
  return {
    text: `${noun}: ${statusText(code, error.status.message)}`,
    advice:
      code === 'NOT_FOUND' && isShortType(type)
        ? absentAdvice(one, type, entry.name)
        : `${allow} ${noun} in the control plane.`,
  };
}

/** `CDS blue version 7 was rejected (…); version 6 stays in use` */
export function keptCause(one: Case, entry: CacheEntry): Cause | undefined {
  const { error, resource, version, typeUrl, name } = entry;
  const type = shortType(typeUrl);
  if (error?.effect !== 'kept' || resource === undefined || !isShortType(type)) return undefined;
  const { text, advice } = errorText(one, entry, error, true);
  const message = `${text}; version ${version} stays in use`;
  return { code: 'kept-old-version', message, resource: { type, name }, server: error.server || null, advice };
}
