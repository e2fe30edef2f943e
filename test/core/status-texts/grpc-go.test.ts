import { describe, expect, it } from 'vitest';
import { statusTexts } from '../../../src/core/status-texts/index.js';

const texts = statusTexts('grpc-go');

describe('the texts of grpc-go', () => {
  it.each([
    [0, '', 'EOF'],
    [14, 'ugh', 'rpc error: code = Unavailable desc = ugh'],
    [99, 'x', 'rpc error: code = Code(99) desc = x'],
  ])('names the status %i of a stream', (code, message, text) => {
    const { message: actual } = texts.serverFailure({ by: 'stream', server: 's', status: { code, message } });
    expect(actual).toBe(`xds: error received from xDS stream: ${text}`);
  });

  it('adds the node ID before and after the kind of a resource that fails a target', () => {
    const message = texts.targetError({ by: 'resource', type: 'RDS', name: 'r', message: '[xDS node id: n]: gone' });
    expect(texts.targetStatus(message, { nodeId: 'n', previous: undefined }).message).toBe(
      'name resolver error: [xDS node id: n]: rpc error: code = Unavailable desc = route resource error: [xDS node id: n]: [xDS node id: n]: gone',
    );
  });

  it('adds the node ID once to the error of a cluster', () => {
    const prefix = 'failed to push new configuration &{<nil> c false} to child "cluster:c": [xDS node id: n]: ';
    const messages = ['gone', '[xDS node id: n]: gone'].map((one) => texts.clusterStatus(one, 'c', 'n').message);
    expect(messages).toEqual([`${prefix}gone`, `${prefix}gone`]);
  });

  it('takes the authority of a name that cannot be requested from the name', () => {
    const status = { code: 9, message: 'authority "nope" not present in bootstrap config' };
    const error = { type: 'CDS', name: 'xdstp://nope/t/x', cause: 'bad-name', status } as const;
    expect(texts.watcherError(error, 'n')).toBe(
      '[xDS node id: n]: authority "nope" not found in the config for resource "xdstp://nope/t/x"',
    );
  });

  it.each([
    [undefined, 'context deadline exceeded'],
    ['no', 'latest balancer error: no'],
  ])('words a deadline after the error %s', (lastError, text) => {
    expect(texts.deadlineMessage({ waitsFor: 'pick', isWaitForReady: true, seconds: '', lastError })).toBe(text);
  });
});
