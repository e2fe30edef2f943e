import { statusName } from '../base/status.js';
import { shortType } from '../proto/resource-types.js';
import type { PlaneEvent } from '../scenario/plane-io.js';
import { type Line, nameList, type Tone } from './event-line.js';
import { visibleShort } from './visible-text.js';

/** What a control plane tells, one line each; arrows as its clients see them: `→` a request, `←` a response. */
export function planeLine(event: PlaneEvent): Line {
  return { at: event.at, who: event.server, ...planeText(event) };
}

function planeText(event: PlaneEvent): { text: string; tone: Tone } {
  switch (event.kind) {
    case 'state':
      return { text: { listening: 'listening', refusing: 'refuses connections', silent: 'accepts connections and stays silent', resetting: 'resets connections' }[event.state], tone: 'quiet' };
    case 'stream':
      return streamText(event);
    case 'request': {
      const answer = event.error === undefined ? '' : ` NACK: ${visibleShort(event.error.message)}`;
      const known = `${event.version === '' ? '' : `  version ${visibleShort(event.version)}`}${event.nonce === '' ? '' : ` nonce ${visibleShort(event.nonce)}`}`;
      return { text: `→ ${visibleShort(shortType(event.typeUrl))} [${nameList(event.names)}]${known}${answer}  (stream ${event.stream}, node ${visibleShort(event.nodeId) || 'without id'})`, tone: answer === '' ? 'out' : 'bad' };
    }
    case 'bad-request':
      return { text: `→ not a DiscoveryRequest: ${event.reason}  (stream ${event.stream})`, tone: 'bad' };
    case 'response': {
      const errors = event.errors === 0 ? '' : `${event.names.length > 0 ? ', ' : ''}${event.errors} resource error${event.errors > 1 ? 's' : ''}`;
      return { text: `← ${visibleShort(shortType(event.typeUrl))} version ${visibleShort(event.version)} nonce ${visibleShort(event.nonce)}: ${nameList(event.names)}${errors || (event.names.length === 0 ? 'nothing' : '')}  (stream ${event.stream})`, tone: 'in' };
    }
    case 'bytes':
      return { text: `← ${event.length} bytes as they are  (stream ${event.stream})`, tone: 'in' };
    case 'holding':
      return { text: `now holds ${visibleShort(shortType(event.typeUrl))} version ${visibleShort(event.version)}: ${nameList(event.names) || 'nothing'}`, tone: 'plain' };
    case 'met':
      return { text: `line ${event.line}: expectation met`, tone: 'good' };
    case 'unmet':
      return { text: `line ${event.line}: ${visibleShort(event.reason)}`, tone: 'bad' };
    case 'script-done':
      return { text: `script done: ${event.met} expectations met, ${event.unmet} not`, tone: event.unmet > 0 ? 'bad' : 'good' };
  }
}

function streamText(event: Extract<PlaneEvent, { kind: 'stream' }>): { text: string; tone: Tone } {
  const what = { opened: 'opened', ended: 'ended by the client', closed: 'closed by this server' }[event.change];
  const status = event.status === undefined ? '' : `: ${statusName(event.status.code)} ${visibleShort(event.status.message)}`;
  return { text: `stream ${event.stream} ${what}${status}`.trimEnd(), tone: 'quiet' };
}
