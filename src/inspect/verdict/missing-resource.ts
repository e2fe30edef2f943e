import { nearest } from '../../base/nearest.js';
import type { CacheEntry } from '../../core/resource-cache.js';
import type { ShortType } from '../../proto/resource-types.js';
import type { LastResponse } from './facts.js';
import { listsOthersOnly, noListener } from './no-listener.js';
import { NOUNS, nodeText, versionText } from './phrases.js';
import { namelessRejection } from './rejection.js';
import { endedCause, silentCause } from './server-cause.js';
import type { Cause, CauseCode, TargetCase } from './verdict.js';

/** A needed resource, and what needs it. */
export interface RequiredResource {
  type: ShortType;
  name: string;
  /** The part of the configuration that needs it: `the routes`, `aggregate cluster all`. */
  by: string;
}

/** A missing listener has its own code because the target itself names it. */
export function missingCode(type: ShortType): CauseCode {
  return type === 'LDS' ? 'no-listener' : 'not-in-response';
}

/** Distinguishes a server that deleted a resource, one whose response omits it, and one that did not respond. */
export function missingCause(
  one: TargetCase,
  { typeUrl, requestedAt, error }: CacheEntry,
  needed: RequiredResource,
  server: string,
): Cause {
  const { scope, facts, now } = one;
  const { type, name } = needed;
  const resource = { type, name };
  const noun = `${NOUNS[type]} ${name}`;
  const absent = { code: missingCode(type), resource, server: server === '' ? null : server };
  // CSDS shows that a resource is absent, but not why.
  if (server === '') return { ...absent, message: `${noun} does not exist`, advice: missingAdvice(one, needed) };
  const deletion = facts.deletion(scope.scope, typeUrl, name);
  if (deletion?.server === server)
    return { ...absent, code: 'deleted', ...deleted(one, needed, server, deletion.version) };
  const response = facts.lastResponse(scope.scope, server, typeUrl, requestedAt);
  const rejection = namelessRejection(response?.nack);
  if (response !== undefined && rejection !== undefined) {
    const message = `${noun}: ${type}${versionText(response.version)} from ${server} was rejected: ${rejection.text}`;
    return { ...absent, code: 'rejected', message, advice: rejection.advice };
  }
  const listed = type === 'LDS' ? facts.listeners(scope.scope, server) : undefined;
  if (type === 'LDS' && (response !== undefined || listsOthersOnly(listed, name))) {
    return { ...absent, ...noListener(one, name, server, { response, listed }) };
  }
  if (response === undefined) {
    const ended = error === undefined ? endedCause(one, server, { type, noun }, requestedAt) : undefined;
    const cause = ended ?? silentCause(one, server, { type, noun }, now - requestedAt);
    // The server responded for other types, so it knows the node. Control planes do not respond to unknown RDS and EDS names.
    const isKnown = cause.code === 'silent' && facts.server(scope.scope, server).hasResponded;
    return { ...cause, ...(isKnown && { advice: missingAdvice(one, needed) }), resource };
  }
  return { ...absent, message: missingText(needed, server, response), advice: missingAdvice(one, needed) };
}

/** `cluster red: 10.0.0.7:18000 answered CDS version 5 without it (it serves "reed")` */
function missingText({ type, name }: RequiredResource, server: string, { version, names }: LastResponse): string {
  const near = nearest(name, names);
  const instead = near === undefined ? '' : ` (it serves "${near}")`;
  const it = type === 'RDS' || type === 'EDS' ? 'them' : 'it';
  return `${NOUNS[type]} ${name}: ${server} answered ${type}${versionText(version)} without ${it}${instead}`;
}

export function deleted(
  { nodeId }: TargetCase,
  { type, name, by }: RequiredResource,
  server: string,
  version: string | undefined,
): Pick<Cause, 'message' | 'advice'> {
  const noun = `${NOUNS[type]} ${name}`;
  // R8.5: CSDS does not show servers.
  const sender = server === '' ? 'the control plane' : server;
  const instead = type === 'LDS' ? '' : `, or remove it from ${by} first`;
  return {
    message: `${noun} was deleted: ${sender} sent ${type}${versionText(version)} without it`,
    advice: `Serve ${noun} to ${nodeText(nodeId)} again${instead}.`,
  };
}

export function missingAdvice({ nodeId }: TargetCase, { type, name, by }: RequiredResource): string {
  const serve = `Serve ${NOUNS[type]} ${name} to ${nodeText(nodeId)}`;
  return type === 'LDS' ? `${serve}, or dial another name.` : `${serve}, or correct the name in ${by}.`;
}
