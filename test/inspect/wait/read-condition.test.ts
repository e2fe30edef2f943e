import { describe, expect, it } from 'vitest';
import { readConditions } from '../../../src/inspect/wait/read-condition.js';

describe('a condition', () => {
  it.each<[text: string, condition: object]>([
    ['ready', { kind: 'verdict', verdicts: ['ok'] }],
    ['acked', { kind: 'acked' }],
    ['stable=2s', { kind: 'stable', forMs: 2000 }],
    ['CDS/foo=ACKED', { kind: 'status', resource: { type: 'CDS', name: 'foo' }, isNot: false, status: 'ACKED' }],
    ['cds/foo==acked', { kind: 'status', resource: { type: 'CDS', name: 'foo' }, isNot: false, status: 'ACKED' }],
    ['LDS/foo!=NACKED', { kind: 'status', resource: { type: 'LDS', name: 'foo' }, isNot: true, status: 'NACKED' }],
    [
      'EDS/foo.endpoints>=3',
      { kind: 'endpoints', resource: { type: 'EDS', name: 'foo' }, count: { comparison: '>=', value: 3 } },
    ],
    ['EDS/foo.endpoints < 3', { problem: true }],
    ['EDS/foo.endpoints==0', { kind: 'endpoints', resource: { name: 'foo' }, count: { comparison: '=', value: 0 } }],
    [
      'RDS/foo.version=7',
      { kind: 'version', resource: { type: 'RDS', name: 'foo' }, isNot: false, match: { kind: 'same', text: '7' } },
    ],
    [
      'RDS/foo.version!=YWI=',
      { kind: 'version', resource: { name: 'foo' }, isNot: true, match: { kind: 'same', text: 'YWI=' } },
    ],
    ['CDS.count>=3500', { kind: 'count', type: 'CDS', count: { comparison: '>=', value: 3500 } }],
    ['eds.count == 0', { kind: 'count', type: 'EDS', count: { comparison: '=', value: 0 } }],
    ['CDS.count>=1e3', { problem: true }],
    ['CDS.count', { problem: true }],
    // Names of real control planes.
    [
      'CDS/outbound|80||a.b.svc.cluster.local=ACKED',
      { kind: 'status', resource: { name: 'outbound|80||a.b.svc.cluster.local' } },
    ],
    ['CDS/a,b c=ACKED', { kind: 'status', resource: { name: 'a,b c' } }],
    ['CDS/x.version=ACKED', { kind: 'version', resource: { name: 'x' }, match: { kind: 'same', text: 'ACKED' } }],
    [
      'EDS/a.endpoints.b.endpoints>1',
      { kind: 'endpoints', resource: { name: 'a.endpoints.b' }, count: { comparison: '>', value: 1 } },
    ],
    [
      'CDS/xdstp://auth/envoy.config.cluster.v3.Cluster/x?a=1&b=2=ACKED',
      { kind: 'status', resource: { name: 'xdstp://auth/envoy.config.cluster.v3.Cluster/x?a=1&b=2' }, status: 'ACKED' },
    ],
  ])('is parsed: %s', (text, condition) => {
    const read = readConditions([text]);
    if ('problem' in condition) expect(read.ok).toBe(false);
    else expect(read).toMatchObject({ ok: true, conditions: [{ text, ...condition }] });
  });

  it('is parsed once if it is repeated', () => {
    expect(readConditions(['ready', ' ready', 'acked'])).toMatchObject({
      ok: true,
      conditions: [{ kind: 'verdict' }, { kind: 'acked' }],
    });
  });
});

describe('an invalid condition', () => {
  const wrong: [text: string, problem: string][] = [
    ['', '"" is not a condition: use ready, acked, stable=2s, '],
    ['redy', '"redy" is not a condition (did you mean "ready"?)'],
    ['ready,acked', 'repeat --until for each condition'],
    ['ready=yes', '"ready=yes": ready takes no value'],
    ['CSD.count>=1', '"CSD.count>=1": unknown type "CSD" (did you mean "CDS"?)'],
    ['CDS.count>=many', '"CDS.count>=many": the number of resources must be an integer, not "many"'],
    ['stable', 'stable requires a duration, such as stable=500ms'],
    ['stable=soon', 'stable requires a duration, such as stable=500ms'],
    ['CSD/x=ACKED', '"CSD/x=ACKED": unknown type "CSD" (did you mean "CDS"?): LDS, RDS, CDS, EDS'],
    ['CDS/x=ACKD', 'unknown status "ACKD" (did you mean "ACKED"?): REQUESTED, '],
    ['CDS/x', 'the status is missing, as in CDS/x=ACKED'],
    ['CDS/x=', 'the status is missing, as in CDS/x=ACKED'],
    ['CDS/=ACKED', 'the resource name is missing: CDS/name=ACKED'],
    ['EDS/x>=3', 'the property is missing: EDS/x.endpoints>=3'],
    ['EDS/x.endpoint>=3', 'did you mean "EDS/x.endpoints>=3"?'],
    ['CDS/x.verison=3', 'did you mean "CDS/x.version=3"?'],
    ['CDS/x.version>3', 'versions have no order'],
    ['CDS/x.endpoints>3', 'only EDS resources have endpoints: did you mean "EDS/x.endpoints>3"?'],
    ['EDS/x.endpoints>=many', 'the number of endpoints must be an integer, not "many"'],
    ['EDS/x.endpoints>=-1', 'the number of endpoints must be an integer, not "-1"'],
  ];
  it.each(wrong)('is reported: %s', (text, problem) => {
    expect(readConditions([text])).toMatchObject({ ok: false, problems: [expect.stringContaining(problem)] });
  });

  it('is reported together with all others', () => {
    const read = readConditions(['ready', ...wrong.map(([text]) => text)]);
    expect(read).toMatchObject({ ok: false, problems: wrong.map(([, problem]) => expect.stringContaining(problem)) });
  });
});
