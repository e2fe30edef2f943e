import { fromBase64 } from '../base/base64.js';
import type { Millis } from '../base/duration.js';
import type { Problems } from '../base/problem.js';
import { describeValue, duration, oneOf, record, type Shape, text } from '../base/shape.js';
import { STATUS_CODES, type Status, type StatusName, statusCode } from '../base/status.js';
import {
  type ResourcesByName,
  type ResponseText,
  responseFields,
  responseFrom,
  type ServedTypeText,
  sendFields,
  servedTypeFrom,
} from './read-response.js';
import type { Action, ServerState } from './scenario.js';

/** An action in a scenario file, which has exactly one key. */
export interface ActionText {
  send?: ResponseText;
  sendBytes?: Uint8Array;
  close?: Status;
  wait?: Millis;
  set?: ServedTypeText;
  state?: ServerState;
  reject?: Status;
  accept?: true;
  reads?: 'hold' | 'release';
  say?: string;
}

const base64: Shape<Uint8Array> = (value, problems) => {
  const bytes = typeof value === 'string' ? fromBase64(value) : undefined;
  if (bytes === undefined) problems.add(`expected base64, got ${describeValue(value)}`);
  return bytes;
};

const statusShape = record<{ code: StatusName; message?: string }>({ code: oneOf(STATUS_CODES), message: text }, [
  'code',
]);

const status: Shape<Status> = (value, problems) => {
  const read = typeof value === 'string' ? statusShape({ code: value }, problems) : statusShape(value, problems);
  return read?.code === undefined ? undefined : { code: statusCode(read.code), message: read.message ?? '' };
};

const yes: Shape<true> = (value, problems) => {
  if (value === true) return value;
  return problems.add('expected true');
};

export const actionFields = {
  send: record<ResponseText>(sendFields, ['type']),
  sendBytes: base64,
  close: status,
  wait: duration,
  set: record<ServedTypeText>(responseFields, ['type']),
  state: oneOf(['listening', 'refusing', 'silent', 'resetting']),
  reject: status,
  accept: yes,
  reads: oneOf(['hold', 'release']),
  say: text,
};

export function actionFrom(action: ActionText, lookup: ResourcesByName, problems: Problems): Action | undefined {
  const keys = Object.keys(action);
  if (keys.length !== 1)
    return problems.add(
      `expected exactly one of ${Object.keys(actionFields).join(', ')}${keys.length > 1 ? `, got ${keys.join(' and ')}` : ''}`,
    );
  const { send, sendBytes, close, wait, set, state, reject, accept, reads, say } = action;
  if (send !== undefined)
    return { kind: 'send', response: problems.at('send', () => responseFrom(send, lookup, problems)) };
  if (set !== undefined)
    return { kind: 'set', servedType: problems.at('set', () => servedTypeFrom(set, lookup, problems)) };
  if (sendBytes !== undefined) return { kind: 'send-bytes', bytes: sendBytes };
  if (close !== undefined) return { kind: 'close', status: close };
  if (wait !== undefined) return { kind: 'wait', millis: wait };
  if (state !== undefined) return { kind: 'state', state };
  if (reject !== undefined || accept !== undefined) return { kind: 'reject', status: reject };
  if (say !== undefined) return { kind: 'say', text: say };
  if (reads !== undefined) return { kind: 'hold-reads', hold: reads === 'hold' };
  return undefined;
}
