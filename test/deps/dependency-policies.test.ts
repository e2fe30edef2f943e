import { describe, expect, it } from 'vitest';
import { Follow, json } from './follow.js';

describe('dependency policies', () => {
  it('waitForEndpoints: an error of endpoints does not complete a configuration', () => {
    for (const waitForEndpoints of [true, false]) {
      const run = new Follow({ waitForEndpoints }).get('LDS', 'l', json.inline('a')).get('CDS', 'a', json.eds('a'));
      run.fail('EDS', 'a');
      expect(run.published).toHaveLength(waitForEndpoints ? 0 : 1);
      expect(run.get('EDS', 'a', json.endpoints('a')).summary).toBe('a');
    }
  });

  it('failingLeaves: failed clusters are leaves, as often as they are named', () => {
    const run = new Follow({ failingLeaves: true }).get('LDS', 'l', json.inline('agg'));
    run.get('CDS', 'agg', json.aggregate('agg', 'a', 'b', 'a')).get('CDS', 'a', json.eds('a'));
    run.get('EDS', 'a', json.endpoints('a')).fail('CDS', 'b');
    expect(run.config.clusters.get('agg')).toMatchObject({ kind: 'aggregate', leaves: ['a', 'b', 'a'] });
  });

  it('failingLeaves: a cycle of aggregate clusters is nested too deep', () => {
    const run = new Follow({ failingLeaves: true }).get('LDS', 'l', json.inline('x'));
    run.get('CDS', 'x', json.aggregate('x', 'y')).get('CDS', 'y', json.aggregate('y', 'x'));
    expect(run.config.clusters.get('x')).toMatchObject({ kind: 'error' });
  });

  it('dropOldRoutes: routes that the listener no longer names end at once, with their unused clusters', () => {
    const watches = [true, false].map((dropOldRoutes) => {
      const run = new Follow({ dropOldRoutes }).get('LDS', 'l', json.listener('r')).get('RDS', 'r', json.routes('a'));
      return run.get('LDS', 'l', json.listener('s')).watches;
    });
    expect(watches).toEqual([
      ['LDS l', 'RDS s'],
      ['CDS a', 'LDS l', 'RDS s'],
    ]);
  });

  it('keepSelectedClusters: an error of the listener keeps the clusters that RPCs can select', () => {
    const options = { keepRoutesWithoutListener: false, keepSelectedClusters: true };
    const run = new Follow(options).get('LDS', 'l', json.listener('r')).get('RDS', 'r', json.routes('a'));
    run.get('CDS', 'a', json.eds('a')).get('EDS', 'a', json.endpoints('a'));
    expect(run.fail('LDS', 'l').watches).toEqual(['CDS a', 'EDS a', 'LDS l']);
    expect(run.fail('CDS', 'a').watches).toEqual(['CDS a', 'LDS l']);
  });

  it('queueUntilFirstConfig: RPCs are queued on an error before the first configuration', () => {
    const run = new Follow({ queueUntilFirstConfig: true }).fail('LDS', 'l');
    expect(run.published.at(-1)).toMatchObject({ kind: 'error', isQueued: true });
    run.get('LDS', 'l', json.inline('a')).get('CDS', 'a', json.eds('a')).get('EDS', 'a', json.endpoints('a'));
    expect(run.fail('LDS', 'l').published.at(-1)).not.toHaveProperty('isQueued');
  });

  it('replaceClusterErrors: a later error replaces that of a deletion', () => {
    for (const replaceClusterErrors of [true, false]) {
      const run = new Follow({ replaceClusterErrors }).get('LDS', 'l', json.inline('a')).fail('CDS', 'a', 'gone');
      run.ambient('CDS', 'a', 'bad');
      const message = `CDS resource a: ${replaceClusterErrors ? 'bad' : 'gone'}`;
      expect(run.config.clusters.get('a')).toMatchObject({ kind: 'error', message });
    }
  });

  it('matchDomainsLiterally: domains match in the same case only', () => {
    for (const matchDomainsLiterally of [true, false]) {
      const run = new Follow({ matchDomainsLiterally }, 'Any').get('LDS', 'l', json.listener('r'));
      run.get('RDS', 'r', json.routesFor('any', 'a'));
      expect(run.published).toHaveLength(matchDomainsLiterally ? 1 : 0);
    }
  });
});
