import { describe, expect, it } from 'vitest';
import { evaluate } from '../../../src/inspect/expect/evaluate.js';
import { FILE_TEXTS } from '../../../src/inspect/expect/evaluation-texts.js';
import type { ExpectedFact } from '../../../src/inspect/expect/expectations.js';
import { entryOf, momentOf } from '../../../src/inspect/expect/observation.js';
import { CONDITION_TEXTS } from '../../../src/inspect/wait/condition-texts.js';
import { readConditions } from '../../../src/inspect/wait/read-condition.js';
import { cluster, endpoints, type PlaneSpec, route, routes, run, verdictNow } from '../verdict-plane.js';

const HEALTHY = { l: routes(route('', 'blue')), c: cluster('blue'), e: endpoints('blue') };

function momentIn(spec: PlaneSpec) {
  const simulation = run(spec);
  const [scope] = simulation.engine.snapshot();
  const [channel] = scope?.channels ?? [];
  if (scope === undefined || channel === undefined) throw new Error('nothing is followed');
  return momentOf({ scope, channel, nodeId: 'n' }, verdictNow(simulation), simulation.clock.now());
}

describe('a condition and the same expectation in a file', () => {
  const resource = { type: 'EDS', name: 'blue' } as const;
  const PAIRS: [condition: string, what: ExpectedFact][] = [
    ['ready', { kind: 'verdict', verdicts: ['ok'] }],
    ['EDS/blue=ACKED', { kind: 'status', resource, status: 'ACKED', isNot: false }],
    ['EDS/blue=NACKED', { kind: 'status', resource, status: 'NACKED', isNot: false }],
    ['EDS/blue.version=1', { kind: 'version', resource, match: { kind: 'equals', value: '1' }, isNot: false }],
    ['EDS/blue.version=2', { kind: 'version', resource, match: { kind: 'equals', value: '2' }, isNot: false }],
    [
      'EDS/blue.endpoints>=1',
      { kind: 'endpoints', resource, health: 'healthy', count: { comparison: '>=', value: 1 } },
    ],
    ['EDS/blue.endpoints<1', { kind: 'endpoints', resource, health: 'healthy', count: { comparison: '<', value: 1 } }],
  ];

  it.each(PAIRS)('%s agree', (text, what) => {
    const read = readConditions([text]);
    const condition = read.ok ? read.conditions[0] : undefined;
    if (condition === undefined || condition.kind === 'count') throw new Error(text);
    for (const spec of [
      { resources: HEALTHY },
      { resources: { ...HEALTHY, e: endpoints('blue', ['DRAINING']) } },
      {},
    ]) {
      const moment = momentIn(spec);
      expect(evaluate(condition, moment, CONDITION_TEXTS).ok).toBe(evaluate(what, moment, FILE_TEXTS).ok);
    }
  });
});

describe('a resource without watchers', () => {
  it('does not count, except in CSDS, which does not show watchers', () => {
    const moment = momentIn({ resources: HEALTHY });
    const { scope } = moment;
    const entry = (typeUrl: string, name: string) => {
      const found = scope.entry(typeUrl, name);
      return found && { ...found, watchers: [] };
    };
    const key = { type: 'CDS', name: 'blue' } as const;
    expect(entryOf(moment, key)?.status).toBe('ACKED');
    expect(entryOf({ ...moment, scope: { ...scope, entry } }, key)).toBeUndefined();
    expect(entryOf({ ...moment, scope: { ...scope, entry, authorities: [] } }, key)?.status).toBe('ACKED');
  });
});

describe('the active server', () => {
  const served = 'serves: [{ type: LDS, version: "1", resources: [l] }]';

  it('is the primary or a fallback server', () => {
    const primary: ExpectedFact = { kind: 'active', server: 'primary' };
    const any: ExpectedFact = { kind: 'active', server: 'any' };
    const first = momentIn({ resources: HEALTHY });
    expect([evaluate(primary, first).ok, evaluate(any, first).ok]).toEqual([true, true]);
    const second = momentIn({ resources: { l: HEALTHY.l }, primary: 'state: refusing', servers: `f: { ${served} }` });
    expect([evaluate(primary, second), evaluate(any, second)]).toEqual([
      { ok: false, expected: 'memory:p', actual: 'memory:f' },
      { ok: true, expected: 'any server', actual: 'memory:f' },
    ]);
    const none = momentIn({ primary: 'state: refusing' });
    expect(evaluate(primary, none)).toMatchObject({ ok: false, actual: 'memory:p' });
  });
});
