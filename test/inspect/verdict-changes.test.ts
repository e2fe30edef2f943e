import { describe, expect, it } from 'vitest';
import type { Event } from '../../src/core/event.js';
import type { Cause, TargetVerdict, VerdictWord } from '../../src/inspect/verdict/verdict.js';
import { LIVE, VerdictChanges } from '../../src/inspect/verdict-changes.js';

const CONFIG: Omit<Extract<Event, { kind: 'config' }>, 'at'> = {
  kind: 'config',
  scope: 's',
  target: 't',
  change: 'published',
  error: undefined,
  clusters: 1,
};

function cause(code: Cause['code'], name = 'blue'): Cause {
  return { code, message: `${code} ${name}`, resource: { type: 'CDS', name }, server: null, advice: '' };
}

/** The changes for a list of verdicts, one every 100 ms. Each evaluation costs `routes`. */
function changes(list: [VerdictWord, Cause | null][], routes = 1): { lines: string[]; evaluations: number } {
  let now = 0;
  let evaluations = 0;
  let [current] = list;
  const computeVerdicts = (): TargetVerdict[] => {
    evaluations++;
    const [verdict, found] = current ?? ['unknown', null];
    const route = {
      index: 0,
      match: '',
      clusters: [],
      outcome: 'ok',
      failingShare: 0,
      status: null,
      cause: null,
    } as const;
    const many = Array.from({ length: routes }, () => ({ ...route, clusters: [] }));
    const rest = { hasUnmatchedCalls: false, listeners: null, advice: null, clients: null };
    return [{ scope: 's', target: 't', verdict, cause: found, routes: many, ...rest }];
  };
  const verdicts = new VerdictChanges(computeVerdicts, 0);
  for (const one of list) {
    now += 100;
    current = one;
    verdicts.observe({ ...CONFIG, at: now });
    verdicts.update(now);
    // No event in between.
    verdicts.update(now + 50);
  }
  verdicts.finish();
  return {
    lines: verdicts.changes.map(({ at, verdict, cause: why }) => `${at} ${verdict} ${why?.code ?? '-'}`),
    evaluations,
  };
}

describe('the changes of a verdict', () => {
  it('start with the first verdict that is not waiting, each with its time', () => {
    const { lines, evaluations } = changes([
      ['waiting', cause('silent')],
      ['waiting', cause('not-in-response')],
      ['ok', null],
      ['ok', null],
      ['fails', cause('no-endpoints')],
      ['waiting', null],
      ['ok', null],
    ]);
    expect(lines).toEqual(['300 ok -', '500 fails no-endpoints', '600 waiting -', '700 ok -']);
    expect(evaluations).toBe(7);
  });

  it('include a change of the cause or resource with the same verdict', () => {
    const { lines } = changes([
      ['fails', cause('no-endpoints')],
      ['fails', cause('no-endpoints', 'green')],
      ['fails', cause('rejected', 'green')],
      ['fails', cause('rejected', 'green')],
    ]);
    expect(lines).toEqual(['100 fails no-endpoints', '200 fails no-endpoints', '300 fails rejected']);
  });

  it('do not include tears', () => {
    expect(
      changes([
        ['ok', null],
        ['ok', cause('config-tear')],
        ['ok', null],
      ]).lines,
    ).toEqual(['100 ok -']);
  });

  it('are computed less often for many routes, and always at the end', () => {
    const many: [VerdictWord, Cause | null][] = Array.from({ length: 1000 }, () => ['ok', null]);
    const { lines, evaluations } = changes([...many, ['fails', cause('no-endpoints')]], 10_000);
    expect(evaluations).toBeLessThan(40);
    expect(lines.at(-1)).toBe('100100 fails no-endpoints');
  });
});

describe('the changes of verdicts in a live session', () => {
  it('are computed at nextCheck without a new event', () => {
    const route = {
      index: 0,
      match: '',
      clusters: [],
      outcome: 'ok',
      failingShare: 0,
      status: null,
      cause: null,
    } as const;
    const routes = Array.from({ length: 20_000 }, () => ({ ...route, clusters: [] }));
    const rest = { hasUnmatchedCalls: false, listeners: null, advice: null, clients: null };
    let verdict: VerdictWord = 'ok';
    const computeVerdicts = (): TargetVerdict[] => [{ scope: 's', target: 't', verdict, cause: null, routes, ...rest }];
    const verdicts = new VerdictChanges(computeVerdicts, 0, LIVE);
    verdicts.observe({ ...CONFIG, at: 0 });
    verdicts.update(0);
    expect([verdicts.changes.length, verdicts.nextCheck]).toEqual([1, undefined]);
    verdict = 'fails';
    verdicts.observe({ ...CONFIG, at: 1 });
    verdicts.update(1);
    const { nextCheck = Number.NaN } = verdicts;
    expect([verdicts.changes.length, nextCheck > 1]).toEqual([1, true]);
    verdicts.update(nextCheck);
    expect(verdicts.changes.map((change) => change.verdict)).toEqual(['ok', 'fails']);
  });
});
