import { describe, expect, it } from 'vitest';
import { FindingStore } from '../../src/findings/finding-store.js';

const occurrence = { code: 'XI205', scope: 's', server: 'x', typeUrl: 't', message: 'm' } as const;

describe('the finding store', () => {
  it('reports a finding with 100,000 occurrences per minute immediately, and then every ten seconds', () => {
    const store = new FindingStore();
    const reported: string[] = [];
    for (let i = 0; i < 100_000; i++) {
      const at = i * 0.6;
      store.report({ ...occurrence, at });
      store.tick(at);
      for (const { change, count } of store.takeEvents())
        reported.push(`${Math.round(at / 1000)} s ${change} ${count}`);
    }
    expect(reported).toEqual([
      '0 s opened 1',
      '10 s repeated 16668',
      '20 s repeated 33335',
      '30 s repeated 50002',
      '40 s repeated 66669',
      '50 s repeated 83336',
    ]);
    expect(store.findings).toMatchObject([{ count: 100_000, begin: 0, rate: undefined }]);
  });

  it('writes the message of a storm once', () => {
    const store = new FindingStore();
    let written = 0;
    const message = (): string => `message ${++written}`;
    for (let at = 0; at < 10; at++) store.report({ ...occurrence, at, message, isRepeated: true });
    store.report({ ...occurrence, at: 10, message, server: 'y' });
    store.report({ ...occurrence, at: 11, message });
    expect(store.findings).toMatchObject([
      { server: 'x', count: 11, message: 'message 1' },
      { server: 'y', count: 1, message: 'message 2' },
    ]);
  });

  it.each([{ code: 'XI206' }, { scope: 'other' }, { server: 'other' }, { typeUrl: 'other' }] as const)(
    'counts occurrences that differ in %o apart, also in turns',
    (difference) => {
      const store = new FindingStore();
      for (let at = 0; at < 6; at++) store.report({ ...occurrence, at, ...(at % 2 === 0 && difference) });
      for (let at = 6; at < 9; at++) store.report({ ...occurrence, at });
      expect(store.findings.map(({ count }) => count)).toEqual([3, 6]);
    },
  );

  it('knows the rate of a storm after one second', () => {
    const store = new FindingStore();
    const unknownAt = [];
    for (let at = 0; at <= 1500; at += 100) {
      store.report({ ...occurrence, at, isRepeated: true });
      if (store.hasUnknownRate) unknownAt.push(at);
    }
    store.tick(10_000);
    expect([unknownAt.length, unknownAt.at(-1), store.hasUnknownRate]).toEqual([10, 900, false]);
  });

  it('reports the rate of a storm after one second and at its end', () => {
    const store = new FindingStore();
    const events = [];
    for (let at = 0; at <= 3000; at += 2) {
      store.report({ ...occurrence, at, isRepeated: true });
      events.push(...store.takeEvents());
    }
    expect(store.isOngoing('s', 'x', 't')).toBe(true);
    expect(store.nextDeadline()).toBe(5000);
    store.tick(4999);
    expect(store.takeEvents()).toEqual([]);
    store.tick(5000);
    events.push(...store.takeEvents());
    expect(events.map(({ at, change, count, rate }) => ({ at, change, count, rate }))).toEqual([
      { at: 0, change: 'opened', count: 1, rate: undefined },
      { at: 1000, change: 'repeated', count: 501, rate: 501 },
      { at: 5000, change: 'ended', count: 1501, rate: 500 },
    ]);
    expect(store.nextDeadline()).toBeUndefined();
    expect(store.isOngoing('s', 'x', 't')).toBe(false);
  });

  it('limits the number of findings and of names in a finding', () => {
    const store = new FindingStore();
    for (let i = 0; i < 10_000; i++) {
      store.report({ ...occurrence, typeUrl: `t${i}`, at: i });
      store.report({ ...occurrence, at: i, names: [`n${i}`] });
    }
    expect(store.findings).toHaveLength(500);
    expect(store.findings.find(({ typeUrl }) => typeUrl === 't')?.names).toHaveLength(20);
  });
});
