import { connectionHint, streamHint } from '../base/connection-hint.js';
import { isLost } from '../engine/lost.js';
import type { ScopeSnapshot } from '../engine/scope.js';

type Server = ScopeSnapshot['authorities'][number]['servers'][number];

/** A sentence on each server of the authorities that nobody is left to speak for; the last one tried comes last. */
export function lostServers({ authorities }: ScopeSnapshot): string[] {
  return authorities.filter(isLost).flatMap(({ servers }) => servers.flatMap(sentence));
}

function sentence({ uri, failure }: Server): string[] {
  if (failure === undefined) return [];
  const { ended, reason, hint } = readFailure(failure.message);
  const words = hint === undefined ? '' : `: ${hint}`;
  const what = ended === undefined ? `cannot be reached: ${hint ?? reason}` : `ends the stream with ${ended}${words}`;
  // A question ends as it is.
  return [`The control plane ${uri} ${what}${what.endsWith('?') ? '' : '.'}`];
}

/** The status that ended a stream, or why there is no connection; and what that most likely means. */
export function readFailure(message: string): { ended?: string; reason: string; hint: string | undefined } {
  const ended = /xDS call failed with no responses received; status: (.*)/s.exec(message)?.[1];
  if (ended !== undefined) return { ended, reason: ended, hint: streamHint(ended) };
  return { reason: message.replace(/^.*?channel in TRANSIENT_FAILURE: /s, ''), hint: connectionHint(message) };
}
