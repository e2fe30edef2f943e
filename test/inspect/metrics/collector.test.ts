import { describe, expect, it } from 'vitest';
import { CACHE_STATES } from '../../../src/inspect/metrics/labels.js';
import { json } from '../../deps/follow.js';
import type { Plane } from '../../deps/plane.js';
import { ObservedPlane } from './observed-plane.js';

const DENIED = { code: 7, message: 'nope' };
const INVALID = { ...json.eds('blue'), lb_policy: 'MAGLEV' };

interface Story {
  features?: string[];
  /** Before the client connects. */
  before?: (plane: Plane) => void;
  /** After the client has received everything. */
  after?: (plane: Plane) => void;
}

/** A plane that serves a target with the cluster `blue`. */
function observe({ features = [], before, after }: Story = {}): ObservedPlane {
  const observed = new ObservedPlane({ features });
  const { plane } = observed;
  plane.server.set('LDS', 'l', json.listener('r')).set('RDS', 'r', json.routes('blue'));
  plane.server.set('CDS', 'blue', json.eds('blue')).set('EDS', 'blue', json.endpoints('blue'));
  before?.(plane);
  plane.follow();
  after?.(plane);
  plane.pass(100);
  return observed;
}

const remove = ({ server }: Plane): void => void server.set('CDS', 'blue', undefined);

/** How the cluster gets into each state. */
const STORIES: Record<(typeof CACHE_STATES)[number], Story> = {
  requested: { before: remove },
  acked: {},
  nacked: { before: ({ server }) => server.set('CDS', 'blue', INVALID) },
  nacked_but_cached: { after: ({ server }) => server.set('CDS', 'blue', INVALID).push('CDS') },
  does_not_exist: { before: remove, after: (plane) => plane.pass(16_000) },
  does_not_exist_but_cached: { after: ({ server }) => server.set('CDS', 'blue', undefined).push('CDS') },
  received_error: { before: ({ server }) => server.reportError('CDS', 'blue', DENIED) },
  received_error_but_cached: { after: ({ server }) => server.reportError('CDS', 'blue', DENIED).push('CDS') },
  timeout: {
    features: ['resource_timer_is_transient_error'],
    before: remove,
    after: (plane) => plane.pass(31_000),
  },
};

describe('the metrics of A78', () => {
  it.each(CACHE_STATES)('have a cluster in the state %s once', (state) => {
    const resources = observe(STORIES[state]).lines('grpc.xds_client.resources');
    expect(resources.filter((line) => line.includes(' Cluster '))).toEqual([`s ${state} Cluster 1`]);
    expect(resources).toContain('s acked Listener 1');
    expect(resources).toContain('s acked RouteConfiguration 1');
  });

  it('count valid and invalid resources, unchanged ones too', () => {
    const observed = observe();
    const { plane } = observed;
    plane.server.push('EDS');
    plane.pass(100);
    plane.server.set('CDS', 'blue', INVALID).push('CDS');
    plane.pass(100);
    expect(observed.lines('grpc.xds_client.resource_updates_valid')).toEqual([
      's p Listener 1',
      's p RouteConfiguration 1',
      's p Cluster 1',
      's p ClusterLoadAssignment 2',
    ]);
    expect(observed.lines('grpc.xds_client.resource_updates_invalid')).toEqual([
      's p Listener 0',
      's p RouteConfiguration 0',
      's p Cluster 1',
      's p ClusterLoadAssignment 0',
    ]);
  });

  it('show an unreachable server until it responds again', () => {
    const observed = observe();
    const { plane } = observed;
    const state = () => [
      ...observed.lines('grpc.xds_client.connected'),
      ...observed.lines('grpc.xds_client.server_failure'),
    ];
    expect(state()).toEqual(['s p 1', 's p 0']);
    plane.server.goDown();
    plane.pass(30_000);
    expect(state()).toEqual(['s p 0', 's p 1']);
    plane.server.comeUp();
    plane.pass(30_000);
    expect(state()).toEqual(['s p 1', 's p 1']);
  });
});

