import { describe, expect, it } from 'vitest';
import { type HarnessOptions, TestClient } from './harness.js';
import { bad, endpoints, listener } from './resources.js';

const client = (policies: NonNullable<HarnessOptions['policies']>): TestClient => new TestClient({ policies });

/** The times at which streams open if each ends at once. */
function streamTimes(t: TestClient, count: number): number[] {
  const times: number[] = [];
  for (let i = 0; i < count; i++) {
    times.push(t.now);
    t.end('UNAVAILABLE', 'gone');
    while (![...t.wires.values()].some(({ isOpen }) => isOpen)) t.advance(50);
  }
  return times;
}

describe('stream policies', () => {
  it('backoffFrom stream-start: a stream that outlives its backoff is replaced at once', () => {
    const t = client({ backoffFrom: 'stream-start' });
    t.watch('EDS', 'c');
    t.advance(5000);
    t.end('UNAVAILABLE', 'gone');
    t.advance(0);
    expect(t.wire().isOpen).toBe(true);
  });

  it('keepBackoff: a response does not reset the backoff', () => {
    const gaps = [true, false].map((keepBackoff) => {
      const t = client({ keepBackoff });
      t.watch('EDS', 'c');
      streamTimes(t, 4);
      t.respond('EDS', { version: '1', nonce: 'A', resources: [endpoints('c', 6)] });
      const [first = 0, second = 0] = streamTimes(t, 2);
      return second - first > 2000;
    });
    expect(gaps).toEqual([true, false]);
  });

  it('subscribeEndsBackoff: a new subscription opens a stream during backoff', () => {
    for (const subscribeEndsBackoff of [true, false]) {
      const t = client({ subscribeEndsBackoff });
      t.watch('EDS', 'c');
      t.end('UNAVAILABLE', 'gone');
      t.watch('EDS', 'd');
      expect([...t.wires.values()].some(({ isOpen }) => isOpen)).toBe(subscribeEndsBackoff);
    }
  });

  it('streamErrors not-ok: watchers get every status except OK, also after a response', () => {
    const t = client({ streamErrors: 'not-ok' });
    const watcher = t.watch('EDS', 'c');
    t.respond('EDS', { version: '1', nonce: 'A', resources: [endpoints('c', 6)] });
    t.received(watcher);
    t.end('UNAVAILABLE', 'gone');
    expect(t.received(watcher)).toHaveLength(1);
    t.advance(60_000);
    t.end('OK', '');
    expect(t.received(watcher)).toEqual([]);
  });

  it('timersFrom connection: only the stream that waited for the connection has resource timers', () => {
    const t = client({ timersFrom: 'connection' });
    t.watch('EDS', 'c');
    t.advance(20_000);
    expect(t.timers()).toEqual([]);
    t.connectivity('ready');
    t.watch('EDS', 'd');
    t.advance(20_000);
    expect(t.csds()).toEqual([
      'EDS c DOES_NOT_EXIST, error: does not exist',
      'EDS d DOES_NOT_EXIST, error: does not exist',
    ]);
    t.end('UNAVAILABLE', 'gone');
    t.advance(60_000);
    t.watch('EDS', 'e');
    t.advance(60_000);
    expect(t.csds()).toContain('EDS e REQUESTED');
  });

  it('timersOutliveStreams: a timer expires although its resource arrived on a later stream', () => {
    const t = client({ timersFrom: 'connection', timersOutliveStreams: true });
    const watcher = t.watch('EDS', 'c');
    t.connectivity('ready');
    t.end('UNAVAILABLE', 'gone');
    t.advance(5000);
    t.respond('EDS', { version: '1', nonce: 'A', resources: [endpoints('c', 6)] });
    t.received(watcher);
    t.advance(20_000);
    expect(t.received(watcher)).toEqual(['RE(NOT_FOUND: does not exist (node ID:me))']);
    expect(t.csds()).toEqual(['EDS c DOES_NOT_EXIST, 1 at 5000, error: does not exist']);
  });

  it('ignoreUnsubscribedTypes: a response of a type that the stream does not subscribe to is not acknowledged', () => {
    for (const ignoreUnsubscribedTypes of [true, false]) {
      const t = client({ ignoreUnsubscribedTypes, backoffFrom: 'stream-start' });
      t.watch('EDS', 'c');
      const other = t.watch('LDS', 'l');
      t.cancel(other);
      t.advance(5000);
      t.end('UNAVAILABLE', 'gone');
      t.advance(0);
      t.requests();
      t.respond('LDS', { version: '1', nonce: 'A', resources: [listener('l')] });
      expect(t.requests()).toHaveLength(ignoreUnsubscribedTypes ? 0 : 1);
    }
  });

  it('keepVersions: versions survive the last watcher of a server', () => {
    for (const keepVersions of [true, false]) {
      const t = client({ keepVersions });
      const watcher = t.watch('EDS', 'c');
      t.respond('EDS', { version: '1', nonce: 'A', resources: [endpoints('c', 6)] });
      const other = t.watch('LDS', 'xdstp://nope/l');
      t.cancel(watcher);
      t.requests();
      t.watch('EDS', 'c');
      expect(t.requests()).toEqual([`default EDS{c; ${keepVersions ? '1' : '-'}; -} node`]);
      t.cancel(other);
    }
  });

  it('nackCode: every NACK has this status code', () => {
    const t = client({ nackCode: 'UNAVAILABLE' });
    t.watch('EDS', 'c');
    t.respond('EDS', { version: '1', nonce: 'A', resources: [bad('EDS', 'c')] });
    expect(t.wire().requests.at(-1)?.errorDetail?.code).toBe(14);
  });

  it('shareClient: the client stays when its last watcher is removed', () => {
    for (const shareClient of [true, false]) {
      const t = client({ shareClient });
      t.cancel(t.watch('EDS', 'c'));
      expect(t.engine.snapshot()).toHaveLength(shareClient ? 1 : 0);
    }
  });

  it('ignoreServerFeatures: servers that differ in features share a channel', () => {
    const features = (name: string) => [{ uri: 'default', features: [name] }];
    for (const ignoreServerFeatures of [true, false]) {
      const t = new TestClient({
        servers: [{ uri: 'default', features: [] }],
        authorities: { a: features('xds_v3') },
        policies: { ignoreServerFeatures },
      });
      t.watch('EDS', 'c');
      t.watch('EDS', 'xdstp://a/envoy.config.endpoint.v3.ClusterLoadAssignment/c');
      expect(t.connections.size).toBe(ignoreServerFeatures ? 1 : 2);
    }
  });
});
