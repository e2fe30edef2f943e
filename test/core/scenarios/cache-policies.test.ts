import { describe, expect, it } from 'vitest';
import { type HarnessOptions, TestClient } from './harness.js';
import { bad, endpoints, listener } from './resources.js';

/** A client with a cached cluster load assignment. */
function cached(policies: NonNullable<HarnessOptions['policies']>): { t: TestClient; watcher: number } {
  const t = new TestClient({ a88: false, policies });
  const watcher = t.watch('EDS', 'c');
  t.respond('EDS', { version: '1', nonce: 'A', resources: [endpoints('c', 6)] });
  t.received(watcher);
  return { t, watcher };
}

describe('cache policies', () => {
  it('ignoreEqualResources: an equal resource clears no error, and keeps version and time', () => {
    const { t } = cached({ ignoreEqualResources: true });
    t.respond('EDS', { version: '2', nonce: 'B', resources: [bad('EDS', 'c')] });
    t.advance(1000);
    t.respond('EDS', { version: '3', nonce: 'C', resources: [endpoints('c', 6)] });
    expect(t.csds()).toEqual([expect.stringMatching(/^EDS c NACKED, 1 at 0, error 2 at 0/)]);
  });

  it('keepDeletedResources: watchers lose a deleted resource, and it is no update when it returns', () => {
    for (const keepDeletedResources of [true, false]) {
      const t = new TestClient({ a88: false, policies: { keepDeletedResources } });
      const watcher = t.watch('LDS', 'l');
      t.respond('LDS', { version: '1', nonce: 'A', resources: [listener('l')] });
      t.respond('LDS', { version: '2', nonce: 'B' });
      expect(t.received(watcher)).toHaveLength(2);
      t.respond('LDS', { version: '3', nonce: 'C', resources: [listener('l')] });
      expect(t.received(watcher)).toEqual([keepDeletedResources ? 'AE(OK)' : expect.stringMatching(/^RC/)]);
    }
  });

  it('repeatErrors: a new watcher gets only the resource if it is off', () => {
    for (const repeatErrors of [true, false]) {
      const { t } = cached({ repeatErrors });
      t.respond('EDS', { version: '2', nonce: 'B', resources: [bad('EDS', 'c')] });
      expect(t.received(t.watch('EDS', 'c'))).toHaveLength(repeatErrors ? 2 : 1);
    }
  });

  it('updates encoded: a listener is an update unless its connection manager only has more bytes', () => {
    const received = (policies: NonNullable<HarnessOptions['policies']>, first: string, second: string): number => {
      const t = new TestClient({ policies });
      const watcher = t.watch('LDS', 'l');
      t.respond('LDS', { version: '1', nonce: 'A', resources: [listener('l', first)] });
      t.respond('LDS', { version: '2', nonce: 'B', resources: [listener('l', second)] });
      return t.received(watcher).length;
    };
    expect(received({ updates: 'encoded' }, 'r', 's')).toBe(2);
    expect(received({ updates: 'encoded' }, 'r', 'r')).toBe(1);
    expect(received({ updates: 'validated' }, 'r', 's')).toBe(2);
  });

  it('showAckedOnly and showTypeNames: CSDS shows contents of ACKED resources, and names of types', () => {
    const { t } = cached({ showAckedOnly: true, showTypeNames: true });
    t.respond('EDS', { version: '2', nonce: 'B', resources: [bad('EDS', 'c')] });
    expect(t.csds()).toEqual([expect.stringMatching(/^EDS c NACKED, 1 at 0, error 2 at 0/)]);
    expect(t.csdsContents()).toEqual([['envoy.config.endpoint.v3.ClusterLoadAssignment', false]]);
  });
});
