import { nearest } from '../../base/nearest.js';
import { statusName } from '../../base/status.js';
import type { ErrorRecord } from '../../core/error-record.js';
import type { CacheEntry } from '../../core/resource-cache.js';
import { isShortType, RESOURCE_TYPES, type ShortType, shortType } from '../../proto/resource-types.js';
import type { Answer } from './facts.js';
import { failureCause, lostCause, silentCause } from './server.js';
import type { Case, Cause, CauseCode } from './verdict.js';

const NOUNS: Record<ShortType, string> = { LDS: 'listener', RDS: 'routes', CDS: 'cluster', EDS: 'endpoints' };
const MAX_NAMES = 3;

/** Why a needed resource cannot be used: its servers, what they responded, or what this client made of the response. */
export function resourceCause(one: Case, type: ShortType, name: string, otherwise: string): Cause {
  const { scope } = one;
  const resource = { type, name };
  const entry = scope.entry(RESOURCE_TYPES[type], name);
  // A name that cannot be requested: it cannot be parsed, or the bootstrap lacks its authority (R3.14).
  if (entry === undefined) return { code: absentCode(type), message: otherwise, resource, server: null };
  const authority = scope.authorities.find((found) => found.name === entry.authority);
  const lost = authority && lostCause(authority);
  if (lost !== undefined) return { ...lost, resource };
  const { error } = entry;
  if (error === undefined || error.cause === 'timer' || error.cause === 'absence') {
    const active = authority?.servers.find(({ isActive }) => isActive);
    const failed = active && failureCause(active);
    if (failed !== undefined) return { ...failed, resource };
    return absentCause(one, entry, type, (error?.server || active?.uri) ?? '');
  }
  return { code: ERROR_CODES[error.cause], message: errorText(entry, error), resource, server: error.server || null };
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
  const where = { resource: { type, name }, server: server === '' ? null : server };
  const noun = `${NOUNS[type]} ${name}`;
  // CSDS says that a resource is absent, but not why.
  if (server === '') return { ...where, code: absentCode(type), message: `${noun} does not exist` };
  const deletion = facts.deletion(scope.scope, typeUrl, name);
  if (deletion?.server === server)
    return { ...where, code: 'deleted', message: deletedText(noun, server, deletion.version) };
  const answer = facts.answer(scope.scope, server, typeUrl, askedAt);
  if (answer === undefined)
    return { ...silentCause(one, server, { type, noun }, now - askedAt), resource: where.resource };
  const message = type === 'LDS' ? noListenerText(name, server, answer) : missingText(noun, name, server, answer);
  return { ...where, code: absentCode(type), message };
}

function deletedText(noun: string, server: string, version: string | undefined): string {
  return `${noun} was deleted: ${server} sent ${version === undefined ? 'a response' : `version ${version}`} without it`;
}

/** `no listener "inventory"; the control plane serves "inventory.prod:443" (and 11 more)` */
function noListenerText(name: string, server: string, answer: Answer): string {
  const other = likeliest(name, answer.names);
  if (other === undefined) return `no listener "${name}": ${server} answered version ${answer.version} without it`;
  return `no listener "${name}"; the control plane serves "${other}"${more(answer.count - 1)}`;
}

function missingText(noun: string, name: string, server: string, { version, names }: Answer): string {
  const near = nearest(name, names);
  const instead = near === undefined ? '' : ` (it serves "${near}")`;
  return `${noun}: ${server} answered version ${version} without it${instead}`;
}

/** A name that contains the other, or is spelled nearly so; else the first. */
function likeliest(name: string, names: readonly string[]): string | undefined {
  return names.find((one) => one.includes(name)) ?? nearest(name, names) ?? names.find((one) => one !== '');
}

function more(count: number): string {
  return count > 0 ? ` (and ${count} more)` : '';
}

/** What happened to a resource, whether or not an old version is still there. */
function errorText(entry: CacheEntry, error: ErrorRecord): string {
  const type = shortType(entry.typeUrl);
  const version = error.version === undefined ? '' : ` version ${error.version}`;
  if (error.cause === 'nack') return `${type} ${entry.name}${version} was rejected: ${rejectionText(error)}`;
  const noun = `${isShortType(type) ? NOUNS[type] : type} ${entry.name}`;
  if (error.cause === 'deletion') return deletedText(noun, error.server, error.version);
  const { code, message } = error.status;
  return `${noun}: ${statusName(code)}${message === '' ? '' : ` "${message}"`}`;
}

/** `CDS blue version 7 was rejected: …; version 6 stays in use` */
export function keptCause(entry: CacheEntry): Cause | undefined {
  const { error, resource, version, typeUrl, name } = entry;
  const type = shortType(typeUrl);
  if (error?.effect !== 'kept' || resource === undefined || !isShortType(type)) return undefined;
  return {
    code: 'kept-old-version',
    message: `${errorText(entry, error)}; version ${version} stays in use`,
    resource: { type, name },
    server: error.server || null,
  };
}

/** C-core's message without its envelope: `lb_policy: LB policy is not supported (and 1 more)`. */
function rejectionText({ status }: ErrorRecord): string {
  const message = status.message.replace(/^invalid resource: /, '').replace(/^INVALID_ARGUMENT: /, '');
  const fields = /^[^[]*\[(field:.*)\]$/s.exec(message)?.[1]?.split(/; (?=field:)/) ?? [];
  const [, field, reason] = /^field:(\S+) errors?:(.*)$/s.exec(fields[0] ?? '') ?? [];
  // The types of extensions on the way make a path long and add nothing.
  const path = field?.replace(/^\./, '').replace(/\.value\[[\w.]+\]/g, '');
  return path === undefined ? message : `${path}: ${reason}${more(fields.length - 1)}`;
}

/** `"a", "b" (and 3 more)` */
export function namesText(names: readonly string[]): string {
  const shown = names.slice(0, MAX_NAMES).map((name) => `"${name}"`);
  return `${shown.join(', ')}${more(names.length - MAX_NAMES)}`;
}
