import { describe, expect, it } from 'vitest';
import type { LoggedEvent } from '../../src/inspect/history/journal.js';
import { type CallPeriod, callOutcome, callTimes, joinPeriods } from '../../src/view/call-over-time.js';

function config(at: number, target = 'a', scope = 's'): LoggedEvent {
  const event = { kind: 'config', at, scope, target, change: 'published', error: undefined, clusters: 1 } as const;
  return { event, isRepeated: false };
}

describe('the times at which a call is evaluated', () => {
  it('are the start and the changes of its target, each once', () => {
    const events = [config(5), config(5), config(6, 'b'), config(7, 'a', 'other'), config(9)];
    expect(callTimes(events, { scope: 's', target: 'a' }, 1, 10)).toEqual({ times: [1, 5, 9], isCut: false });
  });

  it('are the last ones of a long session', () => {
    const events = [1, 2, 3, 4].map((at) => config(at));
    expect(callTimes(events, { scope: 's', target: 'a' }, 0, 2)).toEqual({ times: [3, 4], isCut: true });
  });
});

describe('the outcome of a call in one word', () => {
  const path = { share: 0.5, route: 0, cluster: 'c', code: 'OK', message: null };

  it('is PARTLY if some of its paths fail', () => {
    const failing = { ...path, outcome: 'fails', code: 'UNAVAILABLE', message: 'gone' };
    const view = {
      outcome: 'ok' as const,
      status: { code: 'OK', message: '' },
      paths: [{ ...path, outcome: 'ok' }, failing],
    };
    expect(callOutcome(view)).toEqual({ state: 'partly', word: 'PARTLY', message: 'gone' });
  });

  it('is the status code if all of them fail', () => {
    const view = { outcome: 'fails' as const, status: { code: 'UNAVAILABLE', message: 'm' }, paths: [] };
    expect(callOutcome(view)).toEqual({ state: 'fails', word: 'UNAVAILABLE', message: 'm' });
  });
});

describe('periods of a call', () => {
  const period: CallPeriod = { from: 0, to: 1, state: 'ok', word: 'OK', message: '', route: 0, clusters: ['a'] };

  it('are joined if outcome and path are the same', () => {
    const joined = joinPeriods([period, { ...period, from: 1, to: 2 }, { ...period, from: 2, to: 3, clusters: ['b'] }]);
    expect(joined.map(({ from, to }) => [from, to])).toEqual([
      [0, 2],
      [2, 3],
    ]);
  });
});
