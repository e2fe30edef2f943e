import { nearest } from '../../base/nearest.js';
import type { CacheEntry } from '../../core/resource-cache.js';
import type { ShortType } from '../../proto/resource-types.js';
import type { Answer } from './facts.js';
import { listsOthersOnly, noListener } from './listener.js';
import { namelessRejection } from './rejection.js';
import { silentCause } from './server.js';
import type { Case, Cause, CauseCode } from './verdict.js';
import { NOUNS, nodeText, versionText } from './words.js';

/** A needed resource, and what needs it. */
export interface Needed {
  type: ShortType;
  name: string;
  /** In words: `the routes`, `aggregate cluster all`. */
  by: string;
}

/** A listener is what the target names, so its absence has a code of its own. */
export function absentCode(type: ShortType): CauseCode {
  return type === 'LDS' ? 'no-listener' : 'not-in-response';
}

/** Tells a server that deleted a resource from one that answered without it, and from one that did not answer. */
export function absentCause(one: Case, { typeUrl, askedAt }: CacheEntry, needed: Needed, server: string): Cause {
  const { scope, facts, now } = one;
  const { type, name } = needed;
  const resource = { type, name };
  const noun = `${NOUNS[type]} ${name}`;
  const absent = { code: absentCode(type), resource, server: server === '' ? null : server };
  // CSDS says that a resource is absent, but not why.
  if (server === '') return { ...absent, message: `${noun} does not exist`, advice: absentAdvice(one, needed) };
  const deletion = facts.deletion(scope.scope, typeUrl, name);
  if (deletion?.server === server)
    return { ...absent, code: 'deleted', ...deleted(one, needed, server, deletion.version) };
  const answer = facts.answer(scope.scope, server, typeUrl, askedAt);
  const rejection = namelessRejection(answer?.refused);
  if (answer !== undefined && rejection !== undefined) {
    const message = `${noun}: ${type}${versionText(answer.version)} from ${server} was rejected: ${rejection.text}`;
    return { ...absent, code: 'rejected', message, advice: rejection.advice };
  }
  const listed = type === 'LDS' ? facts.listeners(scope.scope, server) : undefined;
  if (type === 'LDS' && (answer !== undefined || listsOthersOnly(listed, name))) {
    return { ...absent, ...noListener(one, name, server, { answer, listed }) };
  }
  if (answer === undefined) return { ...silentCause(one, server, { type, noun }, now - askedAt), resource };
  return { ...absent, message: missingText(needed, server, answer), advice: absentAdvice(one, needed) };
}

/** `cluster red: 10.0.0.7:18000 answered CDS version 5 without it (it serves "reed")` */
function missingText({ type, name }: Needed, server: string, { version, names }: Answer): string {
  const near = nearest(name, names);
  const instead = near === undefined ? '' : ` (it serves "${near}")`;
  const it = type === 'RDS' || type === 'EDS' ? 'them' : 'it';
  return `${NOUNS[type]} ${name}: ${server} answered ${type}${versionText(version)} without ${it}${instead}`;
}

export function deleted(
  { nodeId }: Case,
  { type, name, by }: Needed,
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

export function absentAdvice({ nodeId }: Case, { type, name, by }: Needed): string {
  const serve = `Serve ${NOUNS[type]} ${name} to ${nodeText(nodeId)}`;
  return type === 'LDS' ? `${serve}, or dial another name.` : `${serve}, or correct the name in ${by}.`;
}
