import { expect, it } from 'vitest';
import { possiblePaths } from '../../src/routing/paths.js';
import { Follow, json } from '../deps/follow.js';

const route = (match: object, action: object): object => ({ match: { prefix: '', ...match }, route: action });
const half = { runtime_fraction: { default_value: { numerator: 50 } } };
const weighted = {
  weighted_clusters: {
    clusters: [
      { name: 'a', weight: 3 },
      { name: 'gone', weight: 1 },
    ],
  },
};

/** `share cluster outcome`, for routes of one virtual host; the cluster `gone` is not there. */
function paths(...routes: object[]): string[] {
  const run = new Follow().get('LDS', 'l', json.listener('r'));
  run.get('RDS', 'r', { name: 'r', virtual_hosts: [{ domains: ['*'], routes }] });
  for (const name of ['a', 'gone'].filter((one) => run.watches.includes(`CDS ${one}`))) {
    if (name === 'gone') run.fail('CDS', name);
    else run.get('CDS', name, json.eds(name)).get('EDS', name, json.endpoints(name));
  }
  return possiblePaths(run.config, { path: '/s/m', metadata: [] }, 'n').map(
    ({ share, cluster, outcome }) => `${share} ${cluster} ${outcome.kind}`,
  );
}

it('lists every cluster that a route shares its calls among, with what each one gives', () => {
  expect(paths(route({}, weighted))).toEqual(['0.75 a connects', '0.25 gone fails']);
});

it('goes on behind a route that takes a part of the calls, to another route or to none', () => {
  expect(paths(route(half, { cluster: 'a' }), route({}, { cluster: 'gone' }))).toEqual([
    '0.5 a connects',
    '0.5 gone fails',
  ]);
  expect(paths(route(half, { cluster: 'a' }))).toEqual(['0.5 a connects', '0.5 undefined fails']);
});