describe('the metrics of targets', () => {
  it('have 1 for the current verdict and its cause only', () => {
    const observed = observe();
    const { plane } = observed;
    const state = () => [
      ...observed.lines('xds_inspect.target.verdict'),
      ...observed.lines('xds_inspect.target.cause'),
    ];
    expect(state()).toEqual(['s t ok 1', 's t waiting 0', 's t partly 0', 's t fails 0']);
    plane.server.reportError('EDS', 'blue', DENIED).set('EDS', 'blue', { cluster_name: 'blue' }).push('EDS');
    plane.pass(100);
    expect(state()).toEqual([
      's t ok 0',
      's t waiting 0',
      's t partly 0',
      's t fails 1',
      expect.stringMatching(/^s t [\w-]+ 1$/),
    ]);
  });

  it('count tears by kind from 0, with their durations when they end', () => {
    const observed = observe();
    const { plane } = observed;
    plane.pass(1000);
    expect(observed.lines('xds_inspect.tears')).toContain('s t dangling-cluster 0');
    plane.server.set('RDS', 'r', json.routes('blue', 'green')).push('RDS');
    plane.pass(3000);
    expect(observed.lines('xds_inspect.tears.open')).toContain('s t dangling-cluster 1');
    expect(observed.lines('xds_inspect.tear.duration')).toContain('dangling-cluster 0 in 0 s');
    plane.server.set('CDS', 'green', json.eds('green', 'blue')).push('CDS');
    plane.pass(1000);
    expect(observed.lines('xds_inspect.tears.open')).toContain('s t dangling-cluster 0');
    expect(observed.lines('xds_inspect.tears')).toContain('s t dangling-cluster 1');
    expect(observed.lines('xds_inspect.tears')).toHaveLength(6);
    expect(observed.lines('xds_inspect.tear.duration')).toContain('dangling-cluster 1 in 3 s');
    expect(observed.lines('xds_inspect.tear.duration')).toHaveLength(6);
    expect(observed.lines('xds_inspect.config.change.duration')).toEqual(['1 in 3 s']);
  });
});

describe('the metrics of a server', () => {
  it('have the latency of requests for further resources, not of ACKs', () => {
    const observed = observe();
    const { plane } = observed;
    const latencies = () => observed.lines('xds_inspect.response.latency');
    // 3 ms in each direction.
    const first = ['p Listener 1 in 0.006 s', 'p RouteConfiguration 1 in 0.006 s', 'p Cluster 1 in 0.006 s'];
    expect(latencies()).toEqual([...first, 'p ClusterLoadAssignment 1 in 0.006 s']);
    // The control plane sends this hours after the ACK.
    plane.pass(7_200_000);
    plane.server.set('EDS', 'blue', json.endpoints('blue', 81)).push('EDS');
    plane.pass(100);
    expect(latencies()).toEqual([...first, 'p ClusterLoadAssignment 1 in 0.006 s']);
    plane.server.set('CDS', 'green', json.eds('green', 'blue')).set('RDS', 'r', json.routes('green')).push('RDS');
    plane.pass(100);
    expect(latencies()[2]).toBe('p Cluster 2 in 0.012 s');
  });

  it('do not count the time to connect as latency', () => {
    const observed = observe({
      before: ({ server }) => server.goDown(),
      after: (plane) => {
        plane.pass(5000);
        plane.server.comeUp();
      },
    });
    expect(observed.lines('xds_inspect.response.latency')[0]).toBe('p Listener 1 in 0.006 s');
  });

  it('have the times of its stream and of its last response', () => {
    const observed = observe();
    const { plane } = observed;
    const begin = plane.clock.now();
    const [start] = observed.lines('xds_inspect.stream.start_time');
    expect(start).toBe('s p 1');
    plane.server.push('EDS');
    plane.pass(100);
    expect(observed.lines('xds_inspect.last_response.time')).toEqual([`s p ${(begin + 3) / 1000}`]);
    plane.server.goDown();
    plane.pass(100);
    expect(observed.lines('xds_inspect.stream.start_time')).toEqual([]);
  });

  it('count each occurrence of a finding', () => {
    const observed = observe();
    const { plane } = observed;
    for (let i = 0; i < 50; i++) {
      plane.server.push('EDS');
      plane.pass(10);
    }
    const findings = plane.engine.findings().map(({ code, severity, count }) => `s p ${code} ${severity} ${count}`);
    expect(findings).toHaveLength(1);
    expect(observed.lines('xds_inspect.findings')).toEqual(findings);
  });

  it('describe the client', () => {
    expect(observe().lines('xds_inspect.client.info')).toEqual(['1.2.3 spec n 1']);
  });
});
