import { nearest } from '../../base/nearest.js';
import { statusName } from '../../base/status.js';
import type { ErrorRecord } from '../../core/error-record.js';
import type { CacheEntry } from '../../core/resource-cache.js';
import { isShortType, RESOURCE_TYPES, type ShortType, shortType } from '../../proto/resource-types.js';
import type { Answer, ListedListeners } from './facts.js';
import { likelyName } from './likely-name.js';
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
  const listed = type === 'LDS' ? facts.listed(scope.scope, name) : undefined;
  if (answer === undefined && !listsOthersOnly(listed, name))
    return { ...silentCause(one, server, { type, noun }, now - askedAt), resource: where.resource };
  const message =
    type === 'LDS' || answer === undefined
      ? noListenerText(name, server, answer, listed)
      : missingText(noun, name, server, answer);
  return { ...where, code: absentCode(type), message };
}

function deletedText(noun: string, server: string, version: string | undefined): string {
  return `${noun} was deleted: ${server} sent ${version === undefined ? 'a response' : `version ${version}`} without it`;
}

/** A server that lists listeners is not silent: it does not respond to a name that it does not have. */
function listsOthersOnly(listed: ListedListeners | undefined, name: string): boolean {
  return listed !== undefined && listed.count > 0 && listed.likely?.name !== name;
}

/** `no listener "inventory"; the control plane serves "inventory.prod:443" (and 11 more)` */
function noListenerText(
  name: string,
  server: string,
  answer: Answer | undefined,
  listed: ListedListeners | undefined,
): string {
  const version = answer === undefined ? '' : `: ${server} answered version ${answer.version} without it`;
  // Some control planes list a listener for wildcard subscriptions, but do not send it by name.
  if (listed?.likely?.name === name) return `no listener "${name}"${version}, although it lists it`;
  const isListed = listed !== undefined && listed.count > 0;
  const { names, count } = isListed ? listed : (answer ?? { names: [], count: 0 });
  const other = isListed ? names[0] : (likelyName(name, names) ?? names.find((one) => one !== ''));
  if (other === undefined) return `no listener "${name}"${version}`;
  return `no listener "${name}"; the control plane serves "${other}"${more(count - 1)}`;
}

function missingText(noun: string, name: string, server: string, { version, names }: Answer): string {
  const near = nearest(name, names);
  const instead = near === undefined ? '' : ` (it serves "${near}")`;
  return `${noun}: ${server} answered version ${version} without it${instead}`;
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
