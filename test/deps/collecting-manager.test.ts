import { describe, expect, it } from 'vitest';
import { Follow, json } from './follow.js';

const newFollow = (): Follow => new Follow({ collectWatches: true, statusTexts: 'grpc-java' });

/** A target with the routes `r` to the clusters a and b, which have endpoints of the same names. */
function complete(): Follow {
  return newFollow()
    .get('LDS', 'l', json.listener('r'))
    .get('RDS', 'r', json.routes('a', 'b'))
    .get('CDS', 'a', json.eds('a'))
    .get('CDS', 'b', json.eds('b'))
    .get('EDS', 'a', json.endpoints('a'))
    .get('EDS', 'b', json.endpoints('b'));
}

describe('the manager that collects unused watches', () => {
  it('watches replaced endpoints until their successors arrive', () => {
    const follow = complete().get('CDS', 'a', json.eds('a', 'other'));
    expect(follow.watches).toContain('EDS a');
    expect(follow.manager.isWithheld).toBe(true);
    follow.get('EDS', 'other', json.endpoints('other'));
    expect(follow.watches).toEqual(['CDS a', 'CDS b', 'EDS b', 'EDS other', 'LDS l', 'RDS r']);
  });

  it('watches replaced routes until the named ones arrive', () => {
    const follow = complete().get('LDS', 'l', json.listener('r2'));
    expect(follow.watches).toContain('RDS r');
    follow.get('RDS', 'r2', json.routes('a'));
    expect(follow.watches).toEqual(['CDS a', 'EDS a', 'LDS l', 'RDS r2']);
  });

  it('watches only the listener when it fails', () => {
    expect(complete().fail('LDS', 'l').watches).toEqual(['LDS l']);
  });

  it('withholds the error of a listener while its routes are missing', () => {
    const follow = newFollow().get('LDS', 'l', json.listener('r')).fail('LDS', 'l');
    expect(follow.published).toEqual([]);
    expect(follow.watches).toEqual(['LDS l', 'RDS r']);
  });

  it('waits for a cluster that is no longer needed', () => {
    const follow = newFollow()
      .get('LDS', 'l', json.listener('r'))
      .get('RDS', 'r', json.routes('gone'))
      .get('RDS', 'r', json.routes('a'))
      .get('CDS', 'a', json.eds('a'))
      .get('EDS', 'a', json.endpoints('a'));
    expect(follow.published).toEqual([]);
    follow.fail('CDS', 'gone');
    expect([...follow.config.clusters.keys()]).toEqual(['a']);
  });

  it('ignores ambient errors', () => {
    const follow = complete();
    const before = follow.published.length;
    follow.ambient('CDS', 'a', 'bad').ambient('EDS', 'a', 'bad');
    expect(follow.published).toHaveLength(before);
  });

  it('keeps the endpoints in use when the endpoints fail', () => {
    const follow = complete().fail('EDS', 'a');
    expect(follow.config.clusters.get('a')).toMatchObject({
      endpoints: { endpoints: undefined },
      inUse: { endpoints: { priorities: [[{ weight: 1 }]] } },
    });
  });

  it('fails a cluster in a cycle, and lists it as a leaf', () => {
    const follow = newFollow()
      .get('LDS', 'l', json.inline('agg'))
      .get('CDS', 'agg', json.aggregate('agg', 'inner'))
      .get('CDS', 'inner', json.aggregate('inner', 'agg'));
    expect(follow.config.clusters.get('agg')).toEqual({
      kind: 'error',
      message: 'Aggregate cluster cycle detected: [agg, inner]',
    });
    expect(follow.config.clusters.get('inner')).toMatchObject({ kind: 'aggregate', leaves: ['agg'] });
  });

  it('names a listener that is not for clients, and a missing virtual host', () => {
    const follow = newFollow().get('LDS', 'l', json.listener('r')).get('RDS', 'r', json.routesFor('x', 'a'));
    expect(follow.published.at(-1)).toMatchObject({ message: 'Failed to find virtual host matching hostname: any' });
  });
});
