import { describe, expect, it } from 'vitest';
import { FindingStore } from '../../src/findings/finding-store.js';

const seen = { code: 'XI205', scope: 's', server: 'x', typeUrl: 't', message: 'm' } as const;

describe('the ledger of findings', () => {
  it('tells of one that happens a hundred thousand times in a minute at once, and then every ten seconds', () => {
    const ledger = new FindingStore();
    const told: string[] = [];
    for (let i = 0; i < 100_000; i++) {
      const at = i * 0.6;
      ledger.report({ ...seen, at });
      ledger.tick(at);
      for (const { change, count } of ledger.takeEvents()) told.push(`${Math.round(at / 1000)} s ${change} ${count}`);
    }
    expect(told).toEqual([
      '0 s opened 1',
      '10 s repeated 16668',
      '20 s repeated 33335',
      '30 s repeated 50002',
      '40 s repeated 66669',
      '50 s repeated 83336',
    ]);
    expect(ledger.findings).toMatchObject([{ count: 100_000, begin: 0, rate: undefined }]);
  });

  it('tells the rate of a storm after a second, and when it is over', () => {
    const ledger = new FindingStore();
    const events = [];
    for (let at = 0; at <= 3000; at += 2) {
      ledger.report({ ...seen, at, isRepeated: true });
      events.push(...ledger.takeEvents());
    }
    expect(ledger.isOngoing('s', 'x', 't')).toBe(true);
    expect(ledger.nextDeadline()).toBe(5000);
    ledger.tick(4999);
    expect(ledger.takeEvents()).toEqual([]);
    ledger.tick(5000);
    events.push(...ledger.takeEvents());
    expect(events.map(({ at, change, count, rate }) => ({ at, change, count, rate }))).toEqual([
      { at: 0, change: 'opened', count: 1, rate: undefined },
      { at: 1000, change: 'repeated', count: 501, rate: 501 },
      { at: 5000, change: 'ended', count: 1501, rate: 500 },
    ]);
    expect(ledger.nextDeadline()).toBeUndefined();
    expect(ledger.isOngoing('s', 'x', 't')).toBe(false);
  });

  it('is of one size, whatever servers make up', () => {
    const ledger = new FindingStore();
    for (let i = 0; i < 10_000; i++) {
      ledger.report({ ...seen, typeUrl: `t${i}`, at: i });
      ledger.report({ ...seen, at: i, names: [`n${i}`] });
    }
    expect(ledger.findings).toHaveLength(500);
    expect(ledger.findings.find(({ typeUrl }) => typeUrl === 't')?.names).toHaveLength(20);
  });
});
