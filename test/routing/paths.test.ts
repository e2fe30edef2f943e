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

/** `share cluster outcome`, for routes of one virtual host; the cluster `gone` does not exist. */
function paths(...routes: object[]): string[] {
  return pathsWith({}, json.endpoints('a'), ...routes);
}

function pathsWith(listener: object, endpoints: object, ...routes: object[]): string[] {
  const run = new Follow().get('LDS', 'l', json.listener('r', listener));
  run.get('RDS', 'r', { name: 'r', virtual_hosts: [{ domains: ['*'], routes }] });
  for (const name of ['a', 'gone'].filter((one) => run.watches.includes(`CDS ${one}`))) {
    if (name === 'gone') run.fail('CDS', name);
    else run.get('CDS', name, json.eds(name)).get('EDS', name, endpoints);
  }
  return possiblePaths(run.config, { path: '/s/m', metadata: [] }, { nodeId: 'n' }).map(
    ({ share, cluster, outcome }) => `${share} ${cluster} ${outcome.kind}`,
  );
}

it('lists every cluster of a weighted route with its share and outcome', () => {
  expect(paths(route({}, weighted))).toEqual(['0.75 a connects', '0.25 gone fails']);
});

it('continues after a route with a runtime_fraction, to another route or to none', () => {
  expect(paths(route(half, { cluster: 'a' }), route({}, { cluster: 'gone' }))).toEqual([
    '0.5 a connects',
    '0.5 gone fails',
  ]);
  expect(paths(route(half, { cluster: 'a' }))).toEqual(['0.5 a connects', '0.5 undefined fails']);
});

const FAULT = 'type.googleapis.com/envoy.extensions.filters.http.fault.v3.HTTPFault';
const ROUTER = 'type.googleapis.com/envoy.extensions.filters.http.router.v3.Router';
const abort = (numerator: number): object => ({
  '@type': FAULT,
  abort: { grpc_status: 14, percentage: { numerator } },
});
const faulty = (config: object): object => ({
  http_filters: [
    { name: 'fault', typed_config: config },
    { name: 'router', typed_config: { '@type': ROUTER } },
  ],
});

it('counts the calls that the fault filter aborts, by the most specific override (A33)', () => {
  const plain = route({}, { cluster: 'a' });
  expect(pathsWith(faulty(abort(20)), json.endpoints('a'), plain)).toEqual(['0.2 a fails', '0.8 a connects']);
  const one = {
    weighted_clusters: { clusters: [{ name: 'a', weight: 1, typed_per_filter_config: { fault: abort(100) } }] },
  };
  expect(pathsWith(faulty(abort(20)), json.endpoints('a'), route({}, one))).toEqual(['1 a fails']);
});

it('counts the calls that a load assignment drops, category by category', () => {
  const drop = (category: string, numerator: number): object => ({ category, drop_percentage: { numerator } });
  const policy = { drop_overloads: [drop('lb', 50), drop('throttle', 50)] };
  expect(pathsWith({}, { ...json.endpoints('a'), policy }, route({}, { cluster: 'a' }))).toEqual([
    '0.5 a fails',
    '0.25 a fails',
    '0.25 a connects',
  ]);
});

it('counts the calls that the fault filter delays past their deadline, aborted or not (A33)', () => {
  const delay = { fixed_delay: '10s', percentage: { numerator: 50 } };
  const run = new Follow().get('LDS', 'l', json.listener('r', faulty({ ...abort(50), delay })));
  run.get('RDS', 'r', { name: 'r', virtual_hosts: [{ domains: ['*'], routes: [route({}, { cluster: 'a' })] }] });
  run.get('CDS', 'a', json.eds('a')).get('EDS', 'a', json.endpoints('a'));
  const ends = (deadlineMs: number): string[] =>
    possiblePaths(run.config, { path: '/s/m', metadata: [] }, { nodeId: 'n', deadlineMs }).map(
      ({ share, outcome }) => `${share} ${outcome.kind === 'fails' ? outcome.status.message : outcome.kind}`,
    );
  expect(ends(5_000)).toEqual(['0.5 Deadline Exceeded', '0.25 Fault injected', '0.25 connects']);
  expect(ends(10_000)).toEqual(ends(5_000));
  expect(ends(20_000)).toEqual(['0.5 Fault injected', '0.5 connects']);
});

it('omits outcomes that no call has: a drop of 0 %, or an abort after a delay of all calls', () => {
  const policy = { drop_overloads: [{ category: 'none', drop_percentage: { numerator: 0 } }] };
  const plain = route({}, { cluster: 'a' });
  expect(pathsWith({}, { ...json.endpoints('a'), policy }, plain)).toEqual(['1 a connects']);
  const delay = { fixed_delay: '10s', percentage: { numerator: 100 } };
  const listener = { ...faulty({ ...abort(100), delay }), common_http_protocol_options: { max_stream_duration: '5s' } };
  expect(pathsWith(listener, json.endpoints('a'), plain)).toEqual(['1 a fails']);
});

it('ignores a fault filter that is disabled, and uses the next one', () => {
  const http_filters = [
    { name: 'off', disabled: true, typed_config: abort(100) },
    { name: 'fault', typed_config: abort(20) },
    { name: 'router', typed_config: { '@type': ROUTER } },
  ];
  expect(pathsWith({ http_filters }, json.endpoints('a'), route({}, { cluster: 'a' }))).toEqual([
    '0.2 a fails',
    '0.8 a connects',
  ]);
});
