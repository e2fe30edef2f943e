import { statusName } from '../base/status.js';
import { shortType } from '../proto/resource-types.js';
import type { PlaneEvent } from '../scenario/plane-io.js';
import { errorName, type Line, type LineText, nameList } from './event-line.js';
import { visibleMessage, visibleShort } from './visible-text.js';

/** An event of a control plane as one line. `→` is a request, `←` a response, as in the lines of a client. */
export function controlPlaneLine(event: PlaneEvent): Line {
  return { at: event.at, who: visibleShort(event.server), ...planeText(event) };
}

const STATES = {
  listening: 'listening',
  refusing: 'refuses connections',
  silent: 'accepts connections and sends nothing',
  resetting: 'resets connections',
};

function planeText(event: PlaneEvent): LineText {
  switch (event.kind) {
    case 'state':
      return { text: STATES[event.state], tone: 'quiet' };
    case 'stream':
      return streamText(event);
    case 'request':
      return requestText(event);
    case 'bad-request':
      return { text: `→ not a DiscoveryRequest: ${event.reason}  (stream ${event.stream})`, tone: 'bad' };
    case 'response':
      return responseText(event);
    case 'bytes':
      return { text: `← ${event.length} raw bytes  (stream ${event.stream})`, tone: 'in' };
    case 'holding':
      return { text: `now serves ${versioned(event)}: ${nameList(event.names) || 'no resources'}`, tone: 'plain' };
    case 'said':
      return { text: visibleShort(event.text), tone: 'plain' };
    case 'met':
      return { text: `line ${event.line}: expectation met`, tone: 'good' };
    case 'unmet':
      return { text: `line ${event.line}: ${visibleShort(event.reason)}`, tone: 'bad' };
    case 'script-done':
      return {
        text: `script done: ${event.met} met, ${event.unmet} not met`,
        tone: event.unmet > 0 ? 'bad' : 'good',
      };
  }
}

function requestText(event: Extract<PlaneEvent, { kind: 'request' }>): LineText {
  const parts = [`→ ${visibleShort(shortType(event.typeUrl))} [${nameList(event.names)}]`];
  if (event.version !== '') parts.push(`version ${visibleShort(event.version)}`);
  if (event.nonce !== '') parts.push(`nonce ${visibleShort(event.nonce)}`);
  if (event.error !== undefined) parts.push(`NACK: ${visibleMessage(event.error.message)}`);
  parts.push(`(stream ${event.stream}, node ${visibleShort(event.nodeId) || 'without id'})`);
  return { text: parts.join('  '), tone: event.error === undefined ? 'out' : 'bad' };
}

function responseText(event: Extract<PlaneEvent, { kind: 'response' }>): LineText {
  const contents = [nameList(event.names), ...event.errors.map(({ name, status }) => errorName(name ?? '', status))];
  const listed = contents.filter((text) => text !== '').join(', ') || 'no resources';
  return {
    text: `← ${versioned(event)} nonce ${visibleShort(event.nonce)}: ${listed}  (stream ${event.stream})`,
    tone: 'in',
  };
}

function versioned({ typeUrl, version }: { typeUrl: string; version: string }): string {
  return `${visibleShort(shortType(typeUrl))} version ${visibleShort(version)}`;
}

function streamText(event: Extract<PlaneEvent, { kind: 'stream' }>): LineText {
  const what = {
    opened: 'opened',
    ended: 'ended by the client',
    closed: 'closed by this server',
    broken: 'broken: its connection closed',
  }[event.change];
  const status =
    event.status === undefined ? '' : `: ${statusName(event.status.code)} ${visibleShort(event.status.message)}`;
  return { text: `stream ${event.stream} ${what}${status}`.trimEnd(), tone: 'quiet' };
}
