import { describe, expect, it } from 'vitest';
import type { Input } from '../../src/core/input.js';
import { InputRoutes } from '../../src/engine/input-routes.js';

const sent = (stream: number): Extract<Input, { kind: 'sent' }> => ({ kind: 'sent', stream });
const ended = (stream: number): Extract<Input, { kind: 'ended' }> => ({
  kind: 'ended',
  stream,
  status: { code: 0, message: '' },
});
const ready = (channel: number): Extract<Input, { kind: 'connectivity' }> => ({
  kind: 'connectivity',
  channel,
  state: 'ready',
  reason: '',
});
const resolved = (query: number): Extract<Input, { kind: 'resolved' }> => ({
  kind: 'resolved',
  query,
  result: { addresses: [] },
});

describe('InputRoutes', () => {
  it('returns the owner of the channel, stream or query of an input', () => {
    const routes = new InputRoutes<string>();
    const [a, b] = [routes.newChannel('a'), routes.newChannel('b')];
    const [streamA, streamB] = [routes.newStream('a'), routes.newStream('b')];
    const [queryA, queryB] = [routes.newQuery('a'), routes.newQuery('b')];
    expect([ready(a), ready(b)].map((input) => routes.ownerOf(input))).toEqual(['a', 'b']);
    expect([sent(streamA), sent(streamB)].map((input) => routes.ownerOf(input))).toEqual(['a', 'b']);
    expect([resolved(queryA), resolved(queryB)].map((input) => routes.ownerOf(input))).toEqual(['a', 'b']);
  });

  it('returns no owner for ended or cancelled streams, closed channels and resolved queries', () => {
    const routes = new InputRoutes<string>();
    const [channel, query] = [routes.newChannel('a'), routes.newQuery('a')];
    const [first, second] = [routes.newStream('a'), routes.newStream('a')];
    expect(routes.ownerOf(ended(first))).toBe('a');
    expect(routes.ownerOf(resolved(query))).toBe('a');
    routes.observe([
      { kind: 'cancel', stream: second },
      { kind: 'disconnect', channel },
    ]);
    expect([ended(first), sent(second), resolved(query), ready(channel)].map((input) => routes.ownerOf(input))).toEqual(
      [undefined, undefined, undefined, undefined],
    );
  });
});
