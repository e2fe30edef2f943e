import { describe, expect, it } from 'vitest';
import type { Tear } from '../../src/deps/tears/tear.js';
import { adviceOn } from '../../src/inspect/tears/advice.js';
import { happened, withoutA74 } from '../../src/inspect/tears/sentences.js';
import { tearSummary } from '../../src/inspect/tears/tear-summary.js';

const tear = (fields: Partial<Tear>): Tear => ({
  ...{ kind: 'listener-route-skew', begin: 0, end: 400, resolvedBy: 'arrived', resources: [], neededBy: undefined },
  ...{ routes: [], filters: [], servers: [], wouldHave: 'uses both', instead: 'waits', ...fields },
});
const routes = { type: 'RDS' as const, name: 'r', version: undefined, server: 'p', status: 'REQUESTED' };

describe('the advice on a listener and routes that do not fit', () => {
  it.each<[title: string, filters: string[], advice: string]>([
    ['is about the routes', [], 'Serve the new routes before the listener names them; remove the old ones afterwards.'],
    [
      'is about a filter that routes override',
      ['fault'],
      'Add a filter to the listener before a route overrides it; remove it only when no route overrides it.',
    ],
  ])('%s', (_, filters, advice) => {
    expect(adviceOn({ kind: 'listener-route-skew', filters })).toBe(advice);
  });
});

describe('without A74', () => {
  it.each<[title: string, Partial<Tear>, effect: string]>([
    ['a listener without its routes fails RPCs', {}, 'RPCs fail: the listener has no routes'],
    ['routes override a missing filter as the tear says', { filters: ['fault'] }, 'uses both'],
    ['servers are mixed as the tear says', { kind: 'mixed-servers' }, 'uses both'],
  ])('%s', (_, fields, effect) => {
    expect(withoutA74(tear(fields))).toBe(effect);
  });
});

describe('the sentence on a tear', () => {
  it('does without the name of a resource that is unknown', () => {
    expect(happened([tear({ kind: 'dangling-cluster', neededBy: routes })], '1 s')).toBe(
      'RDS r names a missing resource for 1 s',
    );
  });
});

describe('the summary of resolved tears', () => {
  it.each<[title: string, Partial<Tear>, summary: string]>([
    [
      'says that routes never arrived',
      { resolvedBy: 'no-longer-needed', resources: [routes] },
      'the listener named routes for about 400 ms that never arrived (RDS r)',
    ],
    [
      'says that routes arrived late',
      { resources: [routes] },
      'the listener arrives about 400 ms before the routes that it names (RDS r)',
    ],
    [
      'says that servers are mixed',
      { kind: 'mixed-servers' },
      'resources of several servers are mixed for about 400 ms',
    ],
    [
      'says that a client moved and returned',
      { kind: 'flap' },
      'the client moved to another server and back in about 400 ms',
    ],
  ])('%s', (_, fields, summary) => {
    expect(tearSummary([tear(fields)])).toBe(`1 config tear, resolved: ${summary}`);
  });
});
