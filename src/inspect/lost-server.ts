import { connectionHint, streamHint } from '../base/connection-hint.js';
import { isLost } from '../engine/lost.js';
import type { ScopeSnapshot } from '../engine/scope.js';

type Server = ScopeSnapshot['authorities'][number]['servers'][number];

/** A sentence on each server of the authorities that nobody is left to speak for; the last one tried comes last. */
export function lostServers({ authorities }: ScopeSnapshot): string[] {
  return authorities.filter(isLost).flatMap(({ servers }) => servers.flatMap(sentence));
}

/** A question ends as it is. */
function sentenceOf(text: string): string {
  return text.endsWith('?') ? text : `${text}.`;
}

function sentence({ uri, failure }: Server): string[] {
  if (failure === undefined) return [];
  const ended = /xDS call failed with no responses received; status: (.*)/s.exec(failure.message)?.[1];
  if (ended !== undefined) {
    const hint = streamHint(ended);
    return [
      sentenceOf(`The control plane ${uri} ends the stream with ${ended}${hint === undefined ? '' : `: ${hint}`}`),
    ];
  }
  const reason = failure.message.replace(/^.*?channel in TRANSIENT_FAILURE: /s, '');
  return [sentenceOf(`The control plane ${uri} cannot be reached: ${connectionHint(failure.message) ?? reason}`)];
}
